"""Save the choices of the profile page."""

from functools import partial
from typing import Any

from django.db import transaction

from accounts import broadcast
from accounts.models import Preferences, Profile
from accounts.people.locks import lock_unclosed
from accounts.profile import avatars, looks
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction


def save(
    user_id: int,
    profile_fields: dict[str, Any],
    preference_fields: dict[str, Any],
    keeps_picture: bool,
) -> None:
    """Write the given fields of profile and preferences together; the others stay.

    Without `keeps_picture` the uploaded picture is deleted; the chosen ready-made avatar replaces
    it. A look that was refunded meanwhile is left out.

    Raises Refused (`closed_account`) if the account is closed.
    """
    with write_transaction():
        if not lock_unclosed(user_id):
            raise Refused("closed_account")
        profile = Profile.objects.select_for_update().get(user_id=user_id)
        if not keeps_picture:
            avatars.forget_upload(profile)
            profile_fields = {**profile_fields, "avatar_file": ""}
        Profile.objects.filter(pk=profile.pk).update(**profile_fields)
        looks.lock_worn(user_id)
        gone = looks.not_wearable(user_id, preference_fields)
        kept = {name: value for name, value in preference_fields.items() if name not in gone}
        Preferences.objects.filter(user_id=user_id).update(**kept)
        for what in ("profile", "choices"):
            transaction.on_commit(partial(broadcast.nudge, user_id, what))
