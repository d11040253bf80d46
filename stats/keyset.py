"""Keyset pagination of long lists, so that a late page costs as much as the first.

The query names the row at the edge of the page by its id: `before` asks for older rows, `after` for
newer ones. Rows are ordered by id or, with `moment`, by that field and then by id, the newest
first. There must be an index in this order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)
# Most digits of an id.
LONGEST = 18


@dataclass(frozen=True, slots=True)
class KeysetPage(Generic[M]):
    """Rows, the newest first; ids for the links to newer and older rows, if there are any."""

    rows: list[M]
    after: int | None
    before: int | None


def page_of(
    rows: QuerySet[M], query: Mapping[str, Any], length: int, moment: str = ""
) -> KeysetPage[M]:
    """Return the page that the query names; the first page if its id is not in `rows`."""
    before, after = (_id(query.get(name)) for name in ("before", "after"))
    edge = rows.filter(pk=before or after).first() if before or after else None
    if edge is None:
        return _older(rows, length, moment, None)
    return _older(rows, length, moment, edge) if before else _newer(rows, length, moment, edge)


def _older(rows: QuerySet[M], length: int, moment: str, edge: M | None) -> KeysetPage[M]:
    older = rows if edge is None else rows.filter(_beyond(edge, moment, "lt"))
    found = list(older.order_by(*_order(moment, "-"))[: length + 1])
    shown = found[:length]
    newest = shown[0].pk if edge is not None and shown else None
    return KeysetPage(shown, newest, shown[-1].pk if len(found) > length else None)


def _newer(rows: QuerySet[M], length: int, moment: str, edge: M) -> KeysetPage[M]:
    newer = rows.filter(_beyond(edge, moment, "gt")).order_by(*_order(moment, ""))
    found = list(newer[: length + 1])
    if len(found) <= length:  # show a whole first page instead of a part of it
        return _older(rows, length, moment, None)
    shown = found[:length][::-1]
    return KeysetPage(shown, shown[0].pk, shown[-1].pk)


def _order(moment: str, sign: str) -> list[str]:
    return [f"{sign}{moment}", f"{sign}pk"] if moment else [f"{sign}pk"]


def _beyond(edge: Model, moment: str, than: str) -> Q:
    """Return the condition for one side of the edge; its first part is one range of the index."""
    if not moment:
        return Q(**{f"pk__{than}": edge.pk})
    at = getattr(edge, moment)
    same = Q(**{moment: at, f"pk__{than}": edge.pk})
    return Q(**{f"{moment}__{than}e": at}) & (Q(**{f"{moment}__{than}": at}) | same)


def _id(given: Any) -> int | None:
    text = str(given or "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST else None
