"""`manage.py serve`, `worker` and `demo` as processes: they start, answer and end cleanly."""

import os
import re
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from tests.config.server import Process, get, manage, own_port
from tests.support.migrated import migrated_file
from tests.support.own_process import children_of
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX signals")]

PUBLIC_SITE = {"DEMO": "0", "DICE_SEAL_KEY": "seal", "SITE_URL": "https://play.example.org"}


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    """Return the environment with a database for the tests of this file."""
    url = migrated_file(tmp_path_factory.mktemp("site") / "db.sqlite3")
    return {"DATABASE_URL": url, "REDIS_URL": "", "DEMO": "1"}


@pytest.fixture
def start(env):
    """Yield a function that starts manage.py commands; kill those alive at the end of the test."""
    started = []

    def begin(*arguments, **more):
        process = Process([sys.executable, "manage.py", *arguments], {**env, **more})
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill_if_alive()


def serve(start):
    process = start("serve", "--port", "0")
    line = process.wait_for_line("is ready")
    return process, re.search(r"http://127\.0\.0\.1:\d+", line)[0]


def wait_until_ready(url):
    """Wait for the first heartbeat, which comes a moment after the port opens."""
    end = time.monotonic() + PATIENCE_S
    while get(f"{url}/readyz")[0] != 200:
        assert time.monotonic() < end, get(f"{url}/readyz")
        time.sleep(0.05)


def is_alive(pid):
    """Return whether the process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_one_command_serves_the_site_and_ends_with_its_children_at_sigterm(start):
    process, url = serve(start)
    status, page = get(f"{url}/en/")
    assert status == 200
    assert "<h1>" in page
    wait_until_ready(url)
    children = children_of(process.pid)
    assert process.end(signal.SIGTERM) == 0, process.output
    assert not any(is_alive(child) for child in children)
    assert "Traceback" not in "".join(process.output)


def test_killed_server_leaves_no_child_and_a_free_port_and_the_next_ends_at_ctrl_c(start):
    port = str(own_port())
    url = f"http://127.0.0.1:{port}"
    process = start("serve", "--port", port)
    process.wait_for_line("is ready")
    wait_until_ready(url)
    children = children_of(process.pid)
    process.end(signal.SIGKILL)
    end = time.monotonic() + PATIENCE_S
    while any(is_alive(child) for child in children):
        assert time.monotonic() < end, "a child outlived its server"
        time.sleep(0.05)
    again = start("serve", "--port", port)
    again.wait_for_line("is ready")
    wait_until_ready(url)
    assert again.end(signal.SIGINT) == 0
    assert "Traceback" not in "".join(again.output)


def test_taken_port_is_reported_and_a_free_one_suggested(env):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = manage("serve", "--port", str(port), env=env)
    assert answer.returncode == 1
    assert f"Port {port} is taken" in answer.stderr
    assert f"--port {port + 1}" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_address_that_cannot_be_opened_is_not_reported_as_taken(env):
    answer = manage("serve", "--host", "192.0.2.1", "--port", "8000", env={**env, **PUBLIC_SITE})
    assert answer.returncode == 1
    assert "is taken" not in answer.stderr
    assert "192.0.2.1" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("port", ["-1", "70000"])
def test_impossible_port_is_refused(env, port):
    answer = manage("serve", f"--port={port}", env=env)
    assert answer.returncode == 1
    assert "There is no port" in answer.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_worker_in_a_process_of_its_own_ends_at_a_signal(start, number):
    process = start("worker")
    process.wait_for_line("keeps deadlines")
    assert process.end(number) == 0, process.output
    assert "Traceback" not in "".join(process.output)


def test_server_without_a_worker_is_ready_when_a_worker_process_runs(start, tmp_path):
    env = {"DATABASE_URL": migrated_file(tmp_path / "db.sqlite3")}
    web = start("serve", "--port", "0", "--no-worker", **env)
    url = re.search(r"http://127\.0\.0\.1:\d+", web.wait_for_line("is ready"))[0]
    assert get(f"{url}/readyz")[0] == 503
    worker = start("worker", **env)
    wait_until_ready(url)
    assert worker.end() == 0
    assert web.end() == 0


def test_worker_with_a_lost_seal_key_starts_only_with_the_option_for_it(start, tmp_path):
    env = {"DATABASE_URL": migrated_file(tmp_path / "db.sqlite3"), "DICE_SEAL_KEY": "one"}
    begin = "from tests.games.factories import MatchFactory; MatchFactory()"
    assert manage("shell", "-c", begin, env={**env, "DEMO": "1"}).returncode == 0
    lost = {**env, "DICE_SEAL_KEY": "other"}
    refused = manage("worker", env={**lost, "DEMO": "1"})
    assert refused.returncode == 1
    assert "DICE_SEAL_KEY" in refused.stderr
    worker = start("worker", "--lost-seal-key", **lost)
    worker.wait_for_line("keeps deadlines")
    assert worker.end() == 0


def test_daphne_is_given_the_limit_of_a_frame_too():
    """Without the limit, Daphne would hold a large frame in memory before the guard refuses it."""
    from config.management.commands.serve import SiteServer, beat_task
    from config.sockets.guard import MAX_FRAME_BYTES

    server = SiteServer("127.0.0.1", 0, beat_task, lambda host, port: None)
    assert server.websocket_max_frame_size == MAX_FRAME_BYTES


def test_demo_makes_the_staff_account_once(tmp_path):
    database = migrated_file(tmp_path / "db.sqlite3")
    env = {"DATABASE_URL": database, "DEMO": "1", "MEDIA_ROOT": str(tmp_path / "media")}
    first, second = manage("demo", env=env), manage("demo", env=env)
    assert first.returncode == second.returncode == 0
    assert "Staff account" in first.stdout
    assert second.stdout == ""


def test_demo_is_refused_where_demo_is_off(env):
    answer = manage("demo", env={**env, **PUBLIC_SITE})
    assert answer.returncode == 1
    assert "only where DEMO is on" in answer.stderr
