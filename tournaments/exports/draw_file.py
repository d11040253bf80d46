"""The file of a draw and its check: every round follows from secret, entrants and results.

The file is described in tournaments/README.md, "The draw".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.draw import MOST_OF_ID, SECRET_BYTES, DrawStream, commitment
from tournaments.formats import FORMATS, Pairing, Played, PlayedRound, Round
from tournaments.formats.values import entrants_in

FORMAT = "5sg-draw1"


class BadDrawFile(Exception):
    """The file is not that of a draw; the text names the fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of the draw, as a sentence for a terminal."""

    text: str


@dataclass(frozen=True, slots=True)
class DrawCheck:
    """The result of a check; `rounds` is the number of rounds in the file.

    `is_over`: every round is played, and none can follow. Otherwise the file does not tell whether
    the tournament is over: staff may have voided it, and a Swiss one ends early if too few stay.
    """

    rounds: int
    is_over: bool
    faults: tuple[Fault, ...]


def draw_file(
    *,
    tournament_id: str,
    kind: str,
    secret: bytes,
    entrants: Sequence[str],
    rounds: Sequence[PlayedRound],
) -> dict[str, Any]:
    """Return the file's object; numbers of entrants in `rounds` count from 1."""
    return {
        "format": FORMAT,
        "id": tournament_id,
        "kind": kind,
        "commitment": commitment(secret),
        "secret": secret.hex(),
        "entrants": list(entrants),
        "rounds": [
            [
                {
                    "first": played.first,
                    "second": played.second,
                    "winner": played.winner,
                    "points": list(played.points),
                    "walkover": played.walkover,
                }
                for played in played_round
            ]
            for played_round in rounds
        ],
    }


def check_draw(data: Any) -> DrawCheck:
    """Draw every round again; raise `BadDrawFile` if the data is not a draw file."""
    secret, rounds = _read(data)
    faults = []
    if commitment(secret) != data["commitment"]:
        faults.append(Fault("the secret is not the one that was committed to"))
    entrants = range(1, len(data["entrants"]) + 1)
    drawn: Round | None = None
    for number in range(1, len(rounds) + 2):
        stream = DrawStream(secret, data["id"], number)
        drawn = _drawn(data["kind"], entrants, rounds, number, stream)
        if number > len(rounds):
            break
        written = tuple(Pairing(played.first, played.second) for played in rounds[number - 1])
        if written != drawn:
            faults.append(Fault(f"round {number}: written {_text(written)}, drawn {_text(drawn)}"))
            break
    is_over = drawn is None and not any(_is_open(played) for played in rounds[-1])
    return DrawCheck(len(rounds), is_over=is_over, faults=tuple(faults))


def _drawn(
    kind: str,
    entrants: Sequence[int],
    rounds: Sequence[PlayedRound],
    number: int,
    stream: DrawStream,
) -> Round | None:
    rules = FORMATS[kind]
    if number == 1:
        return rules.first_round(entrants, stream)
    taking_part = set(entrants)
    if kind == "SWISS" and number <= len(rounds):
        # A Swiss round pairs all who have not withdrawn, and only the round itself shows who they
        # are.
        taking_part = set(entrants_in(rounds[number - 1]))
    return rules.next_round(
        [entrant for entrant in entrants if entrant in taking_part], rounds[: number - 1], stream
    )


def _is_open(played: Played) -> bool:
    """Return whether a pairing is not decided yet."""
    return played.winner is None and not played.walkover


def _text(pairings: Round | None) -> str:
    if pairings is None:
        return "no round"
    return " ".join(
        f"{pairing.first}-{'bye' if pairing.second is None else pairing.second}"
        for pairing in pairings
    )


def _read(data: Any) -> tuple[bytes, list[PlayedRound]]:
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise BadDrawFile(f"its format is not {FORMAT}")
    try:
        secret = bytes.fromhex(data["secret"])
        size = len(data["entrants"])
        is_well_formed = (
            len(secret) == SECRET_BYTES
            and size >= 2
            and data["id"].isascii()
            and len(data["id"]) <= MOST_OF_ID
            and data["kind"] in FORMATS
            and isinstance(data["commitment"], str)
        )
        rounds = [
            tuple(_read_played(played, size) for played in played_round)
            for played_round in data["rounds"]
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadDrawFile(f"it cannot be read: {error!r}") from error
    if not is_well_formed:
        raise BadDrawFile("secret, entrants, id, kind or commitment is out of range")
    if not all(_is_round(played_round) for played_round in rounds):
        raise BadDrawFile("a round is empty, has an entrant twice, or a winner outside the pairing")
    return secret, rounds


def _read_played(data: Mapping[str, Any], size: int) -> Played:
    first, second, winner = data["first"], data["second"], data["winner"]
    own, other = data["points"]
    for entrant in (first, second, winner):
        if entrant is not None and (type(entrant) is not int or not 1 <= entrant <= size):
            raise ValueError(f"no entrant {entrant!r}")
    if first is None or type(own) is not int or type(other) is not int:
        raise ValueError("a pairing needs a first entrant and whole points")
    return Played(first, second, winner, (own, other), bool(data["walkover"]))


def _is_round(played_round: PlayedRound) -> bool:
    inside = entrants_in(played_round)
    return (
        bool(inside)
        and len(set(inside)) == len(inside)
        and all(played.winner in (None, played.first, played.second) for played in played_round)
    )
