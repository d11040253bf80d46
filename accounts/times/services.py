"""Keep the zone of a member's device in the account."""

from zoneinfo import ZoneInfo

from accounts.models import Preferences
from accounts.shared.transactions import write_transaction


def note_device(preferences: Preferences, device: ZoneInfo | None) -> None:
    """Remember the zone of the member's device, for emails and for devices without a cookie.

    A zone that the member chose is left alone.
    """
    if device is None or preferences.keeps_time_zone or preferences.time_zone == str(device):
        return
    with write_transaction():
        following = Preferences.objects.filter(pk=preferences.pk, keeps_time_zone=False)
        # The account may have been closed since, even by this request.
        following.filter(user__closed_at__isnull=True).update(time_zone=str(device))
