"""Compare our review of short matches with GNU Backgammon's analysis of the same files.

    python -m tests.bench.ai_review [--matches 20] [--length 3] [--seed 1] [--net FILE]
                                    [--plies 1|2] [--judge 2] [--kept FILE]

Play the matches (see `review_matches`), judge every action at `--plies` as the site's review does,
let GNU Backgammon analyze their .mat files at `--judge` plies, and print for each side the two
error rates, then the correlation and the means of both; then the same for plays, for the cube and
for luck alone.
`--kept` stores the matches and GNU Backgammon's answers in a file, or reads them if it exists.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import correlation, fmean
from typing import Any

from games.ai.judge import judgments
from games.ai.net.player import NetPlayer
from games.engine.formats import mat
from games.engine.formats.json_export import to_export
from games.engine.match.action_codec import action_from_dict, action_to_dict
from games.engine.match.actions import Action
from games.engine.match.apply import apply, new_match
from games.engine.match.state import MatchState
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.reviews import totals
from tests.bench.review_matches import STRENGTHS, play
from tests.games.oracle import gnubg

SEATS = {"white": {"name": "White"}, "black": {"name": "Black"}}


def states_of(rules: Rules, log: list[Action]) -> list[MatchState]:
    """Return the state before each action, and the state after the last."""
    states = [new_match(rules)]
    for action in log:
        states.append(apply(states[-1], action))
    return states


def review(rules: Rules, log: list[Action], player: NetPlayer, plies: int) -> totals.Totals:
    states = states_of(rules, log)
    judged = [
        (at, judgments.judge(state, action, player, plies))
        for at, (state, action) in enumerate(zip(states, log, strict=False))
    ]
    outcome = states[-1].outcome
    assert outcome is not None
    won = float(outcome.winner is Side.WHITE)
    return totals.totals_of([(at, each) for at, each in judged if each], won, rules.length)


def export_of(rules: Rules, log: list[Action], number: int) -> str:
    return mat.dump(
        to_export(
            match_id=f"review{number}",
            rules=rules,
            seats=SEATS,
            created_at="2026-01-01T00:00:00+00:00",
            actions=log,
        )
    )


@dataclass(frozen=True)
class Rates:
    """Numbers of decisions and losses of one side in a match, in plays and with the cube."""

    plays: int
    loss_of_plays: float
    cubes: int
    loss_of_cubes: float
    luck: float

    @property
    def pr(self) -> float:
        return 500 * (self.loss_of_plays + self.loss_of_cubes) / (self.plays + self.cubes)


def ours(side: totals.SideTotals) -> Rates:
    return Rates(side.plays, side.loss_of_plays, side.cubes, side.loss_of_cubes, side.luck)


def theirs(stats: dict[str, Any]) -> Rates:
    moves, cube = stats["moves"], stats["cube"]
    # `error-skill` of the cube is already a rate: add up its parts instead.
    lost = sum(cube[name] for name in cube if name[:4] == "err-" and name[-6:] == "-skill")
    return Rates(
        moves["unforced-moves"],
        moves["error-skill"],
        cube["close-cube"],
        lost,
        stats["dice"]["luck"],
    )


def compare(title: str, pairs: Iterable[tuple[float, float]]) -> None:
    mine, other = zip(*pairs, strict=True)
    print(
        f"{title}: correlation {correlation(mine, other):.3f}, ours {fmean(mine):.2f}, "
        f"theirs {fmean(other):.2f}"
    )


def analyzed(texts: list[str], plies: int) -> list[dict[str, Any]]:
    """Return GNU Backgammon's statistics of each match."""
    requests = [{"op": "analyse", "text": text, "plies": plies} for text in texts]
    answers = gnubg.ask(requests, timeout_s=3600)
    for answer in answers:
        if "error" in answer:
            raise gnubg.GnubgError(answer["error"])
    return [answer["match"]["stats"] for answer in answers]


def load(path: Path) -> tuple[list[list[Action]], list[dict[str, Any]]]:
    kept = json.loads(path.read_text())
    return [[action_from_dict(each) for each in log] for log in kept["logs"]], kept["stats"]


def save(path: Path, logs: list[list[Action]], stats: list[dict[str, Any]]) -> None:
    texts = [[action_to_dict(action) for action in log] for log in logs]
    path.write_text(json.dumps({"logs": texts, "stats": stats}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--length", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--net", type=Path)
    parser.add_argument("--plies", type=int, default=1)
    parser.add_argument("--judge", type=int, default=2)
    parser.add_argument("--kept", type=Path)
    options = parser.parse_args()
    rules, player = Rules.of("short", length=options.length), NetPlayer(Variant.SHORT, options.net)
    if options.kept and options.kept.exists():
        logs, stats = load(options.kept)
    else:
        logs = [
            play(rules, player, STRENGTHS[seed % 5], STRENGTHS[seed // 4 % 5], seed)
            for seed in range(options.seed, options.seed + options.matches)
        ]
        texts = [export_of(rules, log, number) for number, log in enumerate(logs)]
        stats = analyzed(texts, options.judge)
        if options.kept:
            save(options.kept, logs, stats)
    begun = time.process_time()
    found = [review(rules, log, player, options.plies) for log in logs]
    spent = (time.process_time() - begun) / len(logs)
    print(f"net after {player.header.games:,} games, {spent:.1f} s a match")
    pairs: list[tuple[Rates, Rates]] = []
    print("match side   PR ours theirs   plays   cube   luck ours theirs")
    for number, (total, answer) in enumerate(zip(found, stats, strict=True)):
        for side, name in (("white", "X"), ("black", "O")):
            mine, other = ours(total.of(side)), theirs(answer[name])
            pairs.append((mine, other))
            print(
                f"{number:5} {side}  {mine.pr:7.2f} {other.pr:6.2f}  {mine.plays:3}/{other.plays:3}"
                f" {mine.cubes:3}/{other.cubes:3}   {mine.luck:7.2f} {other.luck:6.2f}"
            )
    views: dict[str, Callable[[Rates], float]] = {
        "PR": lambda rates: rates.pr,
        "loss of a play, thousandths": lambda rates: 1000 * rates.loss_of_plays / rates.plays,
        "lost with the cube": lambda rates: rates.loss_of_cubes,
        "luck": lambda rates: rates.luck,
    }
    for title, view in views.items():
        compare(title, ((view(mine), view(other)) for mine, other in pairs))


if __name__ == "__main__":
    main()
