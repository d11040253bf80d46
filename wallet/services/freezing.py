"""Freeze the credits if the ledger is inconsistent, until staff lift the freeze.

Play goes on meanwhile. New reservations, and transfers other than corrections by staff, are
refused; owed transfers, such as the payouts of ended matches and tournaments, wait
(`wallet/services/owed.py`). Reserved credits may still be given back, or moved to the pot for which
they were reserved: neither changes what anybody is owed.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.backends import ModelBackend

from accounts.mail import member_emails
from accounts.models import User
from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from wallet.models import Freeze
from wallet.reconciliation import Difference
from wallet.services.owed import OWED

# Staff with this permission may lift a freeze, and get an email when one begins.
PERMISSION = "wallet.correct"
# Differences that the freeze lists; `manage.py reconcile` lists all of them.
KEPT = 20


def begin(differences: Sequence[Difference], now: datetime) -> Freeze | None:
    """Freeze the credits and email the staff who can lift the freeze.

    Return None if there is no difference, if credits are frozen already, or if staff lifted the
    last freeze knowing of all these differences. Call it also without differences: it then forgets
    those that were mended, so that one that comes back is new.
    """
    lines = sorted(map(str, differences))
    found = sorted({each.identity for each in differences})
    with write_transaction():
        last = Freeze.objects.select_for_update().order_by("-id").first()
        if last is not None and last.lifted_at is None:
            return None
        if not found or (last is not None and _knows(last, found, lines)):
            _forget_mended(last, found)
            return None
        report = "\n".join(lines[:KEPT])
        begun, is_new = Freeze.objects.get_or_create(
            lifted_at=None,
            defaults={
                "began_at": now,
                "differences": len(lines),
                "report": report,
                "known": found,
            },
        )
        if not is_new:
            return None
        staff = User.objects.with_perm(PERMISSION, backend=_backend())
        for user_id in staff.filter(is_staff=True).values_list("pk", flat=True):
            member_emails.write(user_id, "frozen", {"number": len(lines), "report": report})
        return begun


def lift(freeze: Freeze, by_id: int, reason: str, now: datetime) -> bool:
    """End the freeze, so that owed transfers are posted; return whether it was open."""
    with write_transaction():
        changed = Freeze.objects.filter(pk=freeze.pk, lifted_at=None).update(
            lifted_at=now, lifted_by_id=by_id, reason=reason
        )
        if changed:
            deadlines.note(OWED, now)
        return bool(changed)


def _knows(last: Freeze, found: list[str], lines: list[str]) -> bool:
    if last.known is None:  # of an earlier version, which kept a hash of the texts
        return last.digest == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return set(last.known).issuperset(found)


def _forget_mended(last: Freeze | None, found: list[str]) -> None:
    if last is not None and last.known != found:
        last.known = found
        last.save(update_fields=["known"])


def _backend() -> str:
    return f"{ModelBackend.__module__}.{ModelBackend.__qualname__}"
