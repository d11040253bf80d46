"""What pages show of announced games."""

from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from games.engine.rules import Rules
from lobby import selectors
from stats.rating import START, Standing
from stats.selectors import shown

register = template.Library()


@register.filter
def rule_marks(rules: Rules) -> list[dict[str, str]]:
    """The options of a game as icons with a word: only what is not as usual, and the cube."""
    usual = Rules.of(rules.variant.value, length=rules.length, delay_ms=rules.delay_ms)
    marks = []
    if rules.cube:
        marks.append({"icon": "box", "text": _("cube")})
    if rules.mars != usual.mars:
        marks.append({"icon": "trophy", "text": _("no mars")})
    if rules.koks != usual.koks:
        text = _("with koks") if rules.koks else _("no koks")
        marks.append({"icon": "crown", "text": text})
    if rules.parity:
        marks.append({"icon": "scale", "text": _("parity")})
    if rules.profile is not usual.profile:
        marks.append({"icon": "book-open", "text": pgettext("reading of the rules", "other rules")})
    if (rules.block, rules.hit, rules.crawford) != (usual.block, usual.hit, usual.crawford):
        marks.append({"icon": "settings-2", "text": _("finer rules")})
    return marks


@register.filter
def rating_text(seek: Any) -> str:
    """The owner's rating as people write it: with a question mark while it is provisional.

    The seek comes from `selectors.with_ratings`.
    """
    standing = Standing(seek.rating or START, seek.experience or 0)
    return f"{shown(standing.rating)}{'?' if standing.is_provisional else ''}"


@register.filter
def seconds(milliseconds: int) -> int:
    return milliseconds // 1000


@register.filter
def minutes_left(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


@register.simple_tag
def live_game(user: User) -> dict[str, Any]:
    """The member's running match or announced game, for the way back to it on every page.

    `has_begun`: the match waits for its players to sit down.
    """
    if not user.is_authenticated:
        return {}
    match = selectors.live_match_of(user)
    if match is not None:
        return {"match": match, "has_begun": match.started_at is None}
    return {"seek": selectors.open_seek_of(user)}
