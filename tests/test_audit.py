"""No locked version has a known vulnerability (`make verify`, where the database can be reached)."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from helpers.advisories import ADDRESS, advisories, locked

ROOT = Path(__file__).parents[1]
LOCKS = sorted(ROOT.glob("requirements*.lock"))
ACCEPTED: dict[str, str] = {}  # id of an advisory: why it does not concern this project


@pytest.mark.slow
@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_no_locked_version_has_a_known_vulnerability(path):
    try:
        found = advisories(locked(path))
    except (OSError, ValueError) as error:  # no network, or a page of a proxy
        pytest.skip(f"{ADDRESS} cannot be reached: {error}")
    assert {name: new for name, ids in found.items() if (new := [i for i in ids if i not in ACCEPTED])} == {}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_every_requirement_is_asked_for(path):
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(lines) > 50 and [f"{name}=={version}" for name, version in locked(path)] == [
        line.split()[0] for line in lines
    ]


def test_an_advisory_is_found():
    """By a database of one advisory on this machine."""

    class Database(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            bad = {"package": {"name": "jinja2", "ecosystem": "PyPI"}, "version": "2.4"}
            self.send_response(200)
            self.end_headers()
            results = [{"vulns": [{"id": "GHSA-1"}]} if query == bad else {} for query in asked]
            self.wfile.write(json.dumps({"results": results}).encode())

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Database)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    assert advisories([("numpy", "2.0"), ("jinja2", "2.4"), ("jinja2", "3.1")], address) == {"jinja2 2.4": ["GHSA-1"]}
    thread.join()
    server.server_close()
    with pytest.raises(OSError, match="refused"):
        advisories([("numpy", "2.0")], address)
