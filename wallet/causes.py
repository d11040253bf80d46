"""Titles of transfers and holds, each with a link to the event behind it.

The ledger keeps a cause as a short code and a reference that only the causing app can read. Each
app registers its codes here from `ready()`, because the wallet must not import the apps above it.
An unregistered cause is shown by its code. The app also says which of its transfers staff may not
take back.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from wallet.models import Account, Hold, Transfer

CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class Group:
    """Causes that the statement filters together; `title` is lazy."""

    code: str
    title: Any


@dataclass(frozen=True, slots=True)
class NamedCause:
    """A registered cause.

    `link` turns a reference into a URL, or None; `veto` into the reason, for staff to read, why a
    transfer of this cause may not be taken back, or None if it may.
    """

    title: Any
    group: Group
    link: Callable[[str], str | None]
    veto: Callable[[str], str | None]


GIFTS = Group("gifts", pgettext_lazy("credits", "Gifts"))
CORRECTIONS = Group("corrections", pgettext_lazy("credits", "Corrections"))
OTHER = Group("other", pgettext_lazy("credits", "Other"))

_named: dict[str, NamedCause] = {}


def no_link(reference: str) -> str | None:
    return None


def no_veto(reference: str) -> str | None:
    return None


def register(
    code: str,
    title: Any,
    group: Group,
    link: Callable[[str], str | None] = no_link,
    veto: Callable[[str], str | None] = no_veto,
) -> None:
    """Register the title of a cause. Raise ValueError for a code that is taken."""
    if code in _named:
        raise ValueError(f"the cause {code!r} has a name already")
    _named[code] = NamedCause(title, group, link, veto)


def groups() -> list[Group]:
    """Return each group that has a cause, in order of registration, then OTHER."""
    return [*dict.fromkeys(named.group for named in _named.values()), OTHER]


def codes_of(group: Group) -> list[str]:
    return [code for code, named in _named.items() if named.group == group]


def all_codes() -> list[str]:
    return list(_named)


def describe(event: Transfer | Hold) -> tuple[str, str | None]:
    """Return the title of a transfer or hold in the active language, and its link.

    A reversal is described by the transfer it takes back: select `reverses` with it.
    """
    reversed_one = event.reverses if isinstance(event, Transfer) else None
    if reversed_one is not None:
        text = _("Taken back: %(cause)s") % {"cause": _title(reversed_one.cause)}
        return text, _link(reversed_one)
    return _title(event.cause), _link(event)


def veto_of(transfer: Transfer) -> str | None:
    """Return why staff may not take the transfer back, None if they may.

    The credits of a pot stay there until the app that opened it moves them. A reversal is always
    taken back: that restores what the app had written.
    """
    undoes = True
    while transfer.reverses is not None:
        transfer, undoes = transfer.reverses, not undoes
    if not undoes:
        return None
    named = _named.get(transfer.cause)
    reason = named.veto(transfer.reference) if named else None
    if reason is None and transfer.entries.filter(account__kind=Account.Kind.POT).exists():
        return veto_of_pot()
    return reason


def veto_of_pot() -> str:
    return _("The credits of a pot belong to what it was opened for. Correct the members instead.")


def _title(code: str) -> str:
    named = _named.get(code)
    if named is None:
        return _("Other (%(code)s)") % {"code": code}
    return str(named.title)


def _link(event: Transfer | Hold) -> str | None:
    named = _named.get(event.cause)
    return named.link(event.reference) if named and event.reference else None


register("welcome", gettext_lazy("Welcome credits"), GIFTS)
register(CORRECTION, gettext_lazy("Correction by staff"), CORRECTIONS)
