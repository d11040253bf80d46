"""Short matches as `.mat` files, the text that Jellyfish began and nearly every program reads.

`dump` writes what GNU Backgammon's importer accepts; `load` reads that back, and files of other
programs as far as their games follow our rules. The layout is told in `sheet`. Beside the usual
tags a `Rules` tag keeps the rules of the match, and `Termination` how it was cut short
(`flag black`, `void outage`).

What the format cannot hold: times and the dice proof, opening ties, refused resignations,
automatic doubles (refused), and under parity the turn after the bear-off, so that the points of
a game may differ there from what another program would count. A resignation is its `Wins` line;
a roll without moves is one that was not played, or a pass.
"""

from collections.abc import Mapping
from typing import Any

from games.engine.formats.dialect import MAT
from games.engine.formats.reader import read_match
from games.engine.formats.scribe import write_match
from games.engine.formats.sheet import format_text, parse_text


def dump(export: Mapping[str, Any]) -> str:
    """The file of an exported match. Raises `InvalidAction` or `IllegalAction`."""
    return format_text(write_match(export, MAT))


def load(text: str) -> dict[str, Any]:
    """The match as an export whose actions fold; times are 0. Raises `InvalidAction`."""
    return read_match(parse_text(text, MAT.code), MAT)
