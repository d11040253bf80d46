"""URLs of avatars: re-encoded uploads, and the ready-made ones."""

from pathlib import PurePosixPath

from django.templatetags.static import static
from django.urls import reverse

from accounts.models import Profile


def avatar_url(profile: Profile) -> str:
    """Return the URL of the upload if there is one, else of the ready-made avatar."""
    if profile.avatar_file:
        name = PurePosixPath(str(profile.avatar_file.name)).stem
        return reverse("people:avatar", args=[name])
    return ready_made_url(profile.avatar)


def ready_made_url(avatar: str) -> str:
    """Return the URL of a ready-made avatar; one file has all, so that a page needs one request."""
    return f"{static('img/avatars.svg')}#{avatar}"
