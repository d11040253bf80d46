"""`manage.py worker`: keep deadlines and play the bots' turns; any number of them may run."""

import asyncio
import signal
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config import seal_key
from config.background import worker


class Command(BaseCommand):
    help = "Keep the deadlines of matches and play the bots' turns until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        seal_key.add_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        seal_key.refuse_wrong_key(is_lost=options["lost_seal_key"])
        asyncio.run(self._run())

    async def _run(self) -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            try:
                loop.add_signal_handler(number, stop.set)
            except NotImplementedError:  # Windows: Ctrl-C raises KeyboardInterrupt instead
                signal.signal(number, lambda *_: stop.set())
        self.stdout.write("The worker keeps deadlines. Ctrl-C ends it.")
        await worker.run(stop)
