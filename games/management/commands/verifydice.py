"""Were the dice of an exported match what they were promised to be?"""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.dicecheck import check_dice
from games.engine.errors import EngineError
from games.engine.export import from_export


class Command(BaseCommand):
    help = "Recompute every roll of an exported match (JSON). Exit 1 on any difference."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the JSON export of a finished match")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            checks = check_dice(from_export(json.loads(file.read_text(encoding="utf-8"))))
        except OSError as error:
            raise CommandError(f"cannot read {file}: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise CommandError(f"{file} is not JSON: {error}") from error
        except EngineError as error:
            raise CommandError(f"{file} does not hold: {error}") from error
        wrong = [check for check in checks if not check.is_right]
        for check in wrong:
            self.stderr.write(
                f"game {check.game}, roll {check.number}: "
                f"logged {check.logged}, derived {check.derived}"
            )
        if wrong:
            raise CommandError(f"{len(wrong)} of {len(checks)} rolls are NOT what was promised.")
        self.stdout.write(f"All {len(checks)} rolls are what was promised.")
