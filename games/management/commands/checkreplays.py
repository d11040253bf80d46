"""Check that every match's log folds to its snapshot."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import selectors
from games.engine.errors import EngineError
from games.engine.match.snapshot import dumps
from games.models import Match


class Command(BaseCommand):
    help = "Fold the log of every match and compare it with the snapshot. Exit 1 on a difference."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", help="public ids; default: all matches")

    def handle(self, *args: Any, ids: list[str], **options: Any) -> None:
        matches = Match.objects.order_by("pk")
        if ids:
            matches = matches.filter(public_id__in=ids)
            missing = set(ids) - set(matches.values_list("public_id", flat=True))
            if missing:
                raise CommandError(f"no such match: {', '.join(sorted(missing))}")
        checked = faulty = 0
        for match in matches.iterator(chunk_size=100):
            fault = find_lasting_fault(match)
            checked += 1
            if fault:
                faulty += 1
                self.stderr.write(f"{match.public_id}: {fault}")
        self.stdout.write(f"{checked} matches checked, {faulty} with a fault")
        if faulty:
            raise SystemExit(1)


def find_lasting_fault(match: Match) -> str | None:
    """Return the fault of a match; check again if it was played on since its row was read.

    A match that was deleted meanwhile has no fault.
    """
    while fault := find_fault(match):
        checked = match.seq
        try:
            match.refresh_from_db()
        except Match.DoesNotExist:
            return None
        if match.seq == checked:
            return fault
    return None


def find_fault(match: Match) -> str | None:
    """Describe the fault of a log or snapshot; None when they agree."""
    seqs = list(match.actions.order_by("seq").values_list("seq", flat=True))
    if seqs != list(range(1, match.seq + 1)):
        return f"the log has {len(seqs)} actions, not the actions 1 to {match.seq}"
    try:
        folded = dumps(selectors.folded(match))
    except EngineError as error:
        return f"the log does not fold: {error}"
    differing = sorted(key for key in folded if folded[key] != match.snapshot.get(key))
    return f"the snapshot differs in {', '.join(differing)}" if differing else None
