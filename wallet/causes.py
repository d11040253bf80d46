"""Titles of transfers and holds, each with a link to the event behind it.

The ledger keeps a cause as a short code and a reference that only the causing app can read. Each
app registers its codes here from `ready()`, because the wallet must not import the apps above it.
An unregistered cause is shown by its code. The app also says which of its transfers staff may not
reverse.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from wallet.models import Account, Hold, Transfer, WaitingPayment

WELCOME = "welcome"
REFILL = "refill"
CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class Group:
    """Causes that the statement filters together; `title` is lazy."""

    code: str
    title: Any


class Flow(Enum):
    """The meaning of a cause for the limits that members set (`wallet/limits/`).

    SPENT: stakes, fees and purchases, and what comes back from them; together a member's losses.
    DEPOSIT: credits bought for money, and their refunds. OTHER: gifts, corrections, and chargebacks
    of banks, which must not allow further top-ups.
    """

    SPENT = "spent"
    DEPOSIT = "deposit"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class RegisteredCause:
    """A registered cause.

    `link` returns the URL of a reference, or None. `veto` returns the reason, for staff to read,
    why a transfer with a reference may not be reversed, or None if it may. `explain` returns, for
    many references at once, why such a transfer was made, if there is more to say than the title.
    If `is_undone_whole`, a reversal undoes more than the credits, so staff may not reverse that
    reversal.
    """

    title: Any
    group: Group
    link: Callable[[str], str | None]
    veto: Callable[[str], str | None]
    explain: Callable[[Collection[str]], dict[str, str]]
    flow: Flow
    is_undone_whole: bool = False


# After a cause joins or leaves this group, run `manage.py reconcile --recount-gifts`.
GIFTS = Group("gifts", pgettext_lazy("credits", "Welcome credits and gifts"))
CORRECTIONS = Group("corrections", pgettext_lazy("credits", "Corrections"))
OTHER = Group("other", pgettext_lazy("credits", "Other"))

_registered: dict[str, RegisteredCause] = {}


def no_link(reference: str) -> str | None:
    return None


def no_veto(reference: str) -> str | None:
    return None


def no_explanation(references: Collection[str]) -> dict[str, str]:
    return {}


def register(
    code: str,
    title: Any,
    group: Group,
    link: Callable[[str], str | None] = no_link,
    veto: Callable[[str], str | None] = no_veto,
    explain: Callable[[Collection[str]], dict[str, str]] = no_explanation,
    flow: Flow = Flow.OTHER,
    is_undone_whole: bool = False,
) -> None:
    """Register a cause; raise ValueError if its code is taken."""
    if code in _registered:
        raise ValueError(f"the cause {code!r} is registered already")
    cause = RegisteredCause(title, group, link, veto, explain, flow, is_undone_whole)
    _registered[code] = cause


def groups() -> list[Group]:
    """Return each group that has a cause, in order of registration, then OTHER."""
    return [*dict.fromkeys(cause.group for cause in _registered.values()), OTHER]


def codes_of(group: Group) -> list[str]:
    return [code for code, cause in _registered.items() if cause.group == group]


def codes_of_flow(flow: Flow) -> list[str]:
    return [code for code, cause in _registered.items() if cause.flow is flow]


def all_codes() -> list[str]:
    return list(_registered)


def describe(event: Transfer | Hold | WaitingPayment) -> tuple[str, str | None]:
    """Return the title of a transfer, hold or owed transfer in the active language, and its link.

    A reversal is described by the transfer that it reverses: read it with
    `select_related("reverses")`.
    """
    reversed_one = event.reverses if isinstance(event, Transfer) else None
    if reversed_one is not None:
        text = _("Reversed: %(cause)s") % {"cause": title_of(reversed_one.cause)}
        return text, _link(reversed_one)
    return title_of(event.cause), _link(event)


def reasons_of(transfers: Iterable[Transfer]) -> dict[int, str]:
    """Return the reasons to show, by transfer id: the stored one, else the explanation of its app.

    `explain` of a cause is called once for all its transfers.
    """
    reasons: dict[int, str] = {}
    unexplained: dict[str, list[Transfer]] = defaultdict(list)
    for transfer in transfers:
        reasons[transfer.pk] = transfer.reason
        if not transfer.reason and transfer.reference and transfer.reverses_id is None:
            unexplained[transfer.cause].append(transfer)
    for code, found in unexplained.items():
        cause = _registered.get(code)
        texts = cause.explain([each.reference for each in found]) if cause else {}
        reasons |= {each.pk: texts.get(each.reference, "") for each in found}
    return reasons


def title_of(code: str) -> str:
    """Return the title of a cause in the active language."""
    cause = _registered.get(code)
    return str(cause.title) if cause else _("Other (%(code)s)") % {"code": code}


def veto_of(transfer: Transfer) -> str | None:
    """Return the reason why staff may not reverse the transfer, or None if they may.

    The credits of a pot stay there until the app that opened it moves them. A reversal may be
    reversed, which restores what the app had written, unless the app undid more than the credits.
    """
    # Reversing a transfer undoes its event, reversing the reversal restores it, and so on by turns.
    undoes_event = True
    while transfer.reverses is not None:
        transfer, undoes_event = transfer.reverses, not undoes_event
    cause = _registered.get(transfer.cause)
    if not undoes_event and not (cause and cause.is_undone_whole):
        return None
    reason = cause.veto(transfer.reference) if cause else None
    if reason is None and transfer.entries.filter(account__kind=Account.Kind.POT).exists():
        return veto_of_pot()
    return reason


def veto_of_pot() -> str:
    return _(
        "The credits in a pot belong to what it was opened for."
        " Correct the members’ accounts instead."
    )


def _link(event: Transfer | Hold | WaitingPayment) -> str | None:
    cause = _registered.get(event.cause)
    return cause.link(event.reference) if cause and event.reference else None


register(WELCOME, gettext_lazy("Welcome credits"), GIFTS)
register(REFILL, gettext_lazy("Top-up to the minimum stake"), GIFTS)
register(CORRECTION, gettext_lazy("Correction by our team"), CORRECTIONS)
