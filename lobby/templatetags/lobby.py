"""Template tags and filters about announced games, challenges, Play now and matches in play."""

from math import ceil
from typing import Any

from django import template
from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from accounts.people.names import shown_name
from accounts.shared.database_clock import CLOCK
from accounts.shared.durations import as_clock
from accounts.shared.kept_parts import render_kept
from accounts.shared.refusals import Refused
from accounts.templatetags.people import player_link_key
from accounts.times.zones import zone_key
from games.engine.rules import Rules
from games.models import Match
from games.rulebook.summary import likely_minutes
from games.selectors import actor_of
from games.templatetags.games import guest_title
from lobby import labels, selectors
from lobby.models import Invitation, Seek
from lobby.requirements_text import rating_range
from lobby.response_rate import response_percent
from lobby.selectors import FriendlyNews
from stats.rating import START, Standing
from stats.selectors import rounded

register = template.Library()
register.filter("as_clock", as_clock)


@register.filter
def rule_marks(rules: Rules) -> list[dict[str, str]]:
    """Return icons with a word for mars, and for options that are on or differ from the default."""
    usual = Rules.of(rules.variant.value, length=rules.length, delay_ms=rules.delay_ms)
    marks = []
    if rules.cube:
        marks.append({"icon": "box", "text": _("cube")})
    marks.append({"icon": "trophy", "text": _("mars") if rules.mars else _("no mars")})
    if rules.koks or usual.koks:
        marks.append({"icon": "crown", "text": _("koks") if rules.koks else _("no koks")})
    if rules.parity:
        marks.append({"icon": "scale", "text": _("parity")})
    if rules.profile is not usual.profile:
        marks.append({"icon": "book-open", "text": pgettext("reading of the rules", "other rules")})
    if rules.reserve_shrinks:
        marks.append({"icon": "hourglass", "text": _("shrinking reserve")})
    if (rules.block, rules.hit, rules.crawford) != (usual.block, usual.hit, usual.crawford):
        marks.append({"icon": "settings-2", "text": _("custom rules")})
    return marks


@register.filter
def conditions(seek: Seek) -> list[dict[str, str]]:
    """Return icons with a word for access, rating range and spectators."""
    marks = []
    if seek.access == Seek.Access.LINK:
        marks.append({"icon": "link", "text": _("by link")})
    elif seek.access == Seek.Access.PERSON:
        marks.append({"icon": "user", "text": _("for one player")})
    elif seek.access == Seek.Access.FRIENDS:
        marks.append({"icon": "users", "text": _("for friends")})
    asked = rating_range(seek.least_rating, seek.most_rating)
    if asked:
        marks.append({"icon": "gauge", "text": _("rating %(range)s") % {"range": asked}})
    if not seek.is_public:
        marks.append({"icon": "eye-off", "text": _("no spectators")})
    return marks


@register.filter
def maker_name(invitation: Invitation) -> str:
    """Return the name of the invitation's maker, as pages name a member or a guest."""
    if invitation.maker is not None:
        return shown_name(invitation.maker)
    return guest_title(invitation.guest_name)


@register.filter
def rating_text(seek: Any) -> str:
    """Format the rating of the owner; the seek comes from `selectors.with_ratings`."""
    return standing_text(Standing(seek.rating or START, seek.experience or 0))


@register.filter
def standing_text(standing: Standing) -> str:
    """Format a rating, with a question mark while it is provisional."""
    return f"{rounded(standing.rating)}{'?' if standing.is_provisional else ''}"


@register.simple_tag
def seek_about(seek: Any) -> SafeString:
    """Show who plays what for which stake; the seek comes from `selectors.with_ratings`."""
    about = (seek.pk, seek.rating, seek.experience, *player_link_key(seek.owner))
    return render_kept("lobby/_seek_about.html", about, lambda: {"seek": seek})


@register.simple_tag
def seek_links(seek: Seek, state: str) -> SafeString:
    """Link to a seek.

    `state`: `own` for the viewer's seek, `join`, `look` if the viewer cannot join, or `known`
    if the viewer knows the terms: then a form beside the link joins at once.
    """
    about = (seek.pk, seek.owner.username, state)
    return render_kept("lobby/_seek_links.html", about, lambda: {"seek": seek, "state": state})


@register.simple_tag
def match_row(match: Match, is_own: bool) -> SafeString:
    """Show a match in play; it comes from `selectors.with_standings`."""
    seats = [
        (player_link_key(seat.user) if seat.user else None, getattr(seat, "standing", None))
        for seat in match.ordered_seats
    ]
    about = (match.pk, match.snapshot["score"], seats, is_own, zone_key())
    return render_kept("lobby/_match_row.html", about, lambda: {"match": match, "is_own": is_own})


@register.filter
def minutes(rules: Rules) -> int:
    """Estimate the minutes that a match takes."""
    return likely_minutes(rules)


@register.filter
def seconds(milliseconds: int) -> int:
    return milliseconds // 1000


@register.simple_tag
def live_game(
    user: User, friendly: FriendlyNews | str = "", friendly_match: Match | str | None = ""
) -> dict[str, Any]:
    """Return the member's match in play or announced game, for the alert on every page.

    `is_beginning`: the match has not started yet. `challenges` wait for the member's answer;
    `ended` is the member's announcement that has just ended without a match; `friendly` has the
    same for friendly challenges. `friendly_match` is in play and is shown beside these, since it
    does not keep the member from other matches. `friendly` and `friendly_match` are read here
    unless the page passes them.
    """
    if not user.is_authenticated:
        return {}
    match = selectors.live_match_of(user)
    if match is not None:
        return {"match": match, "is_beginning": match.started_at is None}
    now = CLOCK.now()
    if not isinstance(friendly, FriendlyNews):
        friendly = selectors.friendly_news_of(user, now)
    if friendly.begun is not None:
        return {"match": friendly.begun, "is_beginning": True}
    if isinstance(friendly_match, str):
        friendly_match = selectors.find_friendly_match(user, now)
    challenges, own = selectors.news_of(user, now)
    is_open = own is not None and own.state == Seek.State.OPEN
    is_search = hasattr(own, "search")  # the bar of Play now shows it
    lapse_at = min((each.expires_at for each in friendly.challenges), default=None)
    return {
        "friendly_match": friendly_match,
        "friendly": friendly,
        "wished": selectors.wished_games_of(user, now),
        # Seconds until the page reads the alert again.
        "lapses_s": ceil((lapse_at - now).total_seconds()) if lapse_at else None,
        "seek": own if is_open and not is_search else None,
        "challenges": challenges,
        "ended": None if is_open else own,
    }


@register.simple_tag(takes_context=True)
def play_now_bar(context: Any) -> dict[str, Any]:
    """Return the visitor's open search for the bar on every page; {} if there is none.

    A guest's search is read only from the session that started it.
    """
    request = context.get("request")
    if request is None or not hasattr(request, "user"):
        return {}
    if not request.user.is_authenticated:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return {}
        # A request that a middleware refuses early has no session.
        if selectors.SHOWN_SEARCH not in getattr(request, "session", {}):
            return {}
    search = selectors.shown_search(actor_of(request.user, request.session))
    if search is None or not search.is_waiting:
        return {}
    return selectors.bar_of(search, CLOCK.now())


@register.simple_tag
def play_now_count() -> int:
    """Count the people who wait for an opponent now."""
    return selectors.waiting_count(CLOCK.now())


@register.simple_tag
def challenge_of(viewer: Any, person: User) -> dict[str, Any]:
    """Return which challenges to offer on a person's page; {} for guests and the viewer's own page.

    `refusal` explains the reason on the viewer's side against a challenge for credits, or is "".
    `is_friendly` says whether a friendly match may be offered. A reason on the person's side
    appears only after a try, so that no page reveals a block.
    """
    if not isinstance(viewer, User) or viewer == person:
        return {}
    code = selectors.challenge_refusal(viewer, person, CLOCK.now())
    is_refused = code in ("blocked", "paused", "not_member")
    return {
        "refusal": labels.of_error(Refused(code)) if code and is_refused else "",
        "is_friendly": code not in ("blocked", "not_member"),
    }


@register.simple_tag(name="response_percent")
def response(user: User) -> int | None:
    return response_percent(user.pk, CLOCK.now())
