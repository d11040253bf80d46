"""The commands of config/README.md back the site up in the middle of a match, and restore it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from tests.load.racing import Database
from tests.load.test_kill import Guest
from tests.support.own_process import ROOT
from tests.support.site_process import SiteProcess

# The test has its own database: a run of all tests on PostgreSQL would only repeat it.
__test__ = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("pg_dump"), reason="needs pg_dump"),
]


def commands(after: str) -> str:
    """Return the first shell block of config/README.md after these words."""
    page = (ROOT / "config" / "README.md").read_text()
    found = re.search(r"```sh\n(.*?)```", page[page.index(after) :], re.DOTALL)
    assert found is not None
    return found[1]


def run(text: str, environment: dict[str, str]) -> None:
    found = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr


def empty(database: Database, server: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {database.name} WITH (FORCE)")  # type: ignore[call-overload]
        connection.execute(f"CREATE DATABASE {database.name}")  # type: ignore[call-overload]


def python_first(environment: dict[str, str]) -> dict[str, str]:
    """Return the environment with the folder of the tests' `python` first in PATH."""
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    return {**environment, "PATH": path}


def test_a_match_goes_on_after_everything_was_lost_and_restored(
    tmp_path: Path, postgres_url: str
) -> None:
    media, backup = tmp_path / "media", tmp_path / "backup"
    media.mkdir()
    backup.mkdir()
    (media / "avatar.webp").write_bytes(b"a picture")
    with Database(postgres_url) as database:
        variables = {"DATABASE_URL": database.url, "MEDIA_ROOT": str(media), "BACKUP": str(backup)}
        with SiteProcess(tmp_path, **variables) as site:
            environment = python_first(site.environment)
            guest = Guest(site, variant="short", length="1")
            guest.join()
            guest.send_entropy()
            guest.play_until(lambda frame: bool(frame["may"]) and frame["may"]["play"])
            before, plays = dict(guest.view), guest.newest["plays"]
            run(commands("## Backup and restore"), environment)
            guest.act()  # after the backup, so it is lost
            guest.close()
            site.kill()
            empty(database, postgres_url)
            shutil.rmtree(media)

            run(commands("To restore, stop every process"), environment)
            assert (media / "avatar.webp").read_bytes() == b"a picture"
            site.start()
            after = dict(guest.join()["view"])
            for view in (before, after):
                view.pop("clock")
            assert after == before
            assert guest.newest["plays"] == plays
            guest.play_until(lambda frame: frame["view"]["outcome"] is not None, pause_s=0.2)
            exported = site.manage("exportmatch", guest.public_id)
            file = tmp_path / "match.json"
            file.write_text(exported.stdout)
            proof = site.manage("verifydice", str(file))
            assert proof.returncode == 0, proof.stdout + proof.stderr
            guest.close()
