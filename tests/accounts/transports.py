"""Mail servers for tests, as Django backends: named by their path in `EMAIL_TRANSPORT`."""

import threading

from django.core.mail.backends.base import BaseEmailBackend

from tests.patience import PATIENCE_S


class Recording(BaseEmailBackend):
    """Takes everything that is a letter at all."""

    sent: list = []

    def send_messages(self, messages):
        for message in messages:
            message.message()
        self.sent.extend(messages)
        return len(messages)


class Failing(Recording):
    """Fails with `error`, for everybody or `only` for one, until it is taken away."""

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
    """Has a letter in its hands until it is told to go on."""

    reached = threading.Event()
    go_on = threading.Event()

    def send_messages(self, messages):
        self.reached.set()
        assert self.go_on.wait(PATIENCE_S)
        return super().send_messages(messages)
