//! Layered layout (Sugiyama): nodes in rows by their layers, ordered by the barycentres of their neighbours, so that few
//! arrows cross. Arrows over several rows have a place in each.

/// How often the rows are ordered, and moved, by their neighbours.
const ROUNDS: usize = 12;
/// The least distance of two nodes, and the width of the place of an arrow that passes a row.
const GAP: f64 = 20.0;
/// How wide a picture may become where its nodes have more room than they need, and how many times as wide.
const ROOM: f64 = 360.0;
const WIDER: f64 = 2.4;
const PASSAGE: f64 = 12.0;

/// Where nodes are: their own places first, and after them those of arrows that pass a row.
#[derive(Debug)]
pub(super) struct Layout {
    /// The middle of every place, from the left edge.
    pub(super) x: Vec<f64>,
    /// The row of every place.
    pub(super) layers: Vec<usize>,
    /// The places that every edge leads through, from its first node to its last.
    pub(super) ways: Vec<Vec<usize>>,
    /// How wide all is.
    pub(super) width: f64,
    /// How many rows there are.
    pub(super) rows: usize,
}

impl Layout {
    /// Places nodes of some layers and widths, with edges between them.
    pub(super) fn new(layers: &[usize], widths: &[f64], edges: &[[usize; 2]]) -> Self {
        let (mut layers, mut widths) = (layers.to_vec(), widths.to_vec());
        let mut ways = Vec::new();
        for [from, to] in edges {
            let (top, bottom) = (layers[*from].min(layers[*to]), layers[*from].max(layers[*to]));
            let mut way = vec![*from];
            for layer in top + 1..bottom {
                way.push(layers.len());
                layers.push(layer);
                widths.push(PASSAGE);
            }
            if layers[*from] > layers[*to] {
                way[1..].reverse();
            }
            way.push(*to);
            ways.push(way);
        }
        let rows = layers.iter().max().map_or(0, |last| last + 1);
        // The neighbours of every place in the row above, and in the row below.
        let mut beside = [vec![Vec::new(); layers.len()], vec![Vec::new(); layers.len()]];
        for pair in ways.iter().flat_map(|way| way.windows(2)) {
            for (own, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                if layers[own] != layers[other] {
                    beside[usize::from(layers[other] > layers[own])][own].push(other);
                }
            }
        }
        let mut order = vec![Vec::new(); rows];
        for (place, layer) in layers.iter().enumerate() {
            order[*layer].push(place);
        }
        let mut x = vec![0.0; layers.len()];
        for row in &order {
            for (at, place) in row.iter().enumerate() {
                x[*place] = at as f64;
            }
        }
        for round in 0..ROUNDS {
            for at in rows_of(round, rows) {
                let row = &mut order[at];
                let wanted = wanted(row, &x, &beside[round % 2..=round % 2]);
                sort(row, wanted);
                for (at, place) in row.iter().enumerate() {
                    x[*place] = at as f64;
                }
            }
        }
        for row in &order {
            spread(row, vec![0.0; row.len()], &widths, &mut x);
        }
        for round in 0..ROUNDS {
            for at in rows_of(round, rows) {
                let sides = if round + 2 < ROUNDS { round % 2..round % 2 + 1 } else { 0..2 };
                let wanted = wanted(&order[at], &x, &beside[sides]);
                spread(&order[at], wanted, &widths, &mut x);
            }
        }
        let edge = |side: f64| x.iter().zip(&widths).map(move |(x, width)| x + side * width / 2.0);
        let left = edge(-1.0).fold(f64::INFINITY, f64::min);
        let width = edge(1.0).fold(0.0, f64::max) - left;
        // Narrow pictures take the room that there is; their outermost nodes keep their distance to the edges.
        let wider = (ROOM / width).clamp(1.0, WIDER);
        let width = width * wider;
        for x in &mut x {
            *x = (*x - left) * wider;
        }
        Self { x, layers, ways, width, rows }
    }
}

/// The rows in the order of a round: down from the top, or up from the bottom.
fn rows_of(round: usize, rows: usize) -> impl Iterator<Item = usize> {
    (0..rows).map(move |row| if round.is_multiple_of(2) { row } else { rows - 1 - row })
}

/// Where the places of a row would be for their neighbours: in the middle of these.
fn wanted(row: &[usize], x: &[f64], beside: &[Vec<Vec<usize>>]) -> Vec<f64> {
    let of_place = |place: &usize| {
        let all = || beside.iter().flat_map(|side| &side[*place]);
        let count = all().count();
        if count == 0 {
            x[*place]
        } else {
            all().map(|other| x[*other]).sum::<f64>() / count as f64
        }
    };
    row.iter().map(of_place).collect()
}

/// Orders places by numbers; those with the same stay in their order.
fn sort(row: &mut [usize], mut by: Vec<f64>) {
    for end in 1..row.len() {
        let mut at = end;
        while at > 0 && by[at - 1] > by[at] {
            by.swap(at - 1, at);
            row.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Moves places of a row to where they are wanted, as near as their widths allow.
fn spread(row: &[usize], wanted: Vec<f64>, widths: &[f64], x: &mut [f64]) {
    let apart = |at: usize| f64::midpoint(widths[row[at]], widths[row[at + 1]]) + GAP;
    // Pushed to the right, and pushed to the left; the middle keeps the distances of both.
    let (mut right, mut left) = (wanted.clone(), wanted);
    for at in 1..row.len() {
        right[at] = right[at].max(right[at - 1] + apart(at - 1));
    }
    for at in (1..row.len()).rev() {
        left[at - 1] = left[at - 1].min(left[at] - apart(at - 1));
    }
    for (at, place) in row.iter().enumerate() {
        x[*place] = f64::midpoint(left[at], right[at]);
    }
}

#[cfg(test)]
mod tests {
    use super::{GAP, Layout};

    #[test]
    fn arrows_that_need_not_cross_do_not() {
        // Two ways from one node that part for good, named against their order.
        let edges = [[0, 2], [0, 1], [1, 4], [2, 3], [3, 5], [4, 6]];
        let layout = Layout::new(&[0, 1, 1, 2, 2, 3, 3], &[30.0; 7], &edges);
        let is_left = |one: usize, other: usize| layout.x[one] < layout.x[other];
        assert!(is_left(1, 2) == is_left(4, 3) && is_left(4, 3) == is_left(6, 5), "{:?}", layout.x);
        assert!((layout.x[0] - f64::midpoint(layout.x[1], layout.x[2])).abs() < 1e-9);
    }

    #[test]
    fn nodes_keep_their_distance_and_long_arrows_have_a_place_in_every_row() {
        let widths = [40.0, 30.0, 80.0, 30.0, 50.0];
        let edges = [[0, 1], [0, 2], [0, 3], [1, 4], [4, 0], [2, 2]];
        let layout = Layout::new(&[0, 1, 1, 1, 2], &widths, &edges);
        assert_eq!((layout.rows, layout.ways[4].len(), &*layout.ways[5]), (3, 3, &[2, 2][..]));
        assert_eq!(layout.layers[layout.ways[4][1]], 1);
        for (one, own) in widths.iter().enumerate() {
            for (other, width) in widths.iter().enumerate().skip(one + 1) {
                if layout.layers[one] == layout.layers[other] {
                    let distance = (layout.x[one] - layout.x[other]).abs();
                    assert!(distance >= f64::midpoint(*own, *width) + GAP - 1e-9, "{one} {other}");
                }
            }
            assert!(layout.x[one] - own / 2.0 >= -1e-9);
            assert!(layout.x[one] + own / 2.0 <= layout.width + 1e-9);
        }
    }

    #[test]
    fn nothing_has_a_layout_too() {
        assert_eq!(Layout::new(&[], &[], &[]).rows, 0);
    }
}
