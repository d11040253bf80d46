"""Play tournaments with random results, through the formats alone."""

import random
from collections.abc import Iterator
from typing import Any

from tournaments.draw import DrawStream
from tournaments.exports.draw_file import draw_file
from tournaments.formats import FORMATS, Played, PlayedRound, Round

ID = "AbCdEf123456"


def secrets_of(seed: str) -> Iterator[bytes]:
    rng = random.Random(seed)
    while True:
        yield rng.randbytes(32)


def stream_of(secret: bytes, round_number: int) -> DrawStream:
    return DrawStream(secret, ID, round_number)


def results_of(pairing_round: Round, rng: random.Random, *, absent: float = 0.0) -> PlayedRound:
    """Return random results; with the probability `absent` neither player of a pair comes."""
    played = []
    for pairing in pairing_round:
        first, second = pairing.first, pairing.second
        if second is None:
            played.append(Played(first, None, first, (0, 0), walkover=True))
        elif rng.random() < absent:
            played.append(Played(first, second, None, (0, 0), walkover=True))
        else:
            winner = rng.choice((first, second))
            points = (5, rng.randrange(5))
            played.append(
                Played(first, second, winner, points if winner == first else points[::-1])
            )
    return tuple(played)


def play_out(
    kind: str, size: int, secret: bytes, rng: random.Random, *, absent: float = 0.0
) -> list[PlayedRound]:
    rules, entrants = FORMATS[kind], range(1, size + 1)
    rounds: list[PlayedRound] = []
    drawn: Round | None = rules.first_round(entrants, stream_of(secret, 1))
    while drawn is not None:
        rounds.append(results_of(drawn, rng, absent=absent))
        drawn = rules.next_round(entrants, rounds, stream_of(secret, len(rounds) + 1))
    return rounds


def file_of(kind: str, size: int, secret: bytes, rounds: list[PlayedRound]) -> dict[str, Any]:
    return draw_file(
        tournament_id=ID,
        kind=kind,
        secret=secret,
        entrants=[f"player{number}" for number in range(1, size + 1)],
        rounds=rounds,
    )
