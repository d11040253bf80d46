"""Kill a process at every step of its work on a payment, then go on as the site does.

    python -m tests.shop.payments.killed_run [N]

The database of DATABASE_URL must be migrated and empty. A step is a statement, or the moment before
or after a commit. At each step, or at each Nth, a separate process is killed. Then the provider
sends its message again, if the scenario has one, and the worker checks the payment, both twice. The
payment must end the same as without the kill. The script prints as JSON the number of kills of each
scenario and the faults.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import django
from django.conf import settings

from tests.load.farm import fork, status_of

KILLED = 9  # exit status of a process that ended at its step
# More steps than any scenario has.
MOST_STEPS = 200


@contextmanager
def ending_at(step: int) -> Iterator[None]:
    """End the process when its connection reaches the step."""
    from django.db import connection

    left = step

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os._exit(KILLED)

    def execute(run: Callable[..., Any], *arguments: Any) -> Any:
        count()
        return run(*arguments)

    commit = connection._commit

    def killed_commit() -> None:
        count()
        commit()
        count()

    connection._commit = killed_commit  # type: ignore[method-assign]
    with connection.execute_wrapper(execute):
        yield


class Scenario:
    """An action on a payment, and the state that it must lead to."""

    def __init__(self, name: str, end: tuple[str, int, int, int]) -> None:
        self.name = name
        self.end = end  # state, credits, debt, emails
        self.kills = 0
        self.faults: list[str] = []

    def run(self, every: int) -> None:
        from wallet.reconciliation import reconcile

        for step in range(1, MOST_STEPS, every):
            payment = self.prepare(step)
            if not self._kill(payment, step):
                break
            self.kills += 1
            self._recover(payment)
            self._check(payment, f"{self.name} killed at step {step}")
        else:
            self.faults.append(f"{self.name}: more than {MOST_STEPS} steps")
        self._recover(payment)
        self._check(payment, f"{self.name} not killed")
        self.faults += [f"{self.name}: {each}" for each in reconcile().differences]

    def _kill(self, payment: Any, step: int) -> bool:
        from django.db import connections

        def act() -> None:
            with ending_at(step):
                self.act(payment)

        connections.close_all()
        status = status_of(fork(act))
        assert status in (0, KILLED), f"{self.name}: ended with {status}"
        return status == KILLED

    def _recover(self, payment: Any) -> None:
        from shop.payments import checks
        from tests.shop.payments.factories import NOW

        for minutes in (5, 30):
            self.repeat(payment)
            checks.settle_due(NOW + timedelta(minutes=minutes))

    def _check(self, payment: Any, what: str) -> None:
        from accounts.models import OutgoingEmail
        from shop.payments import debts
        from tests.shop.payments.factories import available
        from wallet.models import Transfer

        payment.refresh_from_db()
        posted = Transfer.objects.filter(key=f"top_up:{payment.public_id}").count()
        emails = OutgoingEmail.objects.filter(user=payment.user).count()
        debt = debts.owed_by(payment.user_id)
        found = (payment.state, available(payment.user), debt, emails)
        if found != self.end or posted != 1:
            self.faults.append(f"{what}: {found}, {posted} times posted")

    def prepare(self, step: int) -> Any:
        from tests.shop.payments.factories import begun
        from tests.wallet.factories import player

        payment = begun(player(f"{self.name}{step}", credits=0))
        self.at_bank(payment, "PAID")
        return payment

    def act(self, payment: Any) -> None:
        raise NotImplementedError

    def repeat(self, payment: Any) -> None:
        """Repeat the action if another party does so after a failure; by default none does."""

    @staticmethod
    def at_bank(payment: Any, state: str) -> None:
        from shop.models import SandboxCheckout

        SandboxCheckout.objects.filter(payment_id=payment.public_id).update(state=state)


class Webhook(Scenario):
    """The provider's message that a payment was made."""

    def act(self, payment: Any) -> None:
        from tests.shop.payments.factories import bank, paid_facts, post
        from tests.shop.payments.factories import sandbox as provider

        event = f"paid {payment.public_id}"
        body = provider.message_of(event, "pay", paid_facts(payment))
        assert post(body, bank().sign(body)) == 200

    repeat = act


class Lost(Scenario):
    """The worker's check of a payment whose message is lost."""

    def act(self, payment: Any) -> None:
        from shop.payments import checks
        from tests.shop.payments.factories import NOW

        checks.settle_due(NOW + timedelta(minutes=1))


class Returned(Webhook):
    """The message that a payment was refunded after the member spent a part of its credits."""

    def prepare(self, step: int) -> Any:
        from tests.shop.payments.factories import paid_facts, spend, told

        payment = super().prepare(step)
        told(payment, paid_facts(payment))
        spend(payment.user, 300)
        return payment

    def act(self, payment: Any) -> None:
        from tests.shop.payments.factories import bank, post, refunded
        from tests.shop.payments.factories import sandbox as provider

        event = f"refund {payment.public_id}"
        body = provider.message_of(event, "refund", refunded(payment))
        assert post(body, bank().sign(body)) == 200

    repeat = act


class Failed(Webhook):
    """The message that a refund failed after a part of it had become a debt."""

    def prepare(self, step: int) -> Any:
        from tests.shop.payments.factories import paid_facts, refunded, spend, told

        payment = super().prepare(step)
        told(payment, paid_facts(payment))
        spend(payment.user, 300)
        told(payment, refunded(payment))
        return payment

    def act(self, payment: Any) -> None:
        from tests.shop.payments.factories import bank, failed_refund, post
        from tests.shop.payments.factories import sandbox as provider

        event = f"failed {payment.public_id}"
        body = provider.message_of(event, "failed", failed_refund(payment))
        assert post(body, bank().sign(body)) == 200

    repeat = act


class Refund(Scenario):
    """The worker's request to the provider for a refund that staff asked for."""

    def prepare(self, step: int) -> Any:
        from accounts.shared.transactions import write_transaction
        from shop.payments import refunds
        from tests.shop.payments.factories import NOW, paid_facts, told

        payment = super().prepare(step)
        told(payment, paid_facts(payment))
        with write_transaction():
            assert refunds.ask(payment, None, "Bought twice", NOW)
        return payment

    act = Lost.act


def main(every: int) -> None:
    # Forked processes that are killed must not share a connection pool and its threads.
    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)
    settings.ALLOWED_HOSTS.append("testserver")
    django.setup()
    from tests.support.static_scan import scan_static_files_once

    scan_static_files_once()
    scenarios = [
        Webhook("paid", ("PAID", 1000, 0, 1)),
        Lost("lost", ("PAID", 1000, 0, 1)),
        Returned("back", ("REFUNDED", 0, 300, 2)),
        Failed("undone", ("PAID", 700, 0, 3)),
        Refund("asked", ("REFUNDED", 0, 0, 2)),
    ]
    for scenario in scenarios:
        scenario.run(every)
    report = {
        "kills": {each.name: each.kills for each in scenarios},
        "faults": [fault for each in scenarios for fault in each.faults],
    }
    print(json.dumps(report))  # noqa: T201


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or "1"))
