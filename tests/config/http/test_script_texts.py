"""The translated texts of scripts: in two parts at a table, in Brotli if the browser accepts it."""

import json
import re
import subprocess

import brotli
import pytest

from config.i18n import script_texts
from config.storage import ENTRIES, modules

ASK = "/jsi18n/?language=ru"
BROTLI = {"Accept-Encoding": "gzip, deflate, br"}


def texts(client, more=""):
    body = client.get(f"{ASK}{more}").content.decode()
    found = re.search(r"(?:const texts = |^addTexts\()(\{.*\})\)?;$", body, re.MULTILINE)
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize("of", script_texts.SETS)
def test_a_table_gets_each_text_in_one_of_two_parts(client, of):
    first, rest, whole = (
        texts(client, f"&for={of}"),
        texts(client, f"&for={of}&rest"),
        texts(client),
    )
    assert first
    assert rest
    assert not first.keys() & rest.keys()
    assert (first | rest).items() <= whole.items()
    assert "It is not your turn." in rest
    assert "Press Done to end your turn." in first


def test_each_set_of_texts_names_scripts_of_pages():
    entries = modules().entries
    assert {name for names in script_texts.SETS.values() for name in names} <= set(entries)
    assert "js/table/main.js" in ENTRIES


def test_an_unknown_set_gives_the_same_texts_as_no_set(client):
    assert texts(client, "&for=nothing&rest") == texts(client)


def test_texts_equal_to_those_in_the_script_are_not_sent(client):
    body = client.get("/jsi18n/?language=en").content.decode()
    assert "Press Done" not in body


def test_browsers_that_read_brotli_get_it(client):
    plain, sent = client.get(ASK), client.get(ASK, headers=BROTLI)
    assert sent["Content-Encoding"] == "br"
    assert "Accept-Encoding" in sent["Vary"]
    assert brotli.decompress(sent.content) == plain.content
    assert "Content-Encoding" not in plain


def test_scripts_ask_for_texts_by_the_names_of_gettext(client, tmp_path):
    code = client.get(f"{ASK}&for=table").content.decode()
    asked = """
const say = (...each) => console.log(...each);
addTexts({ Roll: "Бросить", "dice\\x04Roll": "Кости", "%(n)s move": ["ход", "хода", "ходов"] });
say(gettext("Roll"), pgettext("dice", "Roll"), gettext("Unknown"), pgettext("dice", "Unknown"));
say([1, 3, 5, 21].map((n) => ngettext("%(n)s move", "%(n)s moves", n)).join());
say([1, 2].map((n) => ngettext("a day", "days", n)).join());
say(interpolate("%(n)s of %(all)s", { n: 2, all: 3 }, true), interpolate("%s of %s", [2, 3]));
"""
    file = tmp_path / "texts.js"
    file.write_text(code + asked)
    said = subprocess.run(["node", file], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == [
        "Бросить Кости Unknown Unknown",
        "ход,хода,ходов,ход",
        "a day,days",
        "2 of 3 2 of 3",
    ]
