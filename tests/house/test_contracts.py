"""The table of rooms in CONTRIBUTING.md matches the import contracts of pyproject.toml."""

import re
import tomllib

import pytest

from tests.house.prose import ROOT

Layers = list[set[str]]


def contract_layers(package: str) -> Layers:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = [
        contract["layers"]
        for contract in contracts
        if contract.get("containers") == [package.replace("/", ".")]
    ]
    return [{name.strip() for name in layer.split("|")} for layer in layers]


def written_layers(package: str) -> Layers:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    (row,) = re.findall(rf"^\| `{package}` \| (.*→.*) \|$", text, re.MULTILINE)
    return [set(re.findall(r"`(\w+)`", layer)) for layer in row.split("→")]


@pytest.mark.parametrize(
    "package", ["games", "games/engine", "games/ai", "accounts", "tournaments"]
)
def test_the_table_of_rooms_follows_the_contract(package: str) -> None:
    # The table leaves out the top layers, which are not rooms but modules, such as `urls` and
    # `__main__`.
    written = written_layers(package)
    assert written == contract_layers(package)[-len(written) :]
    assert len(written) >= 6
