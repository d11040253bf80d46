"""Texts of reviews: points, percentages, grades, names of actions, reasons."""

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.coach.reason_texts import REASON_TEXTS
from games.engine.rules import Variant
from games.models import Review
from games.reviews.report import Finding

register = template.Library()

MINUS = "−"


@register.filter
def signed(value: float, digits: int = 2) -> str:
    """Format points with a sign: `+0.41`, `−0.07`."""
    text = _decimal(abs(value), digits)
    if text == _decimal(0, digits):
        return text
    return f"{MINUS if value < 0 else '+'}{text}"


@register.filter
def lost(value: float) -> str:
    """Format a loss of points: `−0.163`; a dash for a loss that rounds to zero."""
    return signed(-value, 3) if value >= 0.0005 else "–"


@register.filter
def points(value: float) -> str:
    return _decimal(value, 2)


@register.filter
def percent(share: float) -> str:
    number = _decimal(100 * share, 1)
    text = _("%(number)s%%") % {"number": number.removeprefix("-")}
    return f"{MINUS}{text}" if number.startswith("-") else text


@register.filter
def grade_sign(grade: str) -> str:
    """Return the grade's sign as in chess notation."""
    return {"doubtful": "?!", "mistake": "?", "blunder": "??"}[grade]


@register.filter
def grade_name(grade: str) -> str:
    names = {
        "doubtful": pgettext("a decision", "Doubtful"),
        "mistake": pgettext("a decision", "Mistake"),
        "blunder": pgettext("a decision", "Blunder"),
    }
    return names[grade]


@register.filter
def action_name(action: str) -> str:
    """Name an action with the cube or with an offer to resign."""
    names = {
        "double": _("Double"),
        "roll": _("Roll without doubling"),
        "take": _("Take the cube"),
        "drop": _("Drop the cube"),
        "beaver": _("Redouble at once (beaver)"),
        "accept": _("Accept the resignation"),
        "refuse": _("Refuse and play on"),
    }
    return names[action]


@register.filter
def win_name(factor: int) -> str:
    """Name the kind of win that counts as much as `factor` times the cube."""
    names = {
        1: pgettext("kind of win", "single game"),
        2: pgettext("kind of win", "mars"),
        3: pgettext("kind of win", "koks"),
    }
    return names[factor]


@register.filter
def lucky_title(rolls: list[Finding]) -> str:
    """Return the heading of the list of the luckiest and unluckiest rolls, by what it shows."""
    signs = {(each.luck or 0.0) > 0 for each in rolls}
    titles = {True: _("The luckiest rolls"), False: _("The unluckiest rolls")}
    return titles[signs.pop()] if len(signs) == 1 else _("The luckiest and unluckiest rolls")


@register.filter
def reason_text(code: str | None) -> str:
    return str(REASON_TEXTS.get(code or "", ""))


@register.filter
def play_of(text: str, side: str) -> SafeString:
    """Mark a play in its side's numbering, so that the script can convert it to the reader's."""
    return format_html('<span data-play-of="{}">{}</span>', side, text)


@register.filter
def depth_text(plies: int) -> str:
    """Describe how many turns ahead a decision was judged."""
    texts = {
        0: _("Evaluated without looking ahead."),
        1: _("Evaluated by looking one turn ahead."),
        2: _("Evaluated by looking two turns ahead."),
    }
    return texts[plies]


@register.filter
def judge_text(review: Review) -> str:
    """Describe the judging net and its search depth."""
    games = review.judge.get("games", 0)
    texts = {
        Variant.SHORT: ngettext(
            "Evaluated by our own net for short backgammon, which has learned from %(games)s "
            "game against itself (fingerprint %(mark)s).",
            "Evaluated by our own net for short backgammon, which has learned from %(games)s "
            "games against itself (fingerprint %(mark)s).",
            games,
        ),
        Variant.LONG: ngettext(
            "Evaluated by our own net for long nardy, which has learned from %(games)s game "
            "against itself (fingerprint %(mark)s).",
            "Evaluated by our own net for long nardy, which has learned from %(games)s games "
            "against itself (fingerprint %(mark)s).",
            games,
        ),
    }
    evaluated_by = texts[Variant(review.match.variant)] % {
        "games": number_format(games, 0, force_grouping=True),
        "mark": review.judge.get("sha256", "")[:8],
    }
    depth = {
        1: _(
            "Plays are evaluated by looking one turn ahead, the cube by looking two turns "
            "ahead where it is close, luck without looking ahead."
        ),
        2: _(
            "Close plays and cube decisions are evaluated by looking two turns ahead, other plays"
            " by looking one turn ahead, luck without looking ahead."
        ),
    }[min(2, max(1, review.plies))]
    return f"{evaluated_by} {depth}"


def _decimal(value: float, digits: int) -> str:
    """Format with the language's decimal separator, rounded: `number_format` alone truncates."""
    return number_format(round(value, digits) + 0.0, digits)  # never -0.0
