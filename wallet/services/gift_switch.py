"""The switch by which staff stop a kind of gift, named by the cause of its transfers."""

from wallet.models import GiftSwitch
from wallet.services.locking import need_transaction


def is_given(cause: str) -> bool:
    return not GiftSwitch.objects.filter(cause=cause, is_on=False).exists()


def switch(gift: GiftSwitch, is_on: bool) -> bool:
    """Switch a gift on or off; return whether that changed anything."""
    need_transaction()
    changed = GiftSwitch.objects.filter(pk=gift.pk).exclude(is_on=is_on).update(is_on=is_on)
    return bool(changed)
