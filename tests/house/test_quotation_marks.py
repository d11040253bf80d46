"""Quotation marks that people read stand in translated texts, since each language has its own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.support.apps import APPS

MARKS = re.compile("[“”„«»]")
ROOT = Path(settings.BASE_DIR)
NAMES_THE_MARKS = ROOT / "config" / "i18n" / "translations.py"  # checks the marks of the catalogs
# Translated texts and comments, where the marks are allowed.
ALLOWED_IN_TEMPLATES = re.compile(
    r"\{% blocktrans.*?\{% endblocktrans %\}|\{% trans .*?%\}|\{#.*?#\}|_\([\"'].*?[\"']\)",
    re.DOTALL,
)
ALLOWED_IN_SCRIPTS = re.compile(
    r"/\*.*?\*/|//[^\n]*|\bn?p?gettext\((?:[^()]|\([^()]*\))*\)", re.DOTALL
)
GETTEXT = re.compile(r"_|n?p?gettext(_lazy)?")


def templates() -> list[Path]:
    found = [path for end in ("html", "txt") for path in (ROOT / "templates").rglob(f"*.{end}")]
    return sorted(found)


def bare_in_template(text: str) -> list[str]:
    return [line for line in ALLOWED_IN_TEMPLATES.sub("", text).splitlines() if MARKS.search(line)]


def bare_in_script(text: str) -> list[str]:
    return [line for line in ALLOWED_IN_SCRIPTS.sub("", text).splitlines() if MARKS.search(line)]


def bare_in_python(text: str) -> list[str]:
    """Return the texts with marks outside calls of gettext; docstrings do not count."""
    return [one for one in _texts(ast.parse(text)) if MARKS.search(one)]


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and GETTEXT.fullmatch(_name(node.func)):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from _texts(child)


def _name(function: ast.expr) -> str:
    return getattr(function, "id", getattr(function, "attr", ""))


def test_templates_translate_their_quotation_marks() -> None:
    found = {str(path): bare_in_template(path.read_text()) for path in templates()}
    assert len(found) > 100
    assert not {path: lines for path, lines in found.items() if lines}


def test_scripts_translate_their_quotation_marks() -> None:
    paths = sorted((ROOT / "static" / "js").rglob("*.js"))
    found = {str(path): bare_in_script(path.read_text()) for path in paths}
    assert len(found) > 50
    assert not {path: lines for path, lines in found.items() if lines}


def test_python_translates_its_quotation_marks() -> None:
    paths = sorted(path for app in APPS for path in (ROOT / app).rglob("*.py"))
    paths.remove(NAMES_THE_MARKS)
    found = {str(path): bare_in_python(path.read_text()) for path in paths}
    assert len(found) > 300
    assert not {path: lines for path, lines in found.items() if lines}


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (bare_in_template, "<em>“{{ reason }}”</em>"),
        (bare_in_template, '{% trans "Reason" %}: «{{ reason }}»'),
        (bare_in_script, 'show(`“${reason}”`, gettext("Reason"));'),
        (bare_in_python, 'text = f"“{reason}”"'),
        (bare_in_python, 'text = _("Reason") + "«"'),
    ],
)
def test_bare_marks_are_found(check, text: str) -> None:
    assert check(text)


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (bare_in_template, "{% blocktrans %}“{{ reason }}”{% endblocktrans %}"),
        (bare_in_script, 'show(gettext("The “Check the dice” button")); // “so”'),
        (bare_in_python, '"""A “docstring”."""\ntext = gettext("“%(reason)s”") % {}'),
    ],
)
def test_translated_marks_are_not_reported(check, text: str) -> None:
    assert not check(text)
