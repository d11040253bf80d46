"""A folder with a `language.toml` is a language of the site; nothing else has to name it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest
from django.core.exceptions import ImproperlyConfigured

from config.i18n.languages import read_languages
from tests.support.migrated import migrated_file
from tests.support.patience import PATIENCE_S
from tests.support.site_copy import copy_site

LANGUAGE = """
name = "Azərbaycanca"
order = 4
time_zone = "Asia/Baku"
plural_forms = "nplurals=2; plural=(n != 1);"
foreign_quotes = "'"
"""
# Print what a reader of the language gets, one answer a line.
ASK = """
from django.test import Client
from django.utils import timezone, translation
from accounts.models import Preferences
from accounts.times.zones import guess

visitor = Client(SERVER_NAME="localhost")
home = visitor.get("/az/").content.decode()
print('<html lang="az"' in home, "Qaydalar" in home, ">Azərbaycanca</button>" in home)
rules = visitor.get("/az/rules/long/").content.decode()
print('<div lang="en">' in rules, 'hreflang="az"' in rules)
print(visitor.get("/whats-new/", headers={"accept-language": "az"}).status_code)
with translation.override("az"):
    print(guess())
Preferences(language="az").clean_fields(exclude=["user"])
print("az" in visitor.get("/sitemap.xml").content.decode())
"""


@pytest.mark.slow
@pytest.mark.database
@pytest.mark.portable
@pytest.mark.skipif(shutil.which("xgettext") is None, reason="GNU gettext is not installed")
def test_one_folder_adds_a_language(tmp_path: Path) -> None:
    site = copy_site(tmp_path / "site")
    folder = site / "locale" / "az"
    folder.mkdir()
    (folder / "language.toml").write_text(LANGUAGE, encoding="utf-8")
    database = migrated_file(tmp_path / "site.sqlite3")

    def manage(*command: str, status: int = 0) -> str:
        env = {
            "DEBUG": "1",
            "DEMO": "1",
            "SECRET_KEY": "only-for-this-test" * 4,
            "DATABASE_URL": database,
        }
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=site,
            env=env | {"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done.stdout

    collected = manage("makelocale")
    assert "az/django.po: 0 of" in collected
    assert "ru/django.po: 0 of" not in collected
    translate(folder / "LC_MESSAGES" / "django.po", {"Rules": "Qaydalar"})
    manage("compilelocale")
    assert "az/django.po: 1 of" in manage("i18n_status", status=1)
    assert "No changes detected" in manage("makemigrations", "--check", "--dry-run")
    assert manage("shell", "-v0", "-c", ASK).split("\n") == [
        "True True True",
        "True True",
        "200",
        "Asia/Baku",
        "True",
        "",
    ]


def translate(path: Path, texts: dict[str, str]) -> None:
    catalog = polib.pofile(str(path))
    for source, text in texts.items():
        entry = catalog.find(source)
        assert entry is not None
        entry.msgstr = text
    catalog.save()


def test_languages_are_offered_in_their_order(tmp_path: Path) -> None:
    for code, order in (("az", 2), ("ka", 1), ("hy", 2)):
        (tmp_path / code).mkdir()
        text = f'name = "{code}"\norder = {order}\nplural_forms = "nplurals=3; plural=0;"\n'
        (tmp_path / code / "language.toml").write_text(text)
    (tmp_path / "no-language").mkdir()
    found = read_languages(tmp_path)
    assert list(found) == ["ka", "az", "hy"]
    assert found["ka"].plural_count == 3
    assert found["ka"].time_zone == "UTC"


@pytest.mark.parametrize("name", ["", "misspelled"])
def test_a_folder_without_languages_is_refused_by_the_name_of_its_setting(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match="LOCALE_DIR must name a copy"):
        read_languages(tmp_path / name)


@pytest.mark.parametrize("text", ["name = 1 2", 'name = "x"\n', 'name = "x"\nordre = 1\n'])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "az").mkdir()
    (tmp_path / "az" / "language.toml").write_text(text)
    with pytest.raises(ImproperlyConfigured, match=r"language\.toml cannot be read"):
        read_languages(tmp_path)
