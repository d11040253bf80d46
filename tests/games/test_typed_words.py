"""Each typed command has its own word in each language, which cannot be read as a move."""

import re

import polib
import pytest
from django.conf import settings

LANGUAGES = [code for code, _ in settings.LANGUAGES]


def command_words(language):
    path = settings.LOCALE_PATHS[0] / language / "LC_MESSAGES" / "djangojs.po"
    entries = [entry for entry in polib.pofile(str(path)) if entry.msgctxt == "typed command"]
    return {entry.msgid: entry.msgstr for entry in entries}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_has_its_own_word(language):
    words = command_words(language)
    script = (settings.BASE_DIR / "static/js/table/typed-box.js").read_text()
    assert words.keys() == set(re.findall(r'pgettext\("typed command", "(\w+)"\)', script))
    for word in words.values():
        assert re.fullmatch(r"[^\W\d_]+", word), word
        assert word == word.lower()
    assert len(set(words.values())) == len(words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_the_english_word_of_another_command(language):
    """English words work in every language, where they must not mean another command."""
    words = command_words(language)
    for name, word in words.items():
        assert words.get(word, word) == word or word == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_names_every_word(language):
    path = settings.LOCALE_PATHS[0] / language / "LC_MESSAGES" / "djangojs.po"
    help_text = next(e.msgstr for e in polib.pofile(str(path)) if e.msgid.startswith("Moves: 13/7"))
    for word in command_words(language).values():
        assert re.search(rf"\b{word}\b", help_text), word
