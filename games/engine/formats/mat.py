"""Short backgammon as `.mat` files, a format of Jellyfish that nearly every program reads.

`dump` writes the text that GNU Backgammon's importer accepts; `load` reads that back, and files
of other programs as far as their games follow our rules. The layout is described in `two_columns`.
Besides the usual tags, `Rules` keeps the rules of the match, and `Termination` the way in which it
was cut short (`flag black`, `void outage`).

The format cannot hold times, the dice proof, opening ties or refused resignations. A match with
automatic doubles is refused. Under parity the turn after the bear-off is missing, so another
program may count different points for such a game. An accepted resignation appears only as its
`Wins` line; an unanswered one does not appear, but `load` infers it if the side that had to answer
ran out of time. A roll without moves was not played or was a pass.
"""

from collections.abc import Mapping
from typing import Any

from games.engine.formats.dialect import MAT
from games.engine.formats.reader import read_match
from games.engine.formats.two_columns import format_text, parse_text
from games.engine.formats.writer import write_match


def dump(export: Mapping[str, Any]) -> str:
    """Return the file of an exported match; raise as `write_match` does."""
    return format_text(write_match(export, MAT))


def load(text: str) -> dict[str, Any]:
    """Return the match as an export whose actions fold; raise as `read_match` does.

    All actions are at 0 ms, except a flag: it is at the moment at which the clock runs out.
    """
    return read_match(parse_text(text, MAT.code), MAT)
