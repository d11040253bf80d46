"""Words of the evidence on the page of a case."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Match
from games.templatetags.games import variant_name
from stats.integrity import resigning, strength, timing
from stats.integrity.one_way import THRESHOLD
from stats.models import Evidence
from wallet.templatetags.credits import credits

Kind = Evidence.Kind

LABELS: dict[str, str | Promise] = {
    "device": _("Same device"),
    "network": _("Same network"),
    "played": _("Matches for credits"),
    "won": _("Won by the one who gains"),
    "credits": _("Net credits gained"),
    "given_up": _("Given up"),
    "lost": _("Lost to the opponent"),
    "early": format_lazy(
        _("Given up early (within {rolls} rolls of their own)"), rolls=resigning.EARLY_ROLLS
    ),
    "variant": _("Game"),
    "stake_rate": _("Error rate (PR) for credits"),
    "other_rate": _("Error rate (PR) in other matches"),
    "stake_decisions": _("Decisions for credits"),
    "other_decisions": _("Decisions in other matches"),
    "plays": _("Plays measured"),
    "median_s": _("Half of the plays took less than (s)"),
    "spread_percent": _("Spread of the times around the mean (%)"),
}
# Innocent explanations of each kind of evidence: staff read them beside the figures.
DOUBTS: dict[str, str | Promise] = {
    Kind.TOGETHER: _("A family or a club can share a device, and many people share a network."),
    Kind.FLOW: format_lazy(
        _(
            "Marked at {matches} matches or more, with at least {percent}% won and {credits}"
            " credits gained. A stronger player can win most matches honestly."
        ),
        matches=THRESHOLD.matches,
        percent=THRESHOLD.percent,
        credits=THRESHOLD.credits,
    ),
    Kind.RESIGNING: format_lazy(
        _(
            # xgettext:no-python-format
            "Marked at {early} early ends or more, if they are at least {percent}% of the losses."
            " A bad connection or a bad temper can look the same."
        ),
        early=resigning.LEAST_EARLY,
        percent=resigning.LEAST_PERCENT,
    ),
    Kind.STRENGTH: format_lazy(
        _(
            # xgettext:no-python-format
            "Marked at {decisions} decisions or more of each kind, if the rate for credits is far"
            " below the other: at most {percent}% of it, and several points lower. Members try"
            " harder for credits, and get better."
        ),
        decisions=strength.LEAST_DECISIONS,
        percent=strength.MOST_PERCENT,
    ),
    Kind.TIMING: format_lazy(
        _(
            "Marked at {plays} plays or more in several matches, if the median is under {seconds}"
            " s or the spread under {percent}%. Quick players and automatic settings can look the"
            " same."
        ),
        plays=timing.LEAST_PLAYS,
        seconds=timing.QUICK_S,
        percent=timing.REGULAR_PERCENT,
    ),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of evidence with its words; `matches` are rows that still exist."""

    evidence: Evidence
    people: list[User]
    lines: list[tuple[str, str]]
    doubt: str
    matches: list[Match]

    @property
    def period(self) -> str:
        days = self.evidence.figures["days"]
        return ngettext("%(days)s day before", "%(days)s days before", days) % {"days": days}


def shown(rows: list[Evidence]) -> list[Shown]:
    """Return the evidence with its words, by the same number of queries for any number of rows."""
    people = User.objects.in_bulk({user_id for row in rows for user_id in row.people})
    named = {each for row in rows for each in row.figures["matches"]}
    matches = {row.public_id: row for row in Match.objects.filter(public_id__in=named)}
    return [
        Shown(
            row,
            [people[user_id] for user_id in row.people],
            list(_lines(row.figures)),
            str(DOUBTS[row.kind]),
            [matches[each] for each in row.figures["matches"] if each in matches],
        )
        for row in rows
    ]


def _lines(figures: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, label in LABELS.items():
        if name in figures:
            yield str(label), _value(name, figures)


def _value(name: str, figures: dict[str, Any]) -> str:
    value = figures[name]
    if value is None:
        return "–"
    if isinstance(value, bool):
        return pgettext("evidence", "yes") if value else pgettext("evidence", "no")
    if name == "variant":
        return variant_name(value)
    if name == "won":
        share = {"percent": figures["won_percent"]}
        return f"{value} ({gettext('%(percent)s%%') % share})"
    return credits(value) if name == "credits" else str(value)
