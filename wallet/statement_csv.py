"""A statement as a CSV file for spreadsheets."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from wallet.statement import Movement

# Without this mark, spreadsheets misread UTF-8.
BYTE_ORDER_MARK = "\ufeff"
# Spreadsheets read a cell that starts with one of these as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_chunks(chunks: Iterable[list[Movement]], language: str) -> Iterator[str]:
    """Yield the file in pieces.

    Django reads them after the view has returned, so the language is activated for each piece.
    """
    with translation.override(language):
        header: list[str | int] = [
            pgettext("statement", "Time"),
            pgettext("statement", "Cause"),
            pgettext("statement", "Code"),
            _("Reason"),
            pgettext("statement", "Credits"),
            pgettext("statement", "Balance"),
        ]
    yield BYTE_ORDER_MARK + _lines([header])
    source = iter(chunks)
    while True:
        with translation.override(language):
            chunk = next(source, None)
        if chunk is None:
            return
        yield _lines([_row(movement) for movement in chunk])


def _row(movement: Movement) -> list[str | int]:
    return [
        movement.transfer.created_at.isoformat(timespec="seconds"),
        _harmless(movement.text),
        movement.transfer.cause,
        _harmless(movement.reason),
        movement.credits,
        movement.balance,
    ]


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _lines(rows: list[list[str | int]]) -> str:
    buffer = StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue()
