"""Print one match as a file."""

import json
from contextlib import nullcontext
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import selectors
from games.engine.rules import Variant
from games.exports import match_file


class Command(BaseCommand):
    help = "Print a match: json (everything), mat (short, for GNU Backgammon) or txt (long)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="public id of the match")
        parser.add_argument("--format", choices=["json", "mat", "txt"], default="json")

    def handle(self, *args: Any, **options: Any) -> None:
        match = selectors.find_match(options["id"])
        if match is None:
            raise CommandError(f"no such match: {options['id']}")
        wanted = options["format"]
        if wanted == "json":
            self.stdout.write(json.dumps(match_file.export_of(match), ensure_ascii=False))
            return
        if (wanted == "mat") != (match.variant == Variant.SHORT):
            raise CommandError(f"a {match.variant} match has no {wanted} form")
        self.stdout.write(match_file.text_of(match, nullcontext), ending="")
