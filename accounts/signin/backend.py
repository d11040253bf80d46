"""The authentication backend."""

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress

from accounts.models import User
from accounts.signup.login_rules import normalize_email


class Backend(AuthenticationBackend):
    """allauth's backend, except that sign-in by email does not reveal which emails have accounts.

    A visitor may register with anybody's email. If signing in to that registration by email
    worked only for emails without a member, the visitor would learn which have one. So the
    member's account and the latest registration are both tried, and a hash is computed for each
    even if it does not exist.
    """

    def get_user(self, user_id: int) -> User | None:
        """Return the user of a session with the preferences, which every page needs."""
        user = User.objects.select_related("preferences").filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None

    def _authenticate_by_email(self, email: str, password: str) -> User | None:
        if "@" not in email:
            return None
        for user in (_member(email), _registration(email)):
            if user is None:
                self._mitigate_timing_attack(password)
            elif found := self._check_password(user, password):
                return found
        self._did_check_password = True
        return None


def _member(email: str) -> User | None:
    return _newest(email, verified=True)


def _registration(email: str) -> User | None:
    return _newest(email, verified=False)


def _newest(email: str, verified: bool) -> User | None:
    addresses = EmailAddress.objects.filter(email=normalize_email(email), verified=verified)
    address = addresses.select_related("user").order_by("-pk").first()
    return address.user if address else None
