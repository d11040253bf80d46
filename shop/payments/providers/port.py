"""The interface of payment providers: questions to one, and its messages.

A provider is asked outside any transaction: it may take seconds. Each of its answers is a `Facts`,
which may come late, doubled or in any order: every fact only grows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class Forged(Exception):
    """A message that the provider did not send, or that nobody can read."""


class Unavailable(Exception):
    """The provider does not answer; ask again later."""


class Rejected(Exception):
    """The provider declined for good; the text says why, for staff."""


@dataclass(frozen=True, slots=True)
class Order:
    """A payment to collect. `public_id` also is the idempotency key."""

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
    """All that a provider says of a payment; unknown is "", 0 or False.

    `ended` is FAILED or EXPIRED of a payment that was not made, `dispute` OPEN, WON or LOST.
    `amount` and `currency` are what was paid. `refunded` is the sum of all refunds that were made,
    and `failed_refunds` that of those among them that came to nothing: both only grow.
    """

    public_id: str
    reference: str = ""
    is_paid: bool = False
    amount: int = 0
    currency: str = ""
    ended: str = ""
    refunded: int = 0
    failed_refunds: int = 0
    dispute: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """A message; `facts` is None when it is about nothing of ours."""

    id: str
    kind: str
    facts: Facts | None


class Provider(Protocol):
    """All but `read` raise Unavailable or Rejected; `read` raises Forged or Unavailable."""

    code: str
    currencies: frozenset[str]

    def start(self, order: Order) -> Started:
        """Open a checkout; the same order opens the same one."""

    def read(self, body: bytes, headers: Mapping[str, str], address: str) -> Event:
        """Check that a webhook, with its raw body, is the provider's, and read it."""

    def find(self, reference: str) -> Facts:
        """Return what is known now of a checkout."""

    def refund(self, public_id: str, reference: str, attempt: str) -> Facts:
        """Give back what is left of a paid amount; a repeated attempt gives nothing more.

        `attempt` is a part of the idempotency key: providers answer a used key as they did before,
        so one that was declined is asked again under another. Facts without the refund say that
        it is still under way.
        """
