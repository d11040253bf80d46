"""A member's choice of notices, for each device and for emails."""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from accounts.broadcast import session_group
from accounts.models import EmailWish, NoticeKind, PushSubscription
from accounts.notices import encryption, endpoints, vapid
from accounts.people.locks import lock_unclosed
from accounts.sessions import services as sessions
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction

# Most devices of one member; one more replaces the oldest.
MOST_DEVICES = 10


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser's push subscription: the fields of its `toJSON()`, and the user agent."""

    endpoint: str
    p256dh: str
    auth: str
    user_agent: str = ""


def subscribe(
    user_id: int, session_key: str, browser: Browser, kinds: Iterable[str], now: datetime
) -> PushSubscription:
    """Push these kinds to the browser, in addition to those it had for this member.

    A browser that another member had subscribed moves to this member. Raises Refused: `push_off`
    if the site has no key for Web Push, `endpoint` for an unusable address or key of the browser,
    `closed_account`, or `signed_out` if the session ended meanwhile.
    """
    if not vapid.is_push_on():
        raise Refused("push_off")
    _check(browser)
    digest = hashlib.sha256(browser.endpoint.encode()).hexdigest()
    new = PushSubscription(
        user_id=user_id, endpoint=browser.endpoint, endpoint_digest=digest, created_at=now
    )
    with write_transaction():
        if not lock_unclosed(user_id):
            raise Refused("closed_account")
        # Signing out deletes the session and its subscriptions, and must not miss this one.
        if not sessions.lock(session_key):
            raise Refused("signed_out")
        # If the row exists, this changes nothing but locks the row. Without the lock, another
        # transaction could delete the row before the next query reads it.
        PushSubscription.objects.bulk_create(
            [new],
            update_conflicts=True,
            unique_fields=["endpoint_digest"],
            update_fields=["endpoint"],
        )
        device = PushSubscription.objects.get(endpoint_digest=digest)
        if device.user_id != user_id:
            device.deliveries.all().delete()
            device.user_id, device.kinds, device.public_id = user_id, [], new.public_id
        device.endpoint, device.p256dh, device.auth = browser.endpoint, browser.p256dh, browser.auth
        device.kinds = known([*device.kinds, *kinds])
        device.session, device.user_agent = session_group(session_key), browser.user_agent[:200]
        device.created_at = now
        device.save()
        theirs = PushSubscription.objects.filter(user_id=user_id).order_by("-created_at", "-pk")
        too_many = list(theirs.values_list("pk", flat=True)[MOST_DEVICES:])
        PushSubscription.objects.filter(pk__in=too_many).delete()
    return device


def choose(user_id: int, public_id: str, kinds: Iterable[str]) -> bool:
    """Set the kinds of one of the member's devices; return False if there is no such device."""
    with write_transaction():
        mine = PushSubscription.objects.filter(user_id=user_id, public_id=public_id)
        return bool(mine.update(kinds=known(kinds)))


def remove(user_id: int, public_id: str) -> bool:
    """Push nothing more to one of the member's devices. Idempotent.

    Return False, and change nothing, for another member's device.
    """
    with write_transaction():
        found = PushSubscription.objects.filter(public_id=public_id)
        found.filter(user_id=user_id).delete()
        return not found.exists()


def choose_emails(user_id: int, kinds: Iterable[str]) -> bool:
    """Email the member exactly these kinds; store nothing and return False for a closed account."""
    wanted = known(kinds)
    with write_transaction():
        if not lock_unclosed(user_id):
            return False
        EmailWish.objects.filter(user_id=user_id).exclude(kind__in=wanted).delete()
        rows = [EmailWish(user_id=user_id, kind=kind) for kind in wanted]
        EmailWish.objects.bulk_create(rows, ignore_conflicts=True)
    return True


def wished_emails(user_id: int) -> Collection[str]:
    return set(EmailWish.objects.filter(user_id=user_id).values_list("kind", flat=True))


def devices_of(user_id: int) -> list[PushSubscription]:
    return list(PushSubscription.objects.filter(user_id=user_id))


def are_pushed_here(user_id: int, session_key: str, kinds: Collection[str]) -> bool:
    """Return whether the browser of this session gets all these kinds already."""
    group = session_group(session_key)
    here = PushSubscription.objects.filter(user_id=user_id, session=group)
    return any(set(kinds) <= set(device.kinds) for device in here)


def known(kinds: Iterable[str]) -> list[str]:
    """Return those kinds that exist, each once, in the order of NoticeKind."""
    chosen = set(kinds)
    return [kind.value for kind in NoticeKind if kind in chosen]


def _check(browser: Browser) -> None:
    try:
        endpoints.check(browser.endpoint)
        if len(vapid.from_text(browser.auth)) != encryption.AUTH_BYTES:
            raise ValueError("auth")
        encryption.encrypt(b"", vapid.from_text(browser.p256dh), b"")  # raises for a bad key
    except ValueError as error:
        raise Refused("endpoint") from error
