"""Sentences for refusals by a member's limits, break, country or age, with the next step."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.shared.durations import as_clock
from accounts.shared.own_urls import with_return
from accounts.times.texts import text_of
from wallet.limits.errors import OwnLimit
from wallet.limits.rules import Kind
from wallet.models import Exclusion
from wallet.templatetags.credits import credits


@dataclass(frozen=True, slots=True)
class Objection:
    """The reason why a stake, fee, gift, top-up or purchase is refused, with the next step.

    `link` is the text of the link to `url`.
    """

    text: str
    url: str
    link: str


def objection_of(error: OwnLimit | None, back: str = "") -> Objection | None:
    """Put a refusal into words for a page; `back` is the URL to return to. None stays None."""
    if error is None:
        return None
    if error.code == "age_unconfirmed":
        url = reverse("wallet:age")
        return Objection(of(error), with_return(url, back) if back else url, _("Confirm your age"))
    return Objection(of(error), reverse("wallet:limits"), _("Your limits and breaks"))


def of(error: OwnLimit) -> str:
    """Explain the refusal in the active language."""
    details = error.details
    if error.code == "excluded":
        return _excluded(details["kind"], datetime.fromisoformat(details["until"]))
    if error.code == "country_closed":
        return _(
            "Stakes and top-ups are not available in the country set in your profile. You can "
            "still play friendly matches and train."
        )
    if error.code == "age_unconfirmed":
        text = ngettext(
            "Stakes, entry fees and top-ups are for people aged %(age)d or older. Please "
            "confirm your age first.",
            "Stakes, entry fees and top-ups are for people aged %(age)d or older. Please "
            "confirm your age first.",
            details["age"],
        )
        return text % {"age": details["age"]}
    if error.code == "own_stake":
        text = ngettext(
            "This is above the limit that you have set for yourself: %(limit)d credit for a stake"
            " or an entry fee.",
            "This is above the limit that you have set for yourself: %(limit)d credits for a stake"
            " or an entry fee.",
            details["limit"],
        )
        return text % {"limit": details["limit"]}
    if error.code == "own_session":
        text = _(
            "You have reached your own playing time limit. After a break you can play for "
            "credits again, in %(wait)s."
        )
        return text % {"wait": as_clock(details["wait_s"])}
    text = _("This would exceed your own limit. %(name)s: at most %(limit)s, %(left)s left.")
    name, limit, left = Kind(details["kind"]).label, details["limit"], details["left"]
    return text % {"name": name, "limit": credits(limit), "left": credits(left)}


def _excluded(kind: str, until: datetime) -> str:
    if kind == Exclusion.Kind.SELF_EXCLUSION:
        text = _(
            "You have excluded yourself until %(until)s. Until then, stakes, tournaments, gifts,"
            " top-ups and purchases are closed to you."
        )
    else:
        text = _(
            "You are taking a time-out until %(until)s. Until then, stakes, tournaments, gifts,"
            " top-ups and purchases are closed to you."
        )
    return text % {"until": text_of(until, "moment")}
