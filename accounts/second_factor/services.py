"""Switch the two-step sign-in on and off, check its codes, notify the member by email."""

from datetime import datetime

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator

from accounts.mail import member_emails
from accounts.models import User
from accounts.people.locks import lock_unclosed
from accounts.second_factor import codes, sealing
from accounts.second_factor.selectors import APP, RECOVERY, is_on
from accounts.sessions import services as sessions
from accounts.shared.transactions import write_transaction


def switch_on(
    user: User, secret: str, typed: str, kept_session: str, now: datetime
) -> list[str] | None:
    """Switch on after a right code; return the recovery codes.

    Return None for a wrong code, for a closed account, or if two-step sign-in is on already, as
    after a form that was sent twice. Ends the other sessions, which were opened without the second
    step.
    """
    step = codes.step_of(secret, codes.plain(typed), now.timestamp(), after=0)
    if step is None:
        return None
    with write_transaction():
        if not lock_unclosed(user.pk) or is_on(user.pk):
            return None
        Authenticator.objects.filter(user=user).delete()
        Authenticator.objects.create(
            user=user, type=APP, created_at=now, last_used_at=now,
            data={"secret": sealing.seal(secret), "step": step},
        )  # fmt: skip
        fresh = _store_recovery_codes(user, now)
        sessions.end_all(user.pk, except_key=kept_session)
        _notify(user, "on", now)
    return fresh


def switch_off(user: User, now: datetime) -> None:
    with write_transaction():
        if Authenticator.objects.filter(user=user).delete()[0]:
            _notify(user, "off", now)


def renew_recovery_codes(user: User, now: datetime) -> list[str]:
    """Return new recovery codes; the old ones no longer work."""
    with write_transaction():
        Authenticator.objects.select_for_update().get(user=user, type=APP)
        Authenticator.objects.filter(user=user, type=RECOVERY).delete()
        fresh = _store_recovery_codes(user, now)
        _notify(user, "codes", now)
    return fresh


def accept(user_id: int, typed: str, now: datetime) -> bool:
    """Return whether a code is right, and use it up: each works once."""
    code = codes.plain(typed)
    with write_transaction():
        locked = Authenticator.objects.select_for_update().filter(user_id=user_id)
        rows = {row.type: row for row in locked.order_by("pk")}
        if APP not in rows:
            return False
        if len(code) == codes.DIGITS:
            return _accept_of_app(rows[APP], code, now)
        return RECOVERY in rows and _accept_recovery(rows[RECOVERY], code, now)


def remove(user_id: int) -> bool:
    """Switch two-step sign-in off for a member who lost phone and codes.

    Sign them out everywhere, and notify them by email. Return False if it was off.
    """
    with write_transaction():
        if not Authenticator.objects.filter(user_id=user_id).delete()[0]:
            return False
        sessions.end_all(user_id)
        member_emails.write(user_id, "second_factor_removed", {})
        return True


def warn_of_guessing(user: User, now: datetime) -> None:
    """Notify the owner that somebody has the password and tries codes."""
    with write_transaction():
        _notify(user, "guessed", now)


def _accept_of_app(row: Authenticator, code: str, now: datetime) -> bool:
    secret = sealing.unseal(row.data["secret"])
    step = secret and codes.step_of(secret, code, now.timestamp(), after=row.data["step"])
    if not secret or step is None:
        return False
    row.data = {"secret": sealing.seal(secret), "step": step}  # sealed by the newest key
    _save_use(row, now)
    return True


def _accept_recovery(row: Authenticator, code: str, now: datetime) -> bool:
    known = set(sealing.digests(row.user_id, code))
    left = [digest for digest in row.data["digests"] if digest not in known]
    if len(left) == len(row.data["digests"]):
        return False
    row.data = {"digests": left}
    _save_use(row, now)
    return True


def _save_use(row: Authenticator, now: datetime) -> None:
    row.last_used_at = now
    row.save(update_fields=["data", "last_used_at"])


def _store_recovery_codes(user: User, now: datetime) -> list[str]:
    fresh = codes.new_recovery_codes()
    digests = [sealing.digest(user.pk, code) for code in fresh]
    Authenticator.objects.create(
        user=user, type=RECOVERY, created_at=now, data={"digests": digests}
    )
    return fresh


def _notify(user: User, what: str, now: datetime) -> None:
    context = {"user": user, "timestamp": now}
    get_adapter().send_notification_mail(f"account/email/second_factor_{what}", user, context)
