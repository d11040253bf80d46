"""What a member says of himself and how he wants the site to behave."""

from functools import partial
from typing import Any

from django.db import transaction

from accounts import broadcast
from accounts.gate import writing
from accounts.models import Preferences, Profile
from accounts.services import avatars


def save(user_id: int, shown: dict[str, Any], chosen: dict[str, Any], keeps_photo: bool) -> None:
    """Write `shown` (fields of the profile) and `chosen` (preferences), all or nothing.

    Without `keeps_photo` the uploaded picture goes, and the template is shown.
    """
    with writing():
        profile = Profile.objects.select_for_update().get(user_id=user_id)
        if not keeps_photo:
            avatars.forget_file(profile)
            shown = {**shown, "avatar_file": ""}
        Profile.objects.filter(pk=profile.pk).update(**shown)
        Preferences.objects.filter(user_id=user_id).update(**chosen)
        for what in ("profile", "choices"):
            transaction.on_commit(partial(broadcast.nudge, user_id, what))
