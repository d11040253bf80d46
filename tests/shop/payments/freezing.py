"""Freeze the credits, and end the freeze as staff and the worker do."""

from tests.accounts.factories import staff
from tests.shop.payments.factories import NOW
from wallet.models import Freeze
from wallet.services import freezing, owed


def freeze() -> Freeze:
    return Freeze.objects.create(began_at=NOW, differences=1, report="trial")


def lift(frozen: Freeze) -> None:
    assert freezing.lift(frozen, staff("lifter5").pk, "found", NOW)
    owed.settle_due(NOW)
