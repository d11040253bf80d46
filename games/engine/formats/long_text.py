"""Long nardy matches as text, in the manner of `.mat` files.

There is no customary format for long nardy; this one is ours. The layout is described in
`two_columns`, and a file looks like this:

    ; [Site "5Stars Gammon"]
    ; [Player 1 "anna"]
    ; [Player 2 "boris"]
    ; [Variation "Long nardy"]
    ; [Rules "profile=classic head=effect mars=on koks=off cube=on"]

     3 point match

     Game 1
     anna : 0                       boris : 0
     Opening 4-4 5-2
      1) 66: 24/18 24/18              31: 24/21 21/20
      2)  Doubles => 2                 Takes
      3) 41: 24/20 18/17              65: 24/18 18/13
      4) 52:
      5)  Resigns => 1                 Accepts
                                      Wins 2 points

     Game 2
     anna : 0                       boris : 2
     Opening 1-3
      1)                              44: 24/20 24/20 20/16 20/16
      2)  Resigns => 2                 Accepts
                                      Wins 2 points and the match

- White is the left column. Every side counts its own points 24 to 1, its head being 24; 0 is
  off. Moves stand in the order made, one for each die.
- `Opening` lists the throws for the right to begin, White's die first, ties included; the winner
  then rolls again.
- A roll without moves is a pass if no move is legal. Otherwise the match was cut short, or an offer
  to resign followed; if the offer was refused, the roll appears again with its moves.
- `Doubles => 4` and `Beavers => 8` (the cube's value after a take), `Takes`, `Drops`;
  `Resigns => 2` (times the cube), `Accepts`, `Refuses`.
- A game ends with `Wins 2 points` in the winner's column, `and the match` after the last; a drawn
  game with `Draws 1 point`. A match cut short has the tag `Termination`, e.g. `flag black`.
- The tag `Rules` holds all rules but the variant and the match length.

Times and the dice proof are left out.
"""

from collections.abc import Mapping
from typing import Any

from games.engine.formats.dialect import LONG_TEXT
from games.engine.formats.reader import read_match
from games.engine.formats.two_columns import format_text, parse_text
from games.engine.formats.writer import write_match


def dump(export: Mapping[str, Any]) -> str:
    """Return the text of an exported match; raise as `write_match` does."""
    return format_text(write_match(export, LONG_TEXT))


def load(text: str) -> dict[str, Any]:
    """Return the match as an export whose actions fold; raise as `read_match` does.

    All actions are at 0 ms, except a flag: it is at the moment at which the clock runs out.
    """
    return read_match(parse_text(text, LONG_TEXT.code), LONG_TEXT)
