"""`manage.py reconcile`: check the ledger's invariants (`wallet/reconciliation.py`)."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from wallet import reconciliation
from wallet.services import gift_sums


class Command(BaseCommand):
    help = "Check every transfer, balance and hold of the ledger. Exit 1 on any difference."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
        parser.add_argument(
            "--recount-gifts",
            action="store_true",
            help="first compute each account's sum of gifts again, e.g. after their causes changed",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["recount_gifts"]:
            gift_sums.recount()
        report = reconciliation.reconcile()
        if options["json"]:
            self.stdout.write(json.dumps(asdict(report)))
        else:
            for difference in report.differences:
                self.stderr.write(str(difference))
            self.stdout.write(
                f"{report.accounts} accounts, {report.transfers} transfers,"
                f" {report.entries} entries checked; {len(report.differences)} differences"
            )
        if report.differences:
            raise SystemExit(1)
