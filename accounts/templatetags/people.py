"""Members on pages: avatar, flag, name."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.safestring import SafeString

from accounts.models import Profile, User
from accounts.people.names import shown_name
from accounts.profile.avatar_urls import avatar_url, ready_made_url
from accounts.profile.countries import country_name, names_of_countries
from accounts.profile.forms import PICTURE
from accounts.shared.kept_parts import render_kept

register = template.Library()
register.filter("shown_name", shown_name)


@register.inclusion_tag("people/_avatar.html")
def avatar(user: User, size: int = 32) -> dict[str, Any]:
    """Show the avatar on the crest's color. Decorative: the name stands beside it."""
    profile = user.profile
    return {"url": avatar_url(profile), "crest": profile.crest, "size": size}


@register.simple_tag
def avatar_option_url(profile: Profile, option: str) -> str:
    """Return the URL of the picture of one option of the avatar picker."""
    return avatar_url(profile) if option == PICTURE else ready_made_url(option)


@register.inclusion_tag("people/_flag.html")
def flag(country: Any, says_name: bool = False) -> dict[str, Any]:
    """Show a flag; set `says_name` where the country's name is not beside it.

    A refused form may hold a code of no country: show no flag then, for there is no such file.
    """
    code = str(country)
    url = static(f"img/flags/{code.lower()}.svg") if code in names_of_countries() else ""
    return {"url": url, "name": country_name(code) if says_name else ""}


@register.filter("country_name")
def name_of_country(country: Any) -> str:
    return country_name(str(country))


def player_link_key(user: User) -> tuple[object, ...]:
    """Return all that `player_link` shows of a member, for `about` of `render_kept`."""
    profile = user.profile
    country = str(profile.country) if profile.shows_country else None
    picture = (profile.avatar, profile.avatar_file.name, profile.crest)
    return (user.public_id, shown_name(user), user.closed_at is None, picture, country)


@register.simple_tag
def player_link(user: User) -> SafeString:
    """Show avatar, name and flag, linked to the player's page; a script shows the card.

    Lists need `select_related("profile")` on their users.
    """
    context = {"player": user, "profile": user.profile}
    return render_kept("people/_player_link.html", player_link_key(user), lambda: context)
