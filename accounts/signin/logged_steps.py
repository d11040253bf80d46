"""Log each step of signing in, right or wrong."""

from typing import Any

from allauth.account.signals import authentication_step_completed
from django.contrib.auth import signals
from django.dispatch import receiver

from accounts.models import User
from accounts.security_log import logger


@receiver(authentication_step_completed)
def log_step(sender: Any, user: User, method: str, **kwargs: Any) -> None:
    logger.info("step of signing in by %s: user %s", method, user.pk)


@receiver(signals.user_logged_in)
def log_sign_in(sender: Any, user: User, **kwargs: Any) -> None:
    logger.info("signed in: user %s", user.pk)


@receiver(signals.user_login_failed)
def log_refusal(sender: Any, **kwargs: Any) -> None:
    logger.info("sign-in refused")
