"""The interface of payment providers: calls to a provider, and its messages.

A provider is called outside any transaction, since it may take seconds. It reports on a payment
with `Facts`, which may come late, repeatedly or in any order. So no facts undo newer ones: sums
only grow, a payment once paid stays paid, and a dispute once won or lost stays so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class Forged(Exception):
    """A message that the provider did not send, or that is malformed."""


class Unavailable(Exception):
    """The provider does not answer; ask again later."""


class Rejected(Exception):
    """The provider declined for good; the text gives the reason, for staff."""


@dataclass(frozen=True, slots=True)
class Order:
    """A payment to collect, `amount` in hundredths. `public_id` is also the idempotency key."""

    public_id: str
    credits: int
    amount: int
    currency: str
    title: str
    language: str
    email: str
    return_url: str
    cancel_url: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Started:
    """A checkout: the provider's reference, and the page to which the member goes."""

    reference: str
    url: str


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a provider says of a payment; an unknown field is "", 0 or False.

    `ended` is FAILED or EXPIRED for a payment that was not made, `dispute` OPEN, WON or LOST.
    `amount`, in hundredths, and `currency` are those that were paid. `refunded` is the sum of all
    refunds, including those that failed later; `failed_refunds` is the sum of the failed ones. Both
    only grow. `is_refund_over`: the refund that was asked for is over, and no other is under way.
    """

    public_id: str
    reference: str = ""
    is_paid: bool = False
    amount: int = 0
    currency: str = ""
    ended: str = ""
    refunded: int = 0
    failed_refunds: int = 0
    is_refund_over: bool = False
    dispute: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """A message; `facts` is None if it is not about a payment of this site."""

    id: str
    kind: str
    facts: Facts | None


class Provider(Protocol):
    """Every call may raise Unavailable or Rejected; `read` may also raise Forged."""

    code: str
    currencies: frozenset[str]
    needs_email: bool  # whether it refuses orders without an email

    def start(self, order: Order) -> Started:
        """Open a checkout; idempotent: the same order opens the same one."""

    def read(self, body: bytes, headers: Mapping[str, str], address: str) -> Event:
        """Verify that the provider sent a webhook with this raw `body`, and read it."""

    def find(self, reference: str) -> Facts:
        """Return the facts that are known now about a checkout."""

    def refund(self, public_id: str, reference: str, attempt: str, email: str) -> Facts:
        """Refund the rest of a paid amount; idempotent for an `attempt`.

        `attempt` is a part of the idempotency key. Providers repeat their first answer to a key, so
        a declined refund is tried again as another attempt. If the facts do not contain the refund
        and do not say that it is over, it is still under way. `email` is the member's present one,
        or "".
        """
