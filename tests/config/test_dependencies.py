"""tests/dependency_audit.py against a service on loopback."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests import dependency_audit
from tests.config.server import own_port


class Service(BaseHTTPRequestHandler):
    """A service that reports a known fault of Django and none of any other package."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        names = [query["package"]["name"] for query in body["queries"]]
        results = [{"vulns": [{"id": "GHSA-1"}]} if name == "Django" else {} for name in names]
        answer = json.dumps({"results": results}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args):
        pass


@pytest.fixture
def service(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = HTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_pins_of_both_requirements_files_are_read():
    pins = dict(dependency_audit.pinned())
    assert {"Django", "django-allauth", "psycopg", "pytest"} <= pins.keys()
    assert len(pins) > 60


def test_known_faults_of_the_pinned_packages_are_reported(service, capsys):
    assert dependency_audit.main(service) == 1
    assert f"Django {dict(dependency_audit.pinned())['Django']}: GHSA-1" in capsys.readouterr().out


def test_accepted_faults_do_not_fail(service, capsys, monkeypatch):
    monkeypatch.setitem(dependency_audit.ACCEPTED, "GHSA-1", "not reachable")
    assert dependency_audit.main(service) == 0
    assert "0 with known faults" in capsys.readouterr().out


def test_without_a_network_nothing_is_checked_and_nothing_fails(capsys, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert dependency_audit.main(f"http://127.0.0.1:{own_port()}") == 0
    assert capsys.readouterr().out.startswith("not checked")
