"""Find a wrong DICE_SEAL_KEY in a process that starts, or in one that missed a change of the key.

Such a process rolls no dice of the matches whose secret it cannot open, and ends none of them.
"""

import logging
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError

from games.services.dice import has_key_of_newest

logger = logging.getLogger(__name__)

OPTION = "--lost-seal-key"
WRONG = (
    "No key of this process opens the dice secret of the newest match: this process rolls"
    " no dice of such matches. Set DICE_SEAL_KEY to the value that the other processes have, keep"
    " earlier values in DICE_SEAL_KEY_FALLBACKS, and restart it."
)


def add_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        OPTION,
        action="store_true",
        help="start even if no key opens the dice secrets; running matches will become void",
    )


def refuse_wrong_key(*, is_lost: bool) -> None:
    """Raise CommandError if no key opens the newest dice secret; with a lost key, only log it."""
    if is_lost:
        settings.DICE_SEAL_KEY_IS_LOST = True
    try:
        is_right = has_key_of_newest()
    except DatabaseError as error:
        raise CommandError(str(error)) from error
    if is_right:
        return
    if not settings.DICE_SEAL_KEY_IS_LOST:
        raise CommandError(f"{WRONG} If that value is lost for good, start with {OPTION}.")
    logger.error(WRONG)


class Report:
    """Says whether the key is right, and logs once that it is wrong.

    A process that was not started by a command of this site may have begun with a wrong key; in
    any process the key becomes wrong when other processes read a new one.
    """

    def __init__(self) -> None:
        self._is_logged = False

    def is_right(self) -> bool:
        """Return whether a key opens the newest dice secret, or the key is given up as lost."""
        if has_key_of_newest():
            return True
        if not self._is_logged:
            self._is_logged = True
            logger.error(WRONG)
        return settings.DICE_SEAL_KEY_IS_LOST


REPORT = Report()
