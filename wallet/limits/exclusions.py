"""Exclusions: a member's break from stakes, tournaments, gifts, top-ups and purchases.

No exclusion ends early.

An exclusion belongs to the person: it is kept under the hashes of their mailboxes and of their
accounts at other sites. These include mailboxes and accounts that the excluded account was the
first to prove and has given up. Every account that proves one of these gets the same end.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from accounts.members import identities
from accounts.models import Fingerprint
from accounts.people.locks import lock_people
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from wallet.limits import reservations
from wallet.limits.guards import in_force
from wallet.limits.rules import BREAKS
from wallet.models import Exclusion, ExclusionDigest
from wallet.services import accounts
from wallet.services.locking import lock

# Time for which an exclusion is kept after its end, for questions about it.
KEPT_FOR = timedelta(days=365)


def begin(user_id: int, code: str, now: datetime) -> Exclusion:
    """Exclude the member for the break `code` of BREAKS; give back credits reserved for later play.

    Raises `Refused("excluded_longer")` if an exclusion in force ends at the same time or later.
    Running matches and tournaments go on.
    """
    chosen = BREAKS[code]
    ends_at = now + chosen.lasts
    with write_transaction():
        lock_people(user_id)
        is_longer = in_force(now).filter(user_id=user_id, ends_at__gte=ends_at).exists()
        digests = identities.digests_of_person(user_id)
        made = None if is_longer else _write(user_id, chosen.kind, now, ends_at, digests)
    # Even if refused: the request that began the longer exclusion may have failed before this loop.
    for other_id in _owners(digests, user_id):
        with write_transaction():
            carry_over(other_id, now)
    if made is None:
        raise Refused("excluded_longer")
    return made


def carry_over(user_id: int, now: datetime) -> None:
    """Exclude an account whose person is excluded already; store its new identities.

    Runs in the caller's transaction.
    """
    digests = identities.digests_of_person(user_id)
    if not digests:
        return
    _learn(user_id, digests, now)
    theirs = in_force(now).filter(digests__digest__in=digests).order_by("-ends_at")
    last = theirs.first()
    if last is not None and last.user_id != user_id:
        own = in_force(now).filter(user_id=user_id, ends_at__gte=last.ends_at)
        if not own.exists():
            lock_people(user_id)
            _write(user_id, Exclusion.Kind(last.kind), now, last.ends_at, digests)


def forget(before: datetime) -> int:
    """Delete the exclusions that ended before a time; return their number."""
    over = Exclusion.objects.filter(ends_at__lt=before)
    count = over.count()
    over.delete()
    return count


def _write(
    user_id: int,
    kind: Exclusion.Kind,
    now: datetime,
    ends_at: datetime,
    digests: Collection[str],
) -> Exclusion:
    """Give reserved credits back, lock the account against new stakes, then store the exclusion."""
    reservations.give_back(Exclusion, user_id, now)
    lock([accounts.of_user(user_id).id])
    made = Exclusion.objects.create(user_id=user_id, kind=kind, began_at=now, ends_at=ends_at)
    ExclusionDigest.objects.bulk_create(
        ExclusionDigest(exclusion=made, digest=digest) for digest in digests
    )
    return made


def _learn(user_id: int, digests: Collection[str], now: datetime) -> None:
    """Add the member's present identities to their exclusions in force."""
    for exclusion in in_force(now).filter(user_id=user_id):
        ExclusionDigest.objects.bulk_create(
            [ExclusionDigest(exclusion=exclusion, digest=digest) for digest in digests],
            ignore_conflicts=True,
        )


def _owners(digests: Collection[str], user_id: int) -> list[int]:
    """Return the other open accounts that were the first to prove one of these identities."""
    found = Fingerprint.objects.filter(digest__in=digests, user__closed_at=None)
    others = found.exclude(user_id=user_id).order_by("user_id")
    return list(others.values_list("user_id", flat=True).distinct())
