"""The layout of a match text: two columns of moves, a form that Jellyfish introduced.

White is the left column. After the tags (`; [Name "value"]`) and ` 7 point match` (0 = money
session) every game has ` Game 1`, a line with both names and the score before the game, for long
nardy ` Opening 3-3 5-2` (the opening throws, White's die first), numbered rows, and at its end an
unnumbered line with `Wins 2 points` in the winner's column.

    Game 1
     White : 0                      Black : 2
      1) 31: 8/5 6/5                 64: 24/18 13/9
      2)  Doubles => 2                Takes
      3) 66: 25/19                   ...

This module places and finds the cells; `writer` and `reader` interpret them. A row is split into
columns as GNU Backgammon's importer does it: before the second roll if the row has two, else at
the first double space after the fifteenth character.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from games.engine.errors import InvalidAction
from games.engine.sides import Pair, Side

MAX_LINES = 100_000
_NO_SCORE = Pair(-1, -1)  # until the line with the names and the score is read
_CELL_WIDTH = 27  # characters
_NUMBER_WIDTH = 5  # characters
_SPLIT_FROM = 15  # index of the first character at which a row may be split
_TAG = re.compile(r'; \[([A-Za-z][A-Za-z0-9 ]*) "([^"]*)"\]')
_LENGTH = re.compile(r"([0-9]{1,4}) point match", re.IGNORECASE)
_GAME = re.compile(r"Game ([0-9]{1,4})", re.IGNORECASE)
_NAMES = re.compile(r"(.+?) *: *([0-9]{1,6}) +(\S.*?) *: *([0-9]{1,6})")
_OPENING = re.compile(r"Opening((?: [1-6]-[1-6])+)")
_ROLL = re.compile(r"(?<!\d)[1-6][1-6]:")
_ROW_NUMBER = re.compile(r" *[0-9]+\)")
_WINS = re.compile(r"Wins [0-9]+ points?\b.*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """One side's entry in a row; `line` is its line number in the file, for error messages."""

    side: Side
    text: str
    line: int = 0

    @property
    def is_result(self) -> bool:
        return bool(_WINS.fullmatch(self.text))


@dataclass(slots=True)
class GameText:
    """One game; `score` is the score before it; `openings` are filled in long nardy only."""

    number: int
    score: Pair[int]
    openings: list[tuple[int, int]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    line: int = 0


@dataclass(slots=True)
class MatchText:
    """A whole file; `length` None = money session; `names` = (white, black)."""

    tags: dict[str, str]
    length: int | None
    names: tuple[str, str]
    games: list[GameText] = field(default_factory=list)


class WrittenGame(NamedTuple):
    """A game as the lines of a file; `score` is the score before it."""

    number: int
    score: Sequence[int]
    lines: list[str]


class UnreadableText(InvalidAction):
    """A text that cannot be read as a match; the message names the line."""

    def __init__(self, code: str, line: int, message: str) -> None:
        super().__init__(code, f"line {line}: {message}")
        self.line = line


# --- writing -----------------------------------------------------------------------------------


def format_text(text: MatchText) -> str:
    """Return the file, ending in a line feed."""
    return assemble(text.tags, text.length, text.names, map(written, text.games))


def written(game: GameText) -> WrittenGame:
    """Return the lines of a game, except the line with both names, since names may change."""
    openings = [" Opening " + " ".join(f"{w}-{b}" for w, b in game.openings)]
    return WrittenGame(
        game.number, game.score, (openings if game.openings else []) + _rows(game.cells)
    )


def assemble(
    tags: Mapping[str, str],
    length: int | None,
    names: tuple[str, str],
    games: Iterable[WrittenGame],
) -> str:
    """Return the file of written games, ending in a line feed."""
    lines = [f'; [{name} "{value}"]' for name, value in tags.items()]
    lines += ["", f" {length or 0} point match"]
    for game in games:
        left, right = (f"{name} : {score}" for name, score in zip(names, game.score, strict=True))
        lines += ["", f" Game {game.number}", f" {left:<30} {right}", *game.lines]
    return "\n".join(lines) + "\n"


def _rows(cells: list[Cell]) -> list[str]:
    lines: list[str] = []
    numbered, left = 0, ""
    is_open = False  # True while the last row has room on the right
    for cell in cells:
        if cell.is_result:
            indent = _NUMBER_WIDTH + (cell.side is Side.BLACK) * (_CELL_WIDTH + 1)
            lines.append(" " * (indent + 1) + cell.text)
            is_open = False
        elif cell.side is Side.WHITE:
            numbered, left, is_open = numbered + 1, cell.text, True
            lines.append(_row(numbered, left))
        elif is_open:
            lines[-1], is_open = _row(numbered, left, cell.text), False
        else:
            numbered += 1
            lines.append(_row(numbered, "", cell.text))
    return lines


def _row(number: int, left: str, right: str = "") -> str:
    """Return the row, with at least two spaces between the columns.

    An empty right column is filled with spaces: GNU Backgammon 1.07 reads the right column of
    the previous row again when a row without a roll ends before the sixteenth character.
    """
    head = f"{number:3d}) {_padded(left)}"
    head = f"{head:<{_NUMBER_WIDTH + _CELL_WIDTH}}  "
    return head + _padded(right) if right else head


def _padded(text: str) -> str:
    """Indent cells without a roll by one space, as other programs do."""
    return text if _ROLL.match(text) else f" {text}"


# --- reading -----------------------------------------------------------------------------------


def parse_text(text: str, code: str) -> MatchText:
    """Find games and cells; raise `UnreadableText` with the code and the line."""
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MAX_LINES:
        raise UnreadableText(code, MAX_LINES, "the file is too long")
    parsed: MatchText | None = None
    tags: dict[str, str] = {}
    for number, raw in enumerate(lines, start=1):
        line = raw.replace("\t", " ").rstrip()
        if not line:
            continue
        if line.startswith((";", "#")):
            tag = _TAG.fullmatch(line)
            if tag and parsed is None:
                tags[tag[1]] = tag[2]
        elif parsed is None:
            names = tags.get("Player 1", ""), tags.get("Player 2", "")
            parsed = MatchText(tags, _read_length(line.strip(), number, code), names)
        else:
            _read_line(parsed, line, number, code)
    if parsed is None:
        raise UnreadableText(code, len(lines), "no '<n> point match' line")
    return parsed


def _read_length(line: str, number: int, code: str) -> int | None:
    match = _LENGTH.fullmatch(line)
    if match is None:
        raise UnreadableText(code, number, "expected '<n> point match'")
    return int(match[1]) or None


def _read_line(text: MatchText, line: str, number: int, code: str) -> None:
    start = _GAME.fullmatch(line.strip())
    if start:
        text.games.append(GameText(int(start[1]), _NO_SCORE, line=number))
        return
    if not text.games:
        raise UnreadableText(code, number, "expected 'Game <n>'")
    game = text.games[-1]
    if game.score is _NO_SCORE:
        _read_names(text, game, line.strip(), number, code)
        return
    opening = _OPENING.fullmatch(line.strip())
    if opening and not game.cells:
        pairs = [throw.split("-") for throw in opening[1].split()]
        game.openings = [(int(white), int(black)) for white, black in pairs]
    else:
        game.cells += _read_row(line, number)


def _read_names(text: MatchText, game: GameText, line: str, number: int, code: str) -> None:
    match = _NAMES.fullmatch(line)
    if match is None:
        raise UnreadableText(code, number, "expected '<name> : <score>' twice")
    text.names = (match[1], match[3])
    game.score = Pair(int(match[2]), int(match[4]))


def _read_row(line: str, number: int) -> list[Cell]:
    left, right = _columns(line)
    label = _ROW_NUMBER.match(left)
    left = left[label.end() :] if label else left
    both = ((Side.WHITE, left.strip()), (Side.BLACK, right.strip()))
    return [Cell(side, text, number) for side, text in both if text]


def _columns(line: str) -> tuple[str, str]:
    rolls = [match.start() for match in _ROLL.finditer(line)]
    split = rolls[1] if len(rolls) > 1 else line.find("  ", _SPLIT_FROM)
    return (line, "") if split < 0 else (line[:split], line[split:])
