"""A client written from games/protocol/README.md and the schema alone plays whole matches.

It runs as a separate program that cannot import the project, and plays on the real server.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.games.protocol.independent_client import Site
from tests.support.migrated import migrated_file

CLIENT = Path(__file__).with_name("independent_client.py")
# Connections that each client loses on purpose during its match.
DROPS = 3
PATIENCE_S = 300
TRAINING = {"variant": "short", "length": "1", "level": "casual"}

# The server uses the tests' Redis, if there is one, so its frames pass through Redis as well.
pytestmark = pytest.mark.database


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return environment variables: a new migrated database, bots that play without pauses."""
    database = tmp_path_factory.mktemp("independent_client") / "site.sqlite3"
    return {**os.environ, "DATABASE_URL": migrated_file(database), "BOT_PACE_MS": "0"}


def manage(command: str) -> list[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), command]


@pytest.fixture(scope="module")
def address(environment: dict[str, str]) -> Iterator[str]:
    """Return the address of a running `manage.py serve`."""
    with subprocess.Popen(
        [*manage("serve"), "--port", "0"],
        env=environment,
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://[\d.:]+", server.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            server.terminate()


Program = subprocess.Popen[str]


def started_client(address: str, folder: Path, *arguments: str) -> Program:
    """Start the client in a folder where it can import nothing of the project."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-I", CLIENT, address, *arguments]
    return subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def report_of(program: Program) -> dict[str, Any]:
    """Return the report that the client prints at the end of its match."""
    with program:
        try:
            out, errors = program.communicate(timeout=PATIENCE_S)
        finally:
            program.kill()
    assert program.returncode == 0, errors
    report: dict[str, Any] = json.loads(out)
    return report


@pytest.fixture(scope="module")
def playing(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Program]]:
    """Start a match of each variant; both run at the same time, since the rate limit slows them."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    programs = {
        variant: started_client(address, elsewhere, variant, "--drops", str(DROPS))
        for variant in ("short", "long")
    }
    yield programs
    for program in programs.values():
        with program:
            program.kill()


@pytest.fixture(scope="module")
def played(playing: dict[str, Program]) -> dict[str, Any]:
    return {variant: report_of(program) for variant, program in playing.items()}


CREATE_MATCH = """
import json
from games.engine.rules import Rules
from tests.accounts.factories import session_key
from tests.games.factories import StakeMatchFactory
from tests.wallet.factories import player
users = [player("white5"), player("black5")]
rules = Rules.of("short", length=1, delay_ms=60_000)
match = StakeMatchFactory(white=users[0], black=users[1], rules=rules)
keys = [session_key(user) for user in [*users, None]]
print(json.dumps({"match": match.public_id, "keys": keys}))
"""


@pytest.mark.slow
def test_two_clients_play_for_credits_and_a_third_watches(
    address: str, environment: dict[str, str], playing: dict[str, Program], tmp_path: Path
) -> None:
    """All frames of two players and a spectator of a match for credits fit the schema."""
    # The clients start first, since a new match waits only half a minute for its players.
    programs = [
        started_client(address, tmp_path, "short", "--match", "-", "--seed", seed, "--drops", "2")
        for seed in "012"
    ]
    shell = [*manage("shell"), "-v0", "-c", CREATE_MATCH]
    made = subprocess.run(shell, env=environment, cwd=settings.BASE_DIR, capture_output=True)
    assert made.returncode == 0, made.stderr
    arranged = json.loads(made.stdout.splitlines()[-1])
    for program, key in zip(programs, arranged["keys"], strict=True):
        assert program.stdin is not None
        program.stdin.write(f"{arranged['match']} {key}\n")
        program.stdin.flush()
    reports = [report_of(program) for program in programs]
    assert [one["side"] for one in reports] == ["white", "black", ""]
    assert len({json.dumps(one["outcome"]) for one in reports}) == 1
    kinds = [set(one["kinds"]) for one in reports]
    assert {"lag", "presence", "watchers"} <= kinds[0] | kinds[1]
    assert {"state", "event"} <= kinds[2]
    assert kinds[2] <= {"state", "event", "presence", "watchers", "rematch", "pong"}


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize(("frame", "code"), [("x" * 5000, 1009), (["x" * 3000] * 2, 4010)])
async def test_oversized_frame_closes_the_socket_with_a_code(
    address: str, frame: str | list[str], code: int
) -> None:
    site = Site(address)
    match_id = await asyncio.to_thread(site.start_training, TRAINING)
    async with site.socket(match_id) as socket:
        await socket.send(frame)
        await socket.wait_closed()
        assert socket.close_code == code


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["short", "long"])
def test_a_client_plays_a_whole_match(played: dict[str, Any], variant: str) -> None:
    report = played[variant]
    assert report["outcome"]["cause"] == "points"
    assert report["score"][report["outcome"]["winner"]] >= 1
    assert report["sent"] > 20
    assert report["received"] > 2 * report["sent"]


@pytest.mark.slow
def test_the_logs_of_the_clients_matches_fold_to_the_snapshots(
    played: dict[str, Any], environment: dict[str, str]
) -> None:
    check = subprocess.run(
        manage("checkreplays"), env=environment, cwd=settings.BASE_DIR, capture_output=True
    )
    assert check.returncode == 0, check.stderr


def test_the_client_imports_nothing_of_the_project() -> None:
    imported = re.findall(r"^(?:from|import) (\w+)", CLIENT.read_text(), re.MULTILINE)
    own = {path.name for path in settings.BASE_DIR.iterdir() if path.is_dir()}
    assert imported
    assert not own & set(imported)
