"""Ask for a code in each sign-in, whether by password, link or another site."""

from allauth.account.stages import LoginStage
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts.models import User
from accounts.second_factor.selectors import is_on

HASH = "session_hash"


class SecondFactorStage(LoginStage):
    key = "second_factor"
    urlname = "account_code"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Interrupt the sign-in of a member who has switched the second step on."""
        user = self.login.user
        if not isinstance(user, User) or not is_on(user.pk):
            return None, True
        self.state[HASH] = user.get_session_auth_hash()
        return redirect(self.urlname), True

    @property
    def has_hash(self) -> bool:
        """Return False for a sign-in that began in an earlier release, which stored no hash."""
        return HASH in self.state

    @property
    def is_outdated(self) -> bool:
        """Return whether the password has changed since the first step."""
        user = self.login.user
        return not isinstance(user, User) or not user.has_session_hash(self.state.get(HASH, ""))
