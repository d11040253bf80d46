"""Save the choices of the profile page."""

from functools import partial
from typing import Any

from django.db import transaction

from accounts import broadcast
from accounts.models import Preferences, Profile
from accounts.profile import avatars
from accounts.shared.transactions import write_transaction


def save(user_id: int, shown: dict[str, Any], chosen: dict[str, Any], keeps_photo: bool) -> None:
    """Write `shown` (profile fields) and `chosen` (preferences) together.

    Without `keeps_photo` the uploaded picture is deleted; the chosen avatar template replaces it.
    """
    with write_transaction():
        profile = Profile.objects.select_for_update().get(user_id=user_id)
        if not keeps_photo:
            avatars.forget_file(profile)
            shown = {**shown, "avatar_file": ""}
        Profile.objects.filter(pk=profile.pk).update(**shown)
        Preferences.objects.filter(user_id=user_id).update(**chosen)
        for what in ("profile", "choices"):
            transaction.on_commit(partial(broadcast.nudge, user_id, what))
