"""Uploaded avatars and their files."""

import logging
from datetime import datetime, timedelta
from functools import partial
from typing import IO

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.utils import timezone

from accounts import broadcast
from accounts.models import Picture, Profile
from accounts.models.profile import AVATAR_FOLDER, avatar_name
from accounts.people.locks import lock_unclosed
from accounts.profile.avatar_images import to_avatar
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction

logger = logging.getLogger(__name__)

# Age at which a file that no account refers to is deleted; an upload that waits for its row is
# younger.
STRAY_FOR = timedelta(days=1)


def replace(user_id: int, file: IO[bytes]) -> None:
    """Make the picture in `file` the avatar, and queue it for staff to check.

    Raises BadPicture if it is refused; the old avatar stays then. Raises Refused
    (`closed_account`) if the account was closed while the upload waited.
    """
    if not connection.in_atomic_block:
        # Give the connection back to the pool while the upload waits for the decoder.
        connection.close()
    picture = to_avatar(file)  # slow, so before the transaction
    name = default_storage.save(avatar_name(Profile(), ""), ContentFile(picture))
    try:
        _change(user_id, name)
    except BaseException:
        _delete(name)
        raise


def remove(user_id: int) -> None:
    """Show the ready-made avatar again."""
    _change(user_id, "")


def forget_upload(profile: Profile) -> None:
    """Delete the row of the shown `Picture`, and its file after the caller's commit."""
    Picture.objects.filter(user_id=profile.user_id, taken_at__isnull=True).delete()
    if profile.avatar_file:
        transaction.on_commit(partial(_delete, str(profile.avatar_file.name)))


def stray(before: datetime) -> list[str]:
    """Return the names of files last written before this moment to which no account refers."""
    try:
        _, files = default_storage.listdir(AVATAR_FOLDER)
    except FileNotFoundError:  # nobody has uploaded anything yet
        return []
    names = {f"{AVATAR_FOLDER}/{file}" for file in files}
    names.difference_update(Profile.objects.values_list("avatar_file", flat=True))
    names.difference_update(Picture.objects.values_list("file", flat=True))
    return sorted(name for name in names if _is_older(name, before))


def delete_stray(before: datetime) -> int:
    """Delete the files that `stray` returns; return how many are deleted."""
    return sum([_delete(name) for name in stray(before)])


def _is_older(name: str, before: datetime) -> bool:
    try:
        return default_storage.get_modified_time(name) < before
    except FileNotFoundError:  # deleted meanwhile
        return False


def _change(user_id: int, name: str) -> None:
    with write_transaction():
        # Locked first, as closing an account does.
        if not lock_unclosed(user_id) and name:
            raise Refused("closed_account")
        profile = Profile.objects.select_for_update().get(user_id=user_id)
        if not name and not profile.avatar_file:
            return
        forget_upload(profile)
        Profile.objects.filter(pk=profile.pk).update(avatar_file=name)
        if name:
            Picture.objects.create(user_id=user_id, file=name, uploaded_at=timezone.now())
        transaction.on_commit(partial(broadcast.nudge, user_id, "profile"))


def _delete(name: str) -> bool:
    """Delete a file; log a failure and return False: `delete_stray` tries again the next night."""
    try:
        default_storage.delete(name)
    except OSError:
        logger.exception("avatar file %s not deleted", name)
        return False
    return True
