"""Record who accepted which version of the terms, and find out who must still accept."""

from datetime import date, datetime

from django.conf import settings
from django.core.cache import cache
from django.db import transaction

from accounts.law.versions import current_version
from accounts.models import Acceptance
from accounts.shared.prose import reader_language
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction

# Seconds for which the cache keeps an acceptance, so that the database is not asked.
REMEMBERED_S = 24 * 3600


def accept(user_id: int, version: date, now: datetime) -> None:
    """Record an acceptance. Idempotent. Raises Refused for a version that is not in force."""
    if version != current_version():
        raise Refused("law_changed")
    with write_transaction():
        Acceptance.objects.get_or_create(
            user_id=user_id,
            version=version,
            defaults={"language": reader_language(), "accepted_at": now},
        )
        transaction.on_commit(lambda: _remember(user_id, version))


def must_accept(user_id: int) -> bool:
    """Return whether the member still has to accept the version in force."""
    if not settings.ASK_TO_ACCEPT_TERMS:
        return False
    version = current_version()
    if cache.get(_key(user_id, version)):
        return False
    if Acceptance.objects.filter(user_id=user_id, version=version).exists():
        _remember(user_id, version)
        return False
    return True


def last_accepted(user_id: int) -> date | None:
    """Return the newest version that the member accepted, None if there is none."""
    mine = Acceptance.objects.filter(user_id=user_id).order_by("-version")
    return mine.values_list("version", flat=True).first()


def _remember(user_id: int, version: date) -> None:
    cache.set(_key(user_id, version), True, REMEMBERED_S)


def _key(user_id: int, version: date) -> str:
    return f"law:{version}:{user_id}"
