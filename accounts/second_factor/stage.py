"""The step that asks for a code, in sign-ins by password and by other sites alike."""

from allauth.account.stages import LoginStage
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts.second_factor.selectors import is_on


class SecondFactorStage(LoginStage):
    key = "second_factor"
    urlname = "account_code"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Interrupt the sign-in of a member who has switched the second step on."""
        user = self.login.user
        if user is None or not is_on(user.pk):
            return None, True
        return redirect(self.urlname), True
