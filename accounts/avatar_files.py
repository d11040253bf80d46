"""Where pictures of avatars are: our re-encodings of uploads, and the templates."""

import re
from pathlib import PurePosixPath

from django.templatetags.static import static
from django.urls import reverse

from accounts.models import Profile

NAME = re.compile(r"[0-9a-f]{32}\Z")


def avatar_url(profile: Profile) -> str:
    """The upload's address if there is one, else the template's."""
    if profile.avatar_file:
        name = PurePosixPath(str(profile.avatar_file.name)).stem
        return reverse("people:avatar", args=[name])
    return static(f"img/avatars/{profile.avatar}.svg")
