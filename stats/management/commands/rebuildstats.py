"""`manage.py rebuildstats`: recompute ratings, counts and statistics from the matches."""

from decimal import Decimal
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand

from stats.services.counting import rebuild as recount
from stats.services.rebuilding import Difference, rebuild
from stats.services.reviewed import rebuild as count_reviews_again

# Matches between two lines of progress.
EVERY = 1000


class Command(BaseCommand):
    help = (
        "Fold the logs of all rated matches, recompute all ratings, in the order in which the "
        "matches were rated, and count matches, dice, achievements and reviews. Prints what "
        "differs from before. "
        "Exit 1 if a log does not give the stored result of its match."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        found = rebuild(self._show_progress)
        recounted = recount(partial(self._show_progress, "counted seats:"))
        reviews = count_reviews_again(partial(self._show_progress, "reviewed seats:"))
        for each in found.differences:
            self.stdout.write(_line(each))
        for public_id in found.unproven:
            self.stderr.write(f"{public_id}: the log does not give the stored result")
        self.stdout.write(
            f"Rated {found.matches} matches: {len(found.differences)} ratings differ, "
            f"{len(found.unproven)} logs do not give the stored result."
        )
        self.stdout.write(
            f"Counted again: {recounted.dice} rows of dice, {recounted.achievements} of "
            f"achievements, {recounted.matches} of matches, {recounted.opponents} of opponents and "
            f"{reviews} of reviews differ."
        )
        if found.unproven:
            raise SystemExit(1)

    def _show_progress(self, what: str, done: int, total: int) -> None:
        if done % EVERY == 0 or done == total:
            self.stdout.write(f"{what} {done} of {total}")


def _line(difference: Difference) -> str:
    before, after = _text(difference.before), _text(difference.after)
    return f"{difference.login} {difference.variant}: {before} -> {after}"


def _text(rating: Decimal | None) -> str:
    return "none" if rating is None else str(rating)
