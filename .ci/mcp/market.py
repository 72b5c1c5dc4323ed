"""A market with products, and a proxy in front of it that counts the requests by method."""

import http.client
import http.server
import os
import pathlib
import subprocess
import threading


class Market:
    """`openmarket serve` on a free port with a home of its own, until `stop` is called."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.home = str(self.folder / "home")
        environment = dict(os.environ, HOME=str(self.folder), NO_COLOR="1")
        for name in ("AI_AGENT", "CLAUDECODE", "CODEX_SANDBOX"):
            environment.pop(name, None)
        self.environment = environment
        self.server = subprocess.Popen(
            [program, "--home", str(self.folder / "served"), "serve", "--port", "0", "--api", "open"],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.login = {}
        for line in self.server.stdout:
            words = line.split()
            if line.startswith("openmarket serving"):
                self.url = words[-1].rstrip("/")
            elif line.startswith("export "):
                name, value = words[1].split("=", 1)
                self.login[name] = value.strip("'")
            elif line.startswith("curl"):
                break
        # What follows is not read, and must not fill the pipe.
        threading.Thread(target=self.server.stdout.read, daemon=True).start()
        self.proxy = CountingProxy(self.url)

    def line(self, text):
        """Runs one line of the language against the market behind the proxy, and returns its output."""
        done = subprocess.run(
            [self.program, "--home", self.home, "--url", self.proxy.url, "--api", "open", "-c", text],
            env=dict(self.environment, **self.login), capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise SystemExit(f"{text}: {done.returncode}\n{done.stderr}")
        return done.stdout

    def command(self, *options):
        """Returns the command line of `openmarket mcp` behind the proxy."""
        return [self.program, "--home", self.home, "mcp", "--url", self.proxy.url, "--api", "open", *options]

    def stop(self):
        self.server.terminate()
        self.server.wait(10)
        self.proxy.server.shutdown()


class CountingProxy:
    """Forwards each request unchanged, and counts it."""

    def __init__(self, target):
        host = target.removeprefix("http://")
        counts, lock = {}, threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self):
                with lock:
                    counts[self.command] = counts.get(self.command, 0) + 1
                size = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(size) if size else None
                headers = {k: v for k, v in self.headers.items() if k.lower() not in ("connection", "accept-encoding")}
                upstream = http.client.HTTPConnection(host, timeout=60)
                try:
                    upstream.request(self.command, self.path, body, headers)
                    answer = upstream.getresponse()
                    data = answer.read()
                finally:
                    upstream.close()
                self.send_response_only(answer.status, answer.reason)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "content-length", "transfer-encoding"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = forward

            def log_message(self, *_):
                pass

        self.counts = counts
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def writes(self):
        """Returns the counts of the methods other than GET and HEAD."""
        return {method: count for method, count in self.counts.items() if method not in ("GET", "HEAD")}
