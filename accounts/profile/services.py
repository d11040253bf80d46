"""Save the choices of the profile page."""

from functools import partial
from typing import Any

from django.db import transaction

from accounts import broadcast
from accounts.models import Preferences, Profile
from accounts.profile import avatars
from accounts.shared.transactions import write_transaction


def save(
    user_id: int,
    profile_fields: dict[str, Any],
    preference_fields: dict[str, Any],
    keeps_picture: bool,
) -> None:
    """Write the fields of profile and preferences together.

    Without `keeps_picture` the uploaded picture is deleted; the chosen avatar template replaces it.
    """
    with write_transaction():
        profile = Profile.objects.select_for_update().get(user_id=user_id)
        if not keeps_picture:
            avatars.forget_file(profile)
            profile_fields = {**profile_fields, "avatar_file": ""}
        Profile.objects.filter(pk=profile.pk).update(**profile_fields)
        Preferences.objects.filter(user_id=user_id).update(**preference_fields)
        for what in ("profile", "choices"):
            transaction.on_commit(partial(broadcast.nudge, user_id, what))
