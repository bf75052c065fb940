"""Serves the folder that it lies in, to this computer alone, and opens it in the browser:  serve.py [PORT]"""
import functools
import gzip
import http.server
import io
import pathlib
import sys
import webbrowser


@functools.lru_cache(maxsize=None)
def compressed(path, _changed):
    return gzip.compress(path.read_bytes())


class Handler(http.server.SimpleHTTPRequestHandler):
    # What a system takes these files for differs, and browsers run no modules of another type.
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".css": "text/css",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
    }

    def send_head(self):
        path = pathlib.Path(self.translate_path(self.path))
        if path.is_dir() and self.path.partition("?")[0].endswith("/"):
            path /= "index.html"
        if "gzip" not in self.headers.get("Accept-Encoding", "") or not path.is_file():
            return super().send_head()
        body = compressed(path, path.stat().st_mtime_ns)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Vary", "Accept-Encoding")
        super().end_headers()

    def log_message(self, *_):
        pass


def main():
    folder = pathlib.Path(__file__).resolve().parent
    handler = functools.partial(Handler, directory=str(folder))
    try:
        port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except (OSError, OverflowError, ValueError) as error:
        sys.exit(f"error: port {sys.argv[1]} cannot be used: {error}")
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    print(f"The page is at {address} (Ctrl-C ends it)", flush=True)
    webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


main()
