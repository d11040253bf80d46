"""Make stored rows equal to those that a rebuild computed."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

# Rows read or written at once.
CHUNK = 500
Key = tuple[Any, ...]


def replace(
    model: Any,
    keys: Key,
    wanted: Mapping[Key, Mapping[str, Any]],
    among: QuerySet[Any] | None = None,
) -> int:
    """Store the wanted rows, delete all others (of `among` if given); return how many differed.

    `keys` names the key fields. `wanted` maps their values to the values of the other fields, which
    are the same fields in each row. Names of foreign keys end in `_id`.
    """
    missing, changed, strays = dict(wanted), [], []
    rows = model.objects.all() if among is None else among
    for row in rows.iterator(chunk_size=CHUNK):
        values = missing.pop(tuple(getattr(row, name) for name in keys), None)
        if values is None:
            strays.append(row.pk)
        elif any(getattr(row, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(row, name, value)
            changed.append(row)
    for start in range(0, len(strays), CHUNK):
        model.objects.filter(pk__in=strays[start : start + CHUNK]).delete()
    if changed:
        fields = [name.removesuffix("_id") for name in next(iter(wanted.values()))]
        model.objects.bulk_update(changed, fields, batch_size=CHUNK)
    model.objects.bulk_create(
        (model(**dict(zip(keys, key, strict=True)), **new) for key, new in missing.items()),
        batch_size=CHUNK,
    )
    return len(strays) + len(changed) + len(missing)
