"""Playback and report of a match for its pages; those of a finished match are stored forms.

The log of a running match, whose playback only the players see, is folded for each page.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from games.archive import store
from games.models import Match, Review
from games.reviews.comments import comments_of
from games.reviews.playback import Playback, Step, StepAddress, play_back
from games.reviews.report import Finding, ReviewReport, error_of, report_of
from games.reviews.totals import ChartPoint, SideTotals, Totals

# Names of stored forms. Two more are made for each game: for game 3, `game-3` has its steps and
# `review-3` the findings in it.
ADDRESSES, REVIEW, COMMENTS = "addresses", "review", "comments"


@dataclass(frozen=True, slots=True)
class GameReport:
    """The findings of a review in one game, beside the totals and lists of the whole match.

    `steps` are the game's findings by the index of their step. `totals.points`, the points of the
    chart, are those of the game only.
    """

    totals: Totals
    errors: list[StepAddress]
    lucky: list[Finding]
    worst: list[Finding]
    steps: dict[int, Finding]

    def rows(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows of the move list (`playback.rows_of`) with their errors and luck."""
        by_seq = {each.seq: each for each in self.steps.values()}
        return [
            row | self._row([by_seq[seq] for seq in row["seqs"] if seq in by_seq]) for row in rows
        ]

    def _row(self, found: list[Finding]) -> dict[str, Any]:
        return {
            "errors": [each for each in found if each.grade],
            "luck": next((each.luck for each in found if each.luck is not None), None),
        }


def steps_of(match: Match, number: int, slot: store.Slot) -> list[Step]:
    """Return the steps of a game of the match; a fold happens inside `slot()`."""
    if not match.is_finished:
        with slot():
            return play_back(match).games[number]
    name = f"game-{number}"
    stored = store.obtain(match, [name], lambda missing: _of_playback(play_back(match)), slot)
    steps: list[Step] = json.loads(stored[name])
    return steps


def game_report_of(match: Match, number: int, slot: store.Slot) -> GameReport:
    """Return the report of a reviewed match for the page of one game."""
    name = f"review-{number}"

    def make(missing: Collection[str]) -> store.Forms:
        return of_review(match, Review.objects.get(match=match))

    stored = store.obtain(match, [REVIEW, name], make, slot)
    return _read(json.loads(stored[REVIEW]), json.loads(stored[name]))


def of_review(match: Match, review: Review) -> store.Forms:
    """Return the forms of a finished review: for the match, for each game, and for text files."""
    stored = store.find(match, [ADDRESSES])
    made: store.Forms = {}
    if not stored:
        stored = made = _of_playback(play_back(match))
    addresses = {seq: StepAddress(game, at) for seq, game, at in json.loads(stored[ADDRESSES])}
    report = report_of(match, review, addresses)
    numbers = range(1, max(1, match.state.game) + 1)
    games = {f"review-{number}": _dumps(_of_game(report, number)) for number in numbers}
    comments = "\n".join(comments_of(review, report))
    return made | games | {REVIEW: _dumps(_of_match(report)), COMMENTS: comments}


def _of_playback(playback: Playback) -> store.Forms:
    games = {f"game-{number}": _dumps(steps) for number, steps in playback.games.items()}
    addresses = [[seq, each.game, each.at] for seq, each in playback.addresses.items()]
    return games | {ADDRESSES: _dumps(addresses)}


def _of_match(report: ReviewReport) -> dict[str, Any]:
    totals = report.totals
    return {
        "white": asdict(totals.white),
        "black": asdict(totals.black),
        "adjusted": totals.adjusted,
        "errors": [[each.address.game, each.address.at] for each in report.errors],
        "lucky": [_of_finding(each) for each in report.lucky],
        "worst": [_of_finding(each) for each in report.worst],
    }


def _of_game(report: ReviewReport, number: int) -> dict[str, Any]:
    found = {seq: each for seq, each in report.found.items() if each.address.game == number}
    return {
        "steps": [_of_finding(each) for each in found.values()],
        "points": [
            [each.at, each.win, each.worth] for each in report.totals.points if each.at in found
        ],
    }


def _of_finding(finding: Finding) -> list[Any]:
    return [finding.seq, finding.address.game, finding.address.at, finding.judgment]


def _finding(stored: list[Any]) -> Finding:
    seq, game, at, judgment = stored
    return Finding(seq, StepAddress(game, at), judgment, error_of(judgment))


def _read(of_match: Mapping[str, Any], of_game: Mapping[str, Any]) -> GameReport:
    totals = Totals(
        SideTotals(**of_match["white"]),
        SideTotals(**of_match["black"]),
        of_match["adjusted"],
        [ChartPoint(*point) for point in of_game["points"]],
    )
    found = [_finding(each) for each in of_game["steps"]]
    return GameReport(
        totals,
        [StepAddress(*address) for address in of_match["errors"]],
        [_finding(each) for each in of_match["lucky"]],
        [_finding(each) for each in of_match["worst"]],
        {each.address.at: each for each in found},
    )


def _dumps(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
