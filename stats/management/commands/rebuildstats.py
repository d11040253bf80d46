"""`manage.py rebuildstats`: recompute all ratings from the matches."""

from typing import Any

from django.core.management.base import BaseCommand

from stats.services import rating


class Command(BaseCommand):
    help = "Recompute all ratings from the finished matches, in the order in which they were rated."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"Rated {rating.rebuild()} matches.")
