"""Run the examples in the engine's README and docstrings."""

import doctest
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import games.engine

ENGINE = Path(games.engine.__file__).parent
MODULES = [
    module.name
    for module in walk_packages(games.engine.__path__, "games.engine.")
    if not module.name.endswith("__main__")
]


def examples(name: str) -> list[doctest.DocTest]:
    return [test for test in doctest.DocTestFinder().find(import_module(name)) if test.examples]


@pytest.mark.parametrize("name", [name for name in MODULES if examples(name)])
def test_examples_in_docstrings_are_right(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_examples_in_the_readme_are_right() -> None:
    results = doctest.testfile(str(ENGINE / "README.md"), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0


@pytest.mark.parametrize(
    "name", ["legal_plays", "match_play", "turn_graph", "apply", "Rules.of", "win_kind"]
)
def test_main_functions_have_an_example(name: str) -> None:
    documented = {test.name for module in MODULES for test in examples(module)}
    assert any(each.endswith(f".{name}") for each in documented)
