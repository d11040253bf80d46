"""Credits for tests of pages that show them, moved by the site's own services."""

from uuid import uuid4

from django.utils import timezone

from accounts.models import User
from accounts.shared.transactions import write_transaction
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import accounts, holds, transfers
from wallet.services.transfers import Cause


def set_credits(user: User, available: int, reserved: int = 0) -> None:
    """Set the available credits of the user; add `reserved` to the reserved ones."""
    now = timezone.now()
    with write_transaction():
        own, house = accounts.of_user(user.pk), accounts.house(House.GIFTS)
        missing = available + reserved - funds_of(user.pk).available
        if missing:
            amounts = {own.pk: missing, house.pk: -missing}
            transfers.post(f"test:{uuid4()}", Cause("test"), amounts, now)
        if reserved:
            holds.open(f"test:{uuid4()}", own.pk, reserved, Cause("test"), now)
