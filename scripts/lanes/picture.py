"""Success over iterations as a picture: one small chart a place, a line and a band a method."""
from intervals import interval

WIDTH, HEIGHT, ACROSS = 210, 120, 4
LEFT, TOP, GAP_X, GAP_Y = 42, 46, 22, 48
COLOURS = {"GRPO": "#1a56b0", "GiGPO": "#b3560f", "HGPO, K = 2": "#5b3fa6"}
POINTS = 50


def downsample(runs):
    """Means of neighbouring iterations, run by run."""
    length = len(next(iter(runs.values())))
    size = max(1, length // POINTS)
    for start in range(0, length, size):
        yield start + size / 2, [sum(run[start:start + size]) / len(run[start:start + size]) for run in runs.values()]


def chart(place, methods, x, y):
    length = max(len(run) for runs in methods.values() for run in runs.values())

    def at(iteration, value):
        return f"{x + WIDTH * iteration / length:.1f},{y + HEIGHT * (1 - value):.1f}"

    yield f'<text class="place" x="{x}" y="{y - 8}">{place}</text>'
    for tick in (0, 0.5, 1):
        line = y + HEIGHT * (1 - tick)
        yield f'<line x1="{x}" x2="{x + WIDTH}" y1="{line}" y2="{line}"/>'
        yield f'<text class="tick" x="{x - 6}" y="{line + 4}" text-anchor="end">{tick:.0%}</text>'
    for tick in (0, length):
        anchor = "start" if tick == 0 else "end"
        yield f'<text class="tick" x="{x + WIDTH * tick / length}" y="{y + HEIGHT + 15}" text-anchor="{anchor}">{tick}</text>'
    for method, runs in methods.items():
        points = [(iteration, *interval(values)) for iteration, values in downsample(runs)]
        over = [at(iteration, min(1, middle + half)) for iteration, middle, half in points]
        under = [at(iteration, max(0, middle - half)) for iteration, middle, half in reversed(points)]
        colour = COLOURS.get(method)
        if colour is None:
            continue
        yield f'<polygon points="{" ".join(over + under)}" fill="{colour}" fill-opacity="0.22"/>'
        line = " ".join(at(iteration, middle) for iteration, middle, _ in points)
        yield f'<polyline points="{line}" stroke="{colour}"/>'


def drawn(found):
    """The picture, as SVG."""
    across = min(ACROSS, len(found))
    down = -(-len(found) // across)
    width = LEFT + across * (WIDTH + GAP_X + LEFT) - LEFT
    height = TOP + down * (HEIGHT + GAP_Y) + 4
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" font-family="system-ui, sans-serif">',
             "<style>line{stroke:#e3e5e8}polyline{fill:none;stroke-width:1.6}.place{font-size:13px;font-weight:600}"
             ".tick{font-size:10px;fill:#6b7078}.key{font-size:12px}</style>",
             '<rect width="100%" height="100%" fill="#fff"/>']
    for number, (method, colour) in enumerate(COLOURS.items()):
        x = LEFT + 90 * number
        parts.append(f'<rect x="{x}" y="10" width="14" height="4" fill="{colour}"/>')
        parts.append(f'<text class="key" x="{x + 20}" y="16">{method}</text>')
    for number, (place, methods) in enumerate(found.items()):
        x = LEFT + (number % across) * (WIDTH + GAP_X + LEFT)
        y = TOP + (number // across) * (HEIGHT + GAP_Y) + 8
        parts += chart(place, methods, x, y)
    return "\n".join([*parts, "</svg>", ""])
