"""Serves the folder that it lies in, to this computer alone, and opens it in the browser:  serve.py [PORT]"""
import functools
import http.server
import pathlib
import sys
import webbrowser


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
