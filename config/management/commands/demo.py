"""`manage.py demo`: fill a demonstration on this machine with people, matches and so on."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.shared.refusals import Refused
from config.demo import (
    community,
    histories,
    people,
    purchases,
    staff_work,
    tournaments,
    wishes,
)
from config.demo.people import MEMBER_LOGINS, PASSWORD, STAFF_LOGIN
from shop.payments import samples as packs
from tournaments import samples


class Command(BaseCommand):
    help = (
        "Fill the database of a demonstration: accounts, finished and running matches,"
        " tournaments, messages, top-ups, purchases and work of staff. Where DEMO is on; safe to"
        " repeat."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "Sample data has a known password. It is made only where DEMO is on."
            )
        now = timezone.now()
        made = people.make(now)
        if STAFF_LOGIN in made:
            self.stdout.write(f"Staff account: {STAFF_LOGIN} / {PASSWORD}")
        if members := [login for login in MEMBER_LOGINS if login in made]:
            self.stdout.write(f"Members: {', '.join(members)} / {PASSWORD}")
        schedules = samples.make(now)
        if schedules:
            self.stdout.write(f"Tournaments every evening: {', '.join(schedules)}")
        if number := packs.make():
            self.stdout.write(f"Packs of credits: {number}, paid at a pretend bank")
        self._fill(people.named([*people.LEVELS, STAFF_LOGIN]))

    def _fill(self, known: people.People) -> None:
        """Make the content; earlier changes of the database may make a part of it impossible."""
        for part in (histories, tournaments, purchases, community, staff_work, wishes):
            try:
                made = part.make(known, timezone.now())
            except Refused as refused:
                made = f"Left out: {part.__name__.rpartition('.')[2]} ({refused})"
            if made:
                self.stdout.write(made)
                self.stdout.flush()
