"""Avatars and cases of fair play of a demonstration: some wait for staff, some are decided."""

import io
from datetime import datetime, timedelta

from PIL import Image, ImageOps

from accounts.models import Picture, User
from accounts.profile import avatars, picture_checks
from accounts.shared.transactions import write_transaction
from config.demo.people import NEIGHBORS, STAFF_LOGIN, People
from stats.integrity import services as integrity
from stats.models import Case, CasePerson

DAY = timedelta(days=1)
SIDE = 320  # pixels of an uploaded picture
# Owner of an upload, and the colors of its middle and its edge.
UPLOADS = (
    ("leyla", "#f2c14e", "#a4402a"),
    ("sofia", "#9fd8cb", "#2d3047"),
    ("marta", "#e4e4e4", "#7a1f3d"),
)


def make(people: People, now: datetime) -> str:
    """Make pictures and cases, unless there are some already; return the line to print."""
    made = []
    if not Picture.objects.filter(user__username__in=NEIGHBORS).exists():
        with write_transaction():
            _upload(people)
        made.append("Pictures to check")
    if not Case.objects.exists():
        with write_transaction():
            _open_case(people, now - DAY)
            _close_case(people, now)
        made.append("Cases of fair play")
    return ", ".join(made)


def _upload(people: People) -> None:
    """Let one picture wait, one be kept and one be taken away."""
    _waiting, kept, taken = (_replace(people[login], *colors) for login, *colors in UPLOADS)
    staff = people[STAFF_LOGIN]
    picture_checks.keep(kept, staff, kept.uploaded_at)
    reason = "The picture shows an advertisement."
    picture_checks.take_away(taken, staff, reason, taken.uploaded_at)


def _replace(user: User, middle: str, edge: str) -> Picture:
    gradient = Image.radial_gradient("L").resize((SIDE, SIDE))
    file = io.BytesIO()
    ImageOps.colorize(gradient, middle, edge).save(file, "PNG")
    file.seek(0)
    avatars.replace(user.pk, file)
    return Picture.objects.get(user=user, taken_at__isnull=True)


def _open_case(people: People, now: datetime) -> None:
    suspects, victims = [people["arman"].pk], [people["boris"].pk]
    why = "Elena reports help from a computer."
    integrity.open_case(suspects, victims, why, people[STAFF_LOGIN], now)


def _close_case(people: People, now: datetime) -> None:
    """Open a case, close it and refund a harmed member."""
    suspects, victims = [people["hakan"].pk, people["marta"].pk], [people["deniz"].pk]
    staff = people[STAFF_LOGIN]
    case = integrity.open_case(suspects, victims, "One person, two accounts?", None, now - 5 * DAY)
    reason = "Both accounts were used by one person."
    integrity.close(case, Case.Outcome.BROKEN, reason, staff, now - 4 * DAY)
    harmed = case.people.get(role=CasePerson.Role.VICTIM)
    integrity.refund(harmed, 10, "Refund of a match against two accounts", staff, now - 4 * DAY)
