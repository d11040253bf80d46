"""A client written from games/README.md and the schema alone plays whole matches.

It runs as a program of its own that cannot import the project, against the real server.
"""

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

STRANGER = Path(__file__).with_name("stranger.py")
# Losing the connection so many times on the way.
DROPS = 3
PATIENCE_S = 150


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A migrated database of its own, bots without pauses."""
    database = tmp_path_factory.mktemp("stranger") / "site.sqlite3"
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{database}", "BOT_PACE_MS": "0"}
    subprocess.run([*manage("migrate"), "-v0"], env=environment, cwd=settings.BASE_DIR, check=True)
    return environment


def manage(command: str) -> list[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), command]


@pytest.fixture(scope="module")
def address(environment: dict[str, str]) -> Iterator[str]:
    """The address of a running `manage.py serve`."""
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


@pytest.fixture(scope="module")
def played(address: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the stranger says after a match of each variant, played at the same time."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    games = {
        variant: subprocess.Popen(
            [sys.executable, "-I", STRANGER, address, variant, "--drops", str(DROPS)],
            cwd=elsewhere,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for variant in ("short", "long")
    }
    told = {}
    for variant, game in games.items():
        with game:
            try:
                out, errors = game.communicate(timeout=PATIENCE_S)
            finally:
                game.kill()
        assert game.returncode == 0, errors
        told[variant] = json.loads(out)
    return told


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["short", "long"])
def test_a_stranger_plays_a_whole_match(played: dict[str, Any], variant: str) -> None:
    told = played[variant]
    assert told["outcome"]["cause"] == "points"
    assert told["score"][told["outcome"]["winner"]] >= 1
    assert told["sent"] > 20
    assert told["received"] > 2 * told["sent"]


@pytest.mark.slow
def test_what_the_stranger_played_folds_to_the_snapshots(
    played: dict[str, Any], environment: dict[str, str]
) -> None:
    check = subprocess.run(
        manage("checkreplays"), env=environment, cwd=settings.BASE_DIR, capture_output=True
    )
    assert check.returncode == 0, check.stderr


def test_the_stranger_imports_nothing_of_the_project() -> None:
    imported = re.findall(r"^(?:from|import) (\w+)", STRANGER.read_text(), re.MULTILINE)
    own = {path.name for path in settings.BASE_DIR.iterdir() if path.is_dir()}
    assert imported
    assert not own & set(imported)
