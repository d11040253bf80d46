"""Check the dice of an exported match against the commitment."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from games import selectors
from games.engine.errors import EngineError, InvalidAction
from games.engine.formats.dice_check import RollCheck, check_dice
from games.engine.formats.json_export import from_export
from games.exports import match_file
from games.models import Match


class Command(BaseCommand):
    help = (
        "Recompute every roll of an exported match (JSON), and compare the file with the record"
        " of the match where this site has it. Exit 1 on any difference."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the JSON export of a finished match")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        data, checks = self._read(file)
        wrong = [check for check in checks if not check.is_right]
        for check in wrong:
            self.stderr.write(
                f"game {check.game}, roll {check.number}: "
                f"logged {check.logged}, derived {check.derived}"
            )
        if wrong:
            raise CommandError(f"{len(wrong)} of {len(checks)} rolls are NOT what was promised.")
        record = find_record(data["id"])
        if record is not None:
            self._compare(file, data, record)
        self.stdout.write(f"All {len(checks)} rolls are what was promised.")
        self.stdout.write(
            "This site has no such match: names, times and rules that changed nothing are"
            " only what the file says."
            if record is None
            else "The file is what this site has on record."
        )

    def _read(self, file: Path) -> tuple[dict[str, Any], tuple[RollCheck, ...]]:
        """Return the file's object and the check of each roll."""
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            return data, check_dice(from_export(data))
        except OSError as error:
            raise CommandError(f"cannot read {file}: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise CommandError(f"{file} is not JSON: {error}") from error
        except InvalidAction as error:
            verdict = "" if error.code == "secret_lost" else " does not hold"
            raise CommandError(f"{file}{verdict}: {error}") from error
        except EngineError as error:
            raise CommandError(f"{file} does not hold: {error}") from error

    def _compare(self, file: Path, data: dict[str, Any], record: Match) -> None:
        found = list(match_file.differences(data, match_file.export_of(record)))
        for line in found:
            self.stderr.write(line)
        if found:
            raise CommandError(f"{file} does not hold: it is not what this site has on record")


def find_record(public_id: str) -> Match | None:
    """Return the match as this site has it; None also if the database cannot be read."""
    try:
        return selectors.find_match(public_id)
    except DatabaseError:
        return None
