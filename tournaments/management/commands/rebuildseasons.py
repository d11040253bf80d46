"""`manage.py rebuildseasons`: compute the points of all seasons from the results."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.services import season


class Command(BaseCommand):
    help = "Compute the points of every finished tournament again, and name those that differed."

    def handle(self, *args: Any, **options: Any) -> None:
        counted = differed = 0
        for public_id, is_changed in season.rebuild():
            counted += 1
            if is_changed:
                differed += 1
                self.stdout.write(f"{public_id}: points differed")
        self.stdout.write(f"Counted {counted} tournaments: {differed} differed.")
