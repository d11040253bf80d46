"""Check the draw of an exported tournament against its commitment."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.exports.draw_file import BadDrawFile, check_draw


class Command(BaseCommand):
    help = (
        "Draw every round of an exported tournament (JSON) again from its secret. Exit 1 on any"
        " difference."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the JSON file of a tournament's draw")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            check = check_draw(json.loads(file.read_text(encoding="utf-8")))
        except OSError as error:
            raise CommandError(f"cannot read {file}: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise CommandError(f"{file} is not JSON: {error}") from error
        except BadDrawFile as error:
            raise CommandError(f"{file} is no draw: {error}") from error
        for fault in check.faults:
            self.stderr.write(fault.text)
        if check.faults:
            raise CommandError("The draw is NOT what was promised.")
        self.stdout.write(f"All {check.rounds} rounds are what was promised.")
        if check.is_over:
            self.stdout.write("The tournament is over.")
