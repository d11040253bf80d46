"""Read the data for the page of a member's own limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from wallet.limits import spending
from wallet.limits.guards import in_force
from wallet.limits.rules import BREAKS, DEPOSITS, LOSSES, Kind
from wallet.models import Exclusion, Limit, PlayChoices


@dataclass(frozen=True, slots=True)
class LimitLine:
    """One limit: the present amount, how much of it is used, and the amount from `next_at` on.

    `used` is None for kinds that are not used up, such as the largest stake.
    """

    kind: Kind
    amount: int | None
    next_amount: int | None
    next_at: datetime | None
    used: int | None

    @property
    def wished(self) -> int | None:
        """Return the amount that the member chose last; None means no limit."""
        return self.next_amount if self.next_at is not None else self.amount

    @property
    def unit(self) -> str:
        return "minutes" if self.kind is Kind.SESSION else "credits"


def lines_of(user_id: int, now: datetime) -> dict[Kind, LimitLine]:
    """Return a line for each kind, in the order of `Kind`, even if no limit of the kind is set."""
    limits = {Kind(each.kind): each for each in Limit.objects.filter(user_id=user_id)}
    lost = spending.lost(user_id, list(LOSSES.values()), now)
    deposited = spending.deposited(user_id, list(DEPOSITS.values()), now)
    used = {kind: max(0, lost[window]) for kind, window in LOSSES.items()}
    used |= {kind: deposited[window] for kind, window in DEPOSITS.items()}
    return {kind: _line(limits.get(kind) or Limit(kind=kind), used, now) for kind in Kind}


def _line(limit: Limit, used: dict[Kind, int], now: datetime) -> LimitLine:
    kind, waits = Kind(limit.kind), limit.waits_at(now)
    return LimitLine(
        kind,
        limit.amount_at(now),
        limit.next_amount if waits else None,
        limit.next_at if waits else None,
        used.get(kind),
    )


def choices_of(user_id: int) -> PlayChoices:
    return PlayChoices.objects.filter(user_id=user_id).first() or PlayChoices(user_id=user_id)


def exclusion_of(user_id: int, now: datetime) -> Exclusion | None:
    """Return the exclusion in force that ends last."""
    return in_force(now).filter(user_id=user_id).order_by("-ends_at").first()


def open_breaks(exclusion: Exclusion | None, now: datetime) -> Sequence[str]:
    """Return the codes of the breaks that would end later than the one in force."""
    ends_at = exclusion.ends_at if exclusion else now
    return [code for code, each in BREAKS.items() if now + each.lasts > ends_at]
