"""Repositories made by a test, and a loopback server that gives them out, cleverly or plainly."""

import os
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

WHO = {
    f"GIT_{who}_{what}": f"t@{what}"
    for who in ("AUTHOR", "COMMITTER")
    for what in ("NAME", "EMAIL")
}


def git(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, **WHO, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(folder: Path, files: Mapping[str, str | bytes]) -> str:
    """Write the files and commit them; the repository is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet")
        git(folder, "config", "uploadpack.allowFilter", "true")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message", "files")
    return git(folder, "rev-parse", "HEAD")


@dataclass
class Server:
    """What the server was asked, and how it misbehaves."""

    root: Path
    address: str = ""
    asked: list[str] = field(default_factory=list)
    failing: int = 0  # answers 503 to so many requests
    dumb: bool = False  # gives files only, as a web server without git
    stalling: bool = False
    password: str | None = None  # asked of everybody, as HTTP's basic authentication writes it
    http: ThreadingHTTPServer | None = None

    def start(self) -> "Server":
        state = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with suppress(BrokenPipeError, ConnectionResetError):  # git has been ended
                    state.answer(self)

            do_POST = do_GET

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        return self

    def stop(self) -> None:
        assert self.http is not None
        self.http.shutdown()
        self.http.server_close()

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        self.asked.append(f"{to.command} {to.path}")
        while self.stalling:  # until the test ends
            time.sleep(0.05)
        if self.failing:
            self.failing -= 1
            to.send_error(503)
            return
        if self.password is not None and to.headers.get("Authorization") != self.password:
            to.send_response(401)
            to.send_header("WWW-Authenticate", 'Basic realm="fathom"')
            to.end_headers()
            return
        path, _, query = to.path.partition("?")
        if self.dumb:
            file = self.root / path.strip("/")
            if not file.is_file():
                to.send_error(404)
                return
            to.send_response(200)
            to.end_headers()
            to.wfile.write(file.read_bytes())
            return
        body = to.rfile.read(int(to.headers.get("Content-Length") or 0))
        environment = {
            **os.environ,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": to.command,
            "CONTENT_TYPE": to.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": to.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": to.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(
            ["git", "http-backend"], input=body, env=environment, capture_output=True, check=False
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines() if ": " in line)
        to.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            to.send_header(name, value)
        to.end_headers()
        to.wfile.write(content)
