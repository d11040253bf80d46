"""The pseudo-locale keeps placeholders, tags and entities, and makes the rest of a text longer."""

from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from config.i18n.pseudo_locale import pseudo
from config.i18n.translations import DOMAINS, problems


@pytest.mark.parametrize("text", ["Take", "Play now", "Sign in to play for credits", "x " * 60])
def test_pseudo_text_is_a_third_longer_and_in_brackets(text: str) -> None:
    shown = pseudo(text)
    assert (shown.strip()[0], shown.strip()[-1]) == ("[", "]")
    assert len(shown) >= 1.3 * len(text.strip())
    assert shown[-1:].isspace() == text[-1:].isspace()


def test_placeholders_tags_entities_and_lines_stay() -> None:
    text = 'Your <a href="{url}">match</a>,\n%(name)s &amp; {player}: %s'
    for kept in ('<a href="{url}">', "</a>", "\n", "%(name)s", "&amp;", "{player}", "%s"):
        assert kept in pseudo(text)


def test_empty_text_stays_empty() -> None:
    assert pseudo("") == ""
    assert pseudo("  ") == "  "


def test_the_command_writes_whole_catalogs_into_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pseudo"
    call_command("pseudolocale", str(folder))
    for domain in DOMAINS:
        path = folder / "en" / "LC_MESSAGES" / f"{domain}.po"
        assert problems("en", path) == []
        words = [each for each in polib.pofile(str(path)) if each.msgctxt != "date format"]
        assert all(each.msgid != each.msgstr for each in words if each.msgstr)
        assert path.with_suffix(".mo").exists()
    russian = Path("ru", "LC_MESSAGES", "django.po")
    assert (folder / russian).read_bytes() == (settings.LOCALE_DIR / russian).read_bytes()
    with pytest.raises(CommandError, match="exists already"):
        call_command("pseudolocale", str(folder))
