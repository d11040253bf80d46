"""Email backends for tests, named by their path in `EMAIL_TRANSPORT`."""

import threading

from django.core.mail.backends.base import BaseEmailBackend

from tests.support.patience import PATIENCE_S


class Recording(BaseEmailBackend):
    """Accept every well-formed email."""

    sent: list = []

    def send_messages(self, messages):
        for message in messages:
            message.message()
        self.sent.extend(messages)
        return len(messages)


class Failing(Recording):
    """Fail with `error` for every recipient, or only for the address `only`."""

    error: Exception | None = None
    only = ""

    def send_messages(self, messages):
        if Failing.error is not None and Failing.only in ("", messages[0].to[0]):
            raise Failing.error
        return super().send_messages(messages)


class Unreachable(BaseEmailBackend):
    def open(self):
        raise ConnectionRefusedError("nobody there")


class Stuck(Recording):
    """Block while sending until released."""

    reached = threading.Event()
    go_on = threading.Event()

    def send_messages(self, messages):
        self.reached.set()
        assert self.go_on.wait(PATIENCE_S)
        return super().send_messages(messages)
