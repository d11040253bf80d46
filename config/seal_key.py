"""Find a wrong DICE_SEAL_KEY when a process starts, before it voids matches at their next roll."""

import logging
from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db import DatabaseError

from games.services.dice import has_key_of_newest

logger = logging.getLogger(__name__)

OPTION = "--lost-seal-key"
WRONG = (
    "No key of this process opens the dice secret of the newest match in play: every running match"
    " would be void at its next roll. Set DICE_SEAL_KEY to the value that the other processes have,"
    " and keep earlier values in DICE_SEAL_KEY_FALLBACKS."
)


def add_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        OPTION,
        action="store_true",
        help="start even if no key opens the dice secrets; running matches will become void",
    )


def refuse_wrong_key(*, is_lost: bool) -> None:
    """Raise CommandError if no key opens the newest dice secret; with `is_lost` only log that."""
    try:
        is_right = has_key_of_newest()
    except DatabaseError as error:
        raise CommandError(str(error)) from error
    if is_right:
        return
    if not is_lost:
        raise CommandError(f"{WRONG} If that value is lost for good, start with {OPTION}.")
    logger.error(WRONG)


class Report:
    """Logs a wrong key once in a process that was not started by a command of this site."""

    def __init__(self) -> None:
        self._is_done = False

    def log_once(self) -> None:
        if self._is_done:
            return
        is_right = has_key_of_newest()
        self._is_done = True
        if not is_right:
            logger.error(WRONG)


REPORT = Report()
