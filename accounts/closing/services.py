"""Close an account: erase personal data, keep the row for the ledger and others' matches."""

from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db.models import Model, Q
from django.utils.translation import gettext_lazy as _

from accounts.members import identities
from accounts.models import (
    Block,
    EmailWish,
    Friendship,
    Note,
    Notice,
    Origin,
    OutgoingEmail,
    Picture,
    Preferences,
    Presence,
    Profile,
    PushSubscription,
    User,
)
from accounts.profile import avatars
from accounts.sessions import services as sessions
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from accounts.signals import member_closing, member_closing_asked
from accounts.signup.retired_logins import retired_name


def close(user_id: int, now: datetime) -> None:
    """Erase the member's personal data.

    Raises Refused, here or in a receiver of `member_closing`, and changes nothing then. Its detail
    `why` is a sentence for the member.
    """
    with write_transaction():
        # A full lock could deadlock with a transaction that inserts a reference to the member, for
        # example by opening a table of their tournament: each would wait for the other's rows.
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        if user.closed_at:
            return
        _refuse_staff(user)
        member_closing.send(sender=User, user_id=user_id)
        identities.remember(user_id, now)
        _erase_emails(user)
        _erase_related_rows(user)
        _reset_profile(user)
        _erase_person(user, now)
        sessions.end_all(user_id)


def known_refusal(user: User) -> str:
    """Return a known reason why `close` would refuse now, a sentence for the member, or "".

    `close` may still refuse for another reason.
    """
    try:
        _refuse_staff(user)
        member_closing_asked.send(sender=User, user_id=user.pk)
    except Refused as refusal:
        return str(refusal.details["why"])
    return ""


def _refuse_staff(user: User) -> None:
    if user.is_staff or user.is_superuser:
        raise Refused(
            "staff",
            why=_("Staff accounts cannot be closed: remove their staff rights first."),
        )


def _erase_emails(user: User) -> None:
    """Delete the emails written for the user and those to their addresses, regardless of case."""
    addresses = {
        user.email,
        *EmailAddress.objects.filter(user=user).values_list("email", flat=True),
    }
    theirs = Q(user=user)
    for address in filter(None, addresses):
        theirs |= Q(to__iexact=address)
    OutgoingEmail.objects.filter(theirs).delete()


def _erase_related_rows(user: User) -> None:
    EmailAddress.objects.filter(user=user).delete()
    SocialAccount.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    Block.objects.filter(Q(owner=user) | Q(blocked=user)).delete()
    Note.objects.filter(Q(owner=user) | Q(about=user)).delete()
    Friendship.objects.filter(Q(first=user) | Q(second=user)).delete()
    Presence.objects.filter(user=user).delete()
    Origin.objects.filter(user=user).delete()
    Picture.objects.filter(user=user).delete()
    Notice.objects.filter(user=user).delete()
    PushSubscription.objects.filter(user=user).delete()
    EmailWish.objects.filter(user=user).delete()


def _reset_profile(user: User) -> None:
    """Reset profile and preferences to defaults; delete the avatar's file after the commit."""
    profile = Profile.objects.select_for_update().get(user=user)
    avatars.forget_upload(profile)
    for row in (profile, Preferences.objects.get(user=user)):
        _reset_fields(row)


def _reset_fields(row: Model) -> None:
    for field in row._meta.concrete_fields:
        if not (field.primary_key or field.is_relation):
            setattr(row, field.attname, field.get_default())
    row.save()


def _erase_person(user: User, now: datetime) -> None:
    user.username = retired_name(user.username)
    user.email = user.first_name = user.last_name = ""
    user.set_unusable_password()
    user.guest = None
    user.last_login = None
    user.is_active = False
    user.closed_at = now
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
