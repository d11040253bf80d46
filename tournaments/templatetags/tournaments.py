"""Results and rounds of tournaments on pages."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from accounts.shared.kept_parts import render_stamped
from accounts.times.zones import zone_key
from games.rulebook.summary import describe
from tournaments.formats import FORMATS
from tournaments.models import Entrant, Fixture, Tournament
from tournaments.pages import texts
from tournaments.pages.record import TournamentRecord, record_of
from tournaments.pages.sheet import Sheet
from tournaments.pages.tables import Mark
from tournaments.timeline_texts import timeline_of

register = template.Library()

# Further values for the templates of some parts; every template gets the sheet and its tournament.
_VALUES_OF_PARTS: dict[str, Callable[[Tournament], dict[str, Any]]] = {
    "happenings": lambda found: {"timeline": timeline_of(found)},
    "rules": lambda found: {
        "rules": texts.rules_of(found),
        "lines": describe(found.match_rules),
    },
}


@register.simple_tag
def tournament_record(person: User, form: Any, since: datetime | None) -> TournamentRecord:
    """Return the member's figures in tournaments since a moment, for the form's variant."""
    return record_of(person.pk, since, form.query.get("variant", ""))


@register.simple_tag
def sheet_part(sheet: Sheet, part: str) -> SafeString:
    """Render `tournaments/sheet/_<part>.html`; the cache keeps it until the tournament changes.

    Every part is kept for each language. The timeline is also kept for each time zone, and the
    table for each entrant, since it marks the viewer's line.
    """
    viewer: object = {"happenings": zone_key(), "table": sheet.own}.get(part)

    def context() -> dict[str, Any]:
        values_of = _VALUES_OF_PARTS.get(part, lambda found: {})
        return {"sheet": sheet, "tournament": sheet.tournament, **values_of(sheet.tournament)}

    about = (sheet.tournament.pk, viewer)
    return render_stamped(f"tournaments/sheet/_{part}.html", about, sheet.stamp, context)


@register.simple_tag
def round_name(to_the_end: int, number: int) -> str:
    """Name a round of a knock-out; `to_the_end` is 1 for the final, 2 for the semifinals."""
    if to_the_end <= 3:
        return (_("Final"), _("Semifinals"), _("Quarterfinals"))[to_the_end - 1]
    return _("Round %(number)d") % {"number": number}


@register.simple_tag
def side_class(fixture: Fixture | None, entrant: Entrant | None) -> str:
    if fixture is None or entrant is None or fixture.finished_at is None:
        return "pairing-side"
    has_won = fixture.winner_id == entrant.pk
    return "pairing-side has-won" if has_won else "pairing-side has-lost"


@register.simple_tag
def side_score(fixture: Fixture, entrant: Entrant) -> str:
    """Return the points of one entrant; "+" or "−" for a technical result."""
    if fixture.is_technical:
        return "+" if fixture.winner_id == entrant.pk else "−"
    score: tuple[int, int] = fixture.score  # type: ignore[attr-defined]
    return str(score[0] if fixture.first_id == entrant.pk else score[1])


@register.simple_tag
def tie_break_names(tournament: Tournament) -> list[str]:
    names = {
        "encounters": pgettext("tie-break", "Head to head"),
        "buchholz": pgettext("tie-break", "Buchholz"),
        "sonneborn_berger": pgettext("tie-break", "Sonneborn-Berger"),
        "cumulative": pgettext("tie-break", "Early wins"),
        "points": pgettext("tie-break", "Difference"),
    }
    return [names[code] for code in FORMATS[tournament.format].tie_breaks]


@register.simple_tag
def result_mark(mark: Mark) -> SafeString:
    """Show a result: a sign, the score or the opponent's place, and words for screen readers."""
    if mark.kind == "self":
        return format_html('<span aria-hidden="true">{}</span>', "×")
    sign = {"won": "+", "lost": "−", "open": "…", "free": "○"}[mark.kind]
    detail = str(mark.place) if mark.place else mark.score
    words = _technical(mark.kind) if mark.is_technical else _played(mark.kind)
    note = pgettext("technical result", "f") if mark.is_technical else ""
    return format_html(
        '<span class="mark mark-{}"><span aria-hidden="true">{}{}</span>'
        '<span class="visually-hidden">{}</span> {}</span>',
        mark.kind, sign, note, words, detail,
    )  # fmt: skip


def _played(kind: str) -> str:
    return {
        "won": pgettext("result", "won"),
        "lost": pgettext("result", "lost"),
        "open": pgettext("result", "in progress"),
        "free": pgettext("result", "rested"),
    }[kind]


def _technical(kind: str) -> str:
    return {
        "won": pgettext("result", "won by forfeit"),
        "lost": pgettext("result", "lost by forfeit"),
    }[kind]
