"""Translations are complete in three languages and compile; the catalogs have every text."""

import re
import shutil
import subprocess
import sys
from io import StringIO

import polib
import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import translation
from django.utils.translation import gettext, ngettext, trans_real

from config.i18n.translations import (
    PLACEHOLDER,
    SOURCE_LANGUAGE,
    TAG,
    catalog_paths,
    compile_catalogs,
    problems,
    tidy,
)
from tests.support.patience import PATIENCE_S
from tests.support.site_copy import copy_site

CATALOGS = list(catalog_paths())
TRANSLATED = [(language, path) for language, path in CATALOGS if language != SOURCE_LANGUAGE]
NUMBERS = (0, 1, 2, 5, 11, 21, 22)
# Names of two words that are the same in every language.
NAMES = {"Sonneborn-Berger", "Yandex ID"}
WORD = re.compile(r"[^\W\d_]{2,}")


@pytest.mark.parametrize(("language", "path"), CATALOGS, ids=lambda value: str(value)[-24:])
def test_every_text_is_translated(language, path):
    found = problems(language, path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("language", "path"), TRANSLATED, ids=lambda value: str(value)[-24:])
def test_no_text_of_two_words_is_left_in_english(language, path):
    assert copied_texts(polib.pofile(str(path))) == []


def test_copied_texts_are_found():
    entries = [
        polib.POEntry(msgid="Play again", msgstr="Play again"),
        polib.POEntry(
            msgid="%(n)s game won",
            msgid_plural="%(n)s games won",
            msgstr_plural={0: "%(n)s el", 1: "%(n)s games won"},
        ),
        polib.POEntry(msgid="Roll again", msgstr="Tekrar at"),
        polib.POEntry(msgid="<b>Mars</b> %(points)s", msgstr="<b>Mars</b> %(points)s"),
        polib.POEntry(msgid="j M Y", msgstr="j M Y"),
        polib.POEntry(msgid="Yandex ID", msgstr="Yandex ID"),
    ]
    assert copied_texts(entries) == ["Play again", "%(n)s game won"]


def copied_texts(entries):
    """Return the English texts of two words or more that are also given as the translation."""
    found = []
    for entry in entries:
        sources = {entry.msgid, entry.msgid_plural} - NAMES
        copies = sources & {entry.msgstr, *entry.msgstr_plural.values()}
        bare = [TAG.sub(" ", PLACEHOLDER.sub(" ", copy)) for copy in copies]
        if any(len(WORD.findall(text)) > 1 for text in bare):
            found.append(entry.msgid)
    return found


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="GNU gettext is not installed")
@pytest.mark.slow
def test_no_text_of_pages_or_scripts_is_missing_from_the_catalogs(tmp_path):
    """Collect the texts in a copy of the site: the result must equal the site's catalogs."""
    copy = copy_site(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "manage.py", "makelocale"],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for _, path in CATALOGS:
        collected = copy / path.relative_to(settings.BASE_DIR)
        assert keys(collected) == keys(path), "run `manage.py makelocale` and translate what is new"
        assert misread(collected) == [], "mark the text by `xgettext:no-python-format`"


def keys(path):
    return {(entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in polib.pofile(str(path))}


def misread(path):
    """Return the texts with `{names}` in which xgettext takes a percent sign for a placeholder."""
    both = {"python-format", "python-brace-format"}
    return [entry.msgid for entry in polib.pofile(str(path)) if both <= set(entry.flags)]


PLURALS = {
    "ru": "очко|очка|очков|очка",
    "tr": "puan|puan",
    "en": "point|points",
}
EXPECTED = {
    "ru": ["очков", "очко", "очка", "очков", "очков", "очко", "очка"],
    "tr": ["puan"] * 7,
    "en": ["points", "point", "points", "points", "points", "points", "points"],
}


@pytest.fixture
def catalogs(tmp_path, settings):
    """Replace the site's catalogs with compiled ones that have one text with plural forms."""
    for language, forms in PLURALS.items():
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        catalog = polib.POFile()
        catalog.metadata = {
            "Language": language,
            "Content-Type": "text/plain; charset=UTF-8",
            "Plural-Forms": settings.SITE_LANGUAGES[language].plural_forms,
        }
        forms = dict(enumerate(forms.split("|")))
        catalog.append(polib.POEntry(msgid="point", msgid_plural="points", msgstr_plural=forms))
        catalog.save(str(folder / "django.po"))
    settings.LOCALE_PATHS = [tmp_path]
    assert compile_catalogs() == 3
    yield tmp_path
    trans_real._translations.clear()


@pytest.mark.parametrize("language", PLURALS)
def test_django_selects_the_right_plural_form(catalogs, language):
    trans_real._translations.clear()
    with translation.override(language):
        assert [ngettext("point", "points", n) for n in NUMBERS] == EXPECTED[language]


def test_broken_entries_are_found(catalogs):
    path = catalogs / "ru" / "LC_MESSAGES" / "django.po"
    catalog = polib.pofile(str(path))
    catalog.append(polib.POEntry(msgid="<b>Roll</b> %(dice)s", msgstr="Бросок %(dice)s"))
    catalog.append(polib.POEntry(msgid="%(n)s left", msgstr="%(m)s осталось"))
    catalog.append(polib.POEntry(msgid="Take", msgstr=""))
    catalog.append(polib.POEntry(msgid="Drop", msgstr="Сдать", flags=["fuzzy"]))
    catalog.append(polib.POEntry(msgid="Roll", msgstr="Бросить "))
    catalog.append(polib.POEntry(msgid="The game “x”", msgstr="Игра “x”"))
    catalog.append(polib.POEntry(msgid="The game’s end", msgstr="Конец's игры"))
    catalog.append(polib.POEntry(msgid='<b class="x">Yes</b>', msgstr='<b class="x">Да</b>'))
    catalog.append(polib.POEntry(msgid="Old", msgstr="Старое", obsolete=True))
    catalog.append(
        polib.POEntry(msgid="%(n)s pip", msgid_plural="%(n)s pips", msgstr_plural={0: "%(n)s пип"})
    )
    catalog.save()
    found = "\n".join(problems("ru", path))
    for words in (
        "other tags",
        "other placeholders",
        '"Take": is not translated',
        "fuzzy",
        "other spaces",
        "not used any more",
        '"The game “x”": foreign quotation marks',
        '"The game’s end": foreign quotation marks',
        '"%(n)s pip": is not translated',
    ):
        assert words in found
    assert 'class="x"' not in found


def test_i18n_status_ends_with_status_1_if_a_text_is_missing(catalogs):
    for language in PLURALS:
        folder = catalogs / language / "LC_MESSAGES"
        shutil.copy(folder / "django.po", folder / "djangojs.po")
    call_command("i18n_status", stdout=StringIO())
    path = catalogs / "ru" / "LC_MESSAGES" / "django.po"
    catalog = polib.pofile(str(path))
    catalog.append(polib.POEntry(msgid="Take", msgstr=""))
    catalog.save()
    output = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("i18n_status", stdout=output)
    assert ended.value.code == 1
    assert '"Take": is not translated' in output.getvalue()
    assert output.getvalue().endswith("1 to do.\n")


def test_tidy_copies_the_source_texts_into_the_english_catalog(catalogs):
    path = catalogs / "en" / "LC_MESSAGES" / "django.po"
    catalog = polib.pofile(str(path))
    catalog.append(polib.POEntry(msgid="Roll", msgstr="Ruoll", flags=["fuzzy"]))
    catalog.append(polib.POEntry(msgid="%(n)s pip", msgid_plural="%(n)s pips"))
    catalog.save()
    tidy("en", path)
    assert problems("en", path) == []
    assert polib.pofile(str(path)).find("Roll").msgstr == "Roll"


@pytest.mark.parametrize("language", ["ru", "tr"])
def test_a_text_is_translated_through_the_compiled_catalog(language):
    compile_catalogs()
    trans_real._translations.clear()
    with translation.override(language):
        assert gettext("Short backgammon") != "Short backgammon"
