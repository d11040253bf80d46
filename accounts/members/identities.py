"""Recognize a person by mailbox or ID at another site, even after they closed their account.

Only a keyed hash is kept. The keys are IDENTITY_KEYS: the hashes under all of them are stored, so
that a new key can be put in front while the old ones are still known.
"""

from collections.abc import Iterable
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.utils.crypto import salted_hmac

from accounts.mail.mailboxes import one_mailbox
from accounts.models import Fingerprint, User
from accounts.shared.transactions import write_transaction
from accounts.signals import identities_proved

BATCH = 500  # users in one transaction


def remember(user_id: int, now: datetime) -> bool:
    """Store the identities that the user has proved; return whether all of them are this user's.

    Return False for a user who has proved nothing. An identity that another user proved first stays
    that user's: digests are unique. Idempotent. Call it wherever a user gets a mailbox or an
    account of another site, and before either is deleted.
    """
    identities = _of_user(user_id)
    is_own = bool(identities)
    with write_transaction():
        for digests in map(digests_of, sorted(identities)):
            known = Fingerprint.objects.filter(digest__in=digests)
            owner_id = known.values_list("user_id", flat=True).order_by("pk").first() or user_id
            new = [Fingerprint(digest=each, user_id=owner_id, created_at=now) for each in digests]
            # This waits for a concurrent insert of the same digest; the next query reads its row.
            Fingerprint.objects.bulk_create(new, ignore_conflicts=True)
            is_own &= not known.exclude(user_id=user_id).exists()
        identities_proved.send(sender=Fingerprint, user_id=user_id, now=now)
    return is_own


def renew(user_id: int, now: datetime) -> None:
    """Store the newest hashes of a user whose stored ones come from older keys or mailbox rules.

    Sends `identities_proved` in any case.
    """
    digests = set(digests_of_user(user_id))
    is_known = Fingerprint.objects.filter(user_id=user_id).exists()
    known = Fingerprint.objects.filter(digest__in=digests).values_list("digest", flat=True)
    if is_known and digests - set(known):
        remember(user_id, now)
    else:
        with write_transaction():
            identities_proved.send(sender=Fingerprint, user_id=user_id, now=now)


def digests_of_user(user_id: int) -> list[str]:
    """Return the hashes of all identities that the user has proved, sorted."""
    return sorted(digest for identity in _of_user(user_id) for digest in digests_of(identity))


def digests_of_person(user_id: int) -> list[str]:
    """Return the hashes of the identities that the user has now or gave up, sorted.

    One that was given up counts only if this user was the first to prove it.
    """
    kept = Fingerprint.objects.filter(user_id=user_id).values_list("digest", flat=True)
    return sorted({*kept, *digests_of_user(user_id)})


def was_known(user_id: int) -> bool:
    """Return whether an identity that the user has proved is stored as another user's."""
    digests = digests_of_user(user_id)
    return Fingerprint.objects.filter(digest__in=digests).exclude(user_id=user_id).exists()


def remember_all(now: datetime) -> int:
    """Remember the identities of all members in order of activation; return the number of members.

    Afterwards all these identities have a digest under the newest key.
    """
    users = User.objects.filter(activated_at__isnull=False, closed_at__isnull=True)
    ids = list(users.order_by("activated_at", "pk").values_list("pk", flat=True))
    for start in range(0, len(ids), BATCH):
        with write_transaction():
            for user_id in ids[start : start + BATCH]:
                remember(user_id, now)
    return len(ids)


def digests_of(identity: str) -> list[str]:
    """Return the identity's hashes under all keys, sorted so that inserts cannot deadlock."""
    return sorted(
        salted_hmac("accounts.identity", identity, secret=key, algorithm="sha256").hexdigest()
        for key in settings.IDENTITY_KEYS
    )


def identities_of(emails: Iterable[str], connections: Iterable[tuple[str, str]]) -> set[str]:
    """Return the texts to hash, from emails and from pairs of another site and the ID there."""
    mailboxes = {f"mailbox:{one_mailbox(email)}" for email in emails if email}
    return mailboxes | {f"{provider}:{uid}" for provider, uid in connections}


def _of_user(user_id: int) -> set[str]:
    confirmed = EmailAddress.objects.filter(user_id=user_id, verified=True)
    emails = set(confirmed.values_list("email", flat=True))
    emails |= set(User.objects.filter(pk=user_id).values_list("email", flat=True))
    connections = SocialAccount.objects.filter(user_id=user_id)
    return identities_of(emails, connections.values_list("provider", "uid"))
