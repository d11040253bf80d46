"""`manage.py worker`: run a worker; any number of workers may run at once."""

import asyncio
import signal
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config import garbage_collection, seal_key
from config.background import worker
from config.checks.database import need_migrated
from config.metrics.server import serving


class Command(BaseCommand):
    help = (
        "Do the background work of the site until stopped: deadlines, bots, reviews, tournaments,"
        " emails, payments, nightly commands."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        seal_key.add_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        need_migrated()
        seal_key.refuse_wrong_key(is_lost=options["lost_seal_key"])
        with serving(has_worker=True) as figures_url:
            asyncio.run(self._run(figures_url))

    async def _run(self, figures_url: str) -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            try:
                loop.add_signal_handler(number, stop.set)
            except NotImplementedError:  # Windows: its event loops take no signal handlers
                signal.signal(number, lambda *_: stop.set())
        garbage_collection.tune()
        self.stdout.write("The worker keeps deadlines. Ctrl-C ends it.")
        if figures_url:
            self.stdout.write(f"Figures for Prometheus: {figures_url}")
        self.stdout.flush()
        await worker.run(stop)
