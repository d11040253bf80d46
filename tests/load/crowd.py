"""Simulated people who press "Play now", wait, play for a moment, and press again.

    python -m tests.load.crowd SECONDS USER_ID...

Everything is read from the database, so that another process can go on where a killed one stopped.
"""

import os
import random
import sys
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

LOOKS_S = 1.0  # from one look at the site to the next
PLAYS_S = (10.0, 40.0)  # from the beginning of a match to its end
RESTS_S = (0.5, 5.0)  # from a match or a canceled search to the next search
# Probability that a look at the site cancels the search.
CANCELS = 0.01
STAKE = 10


class Person:
    def __init__(self, user_id: int, rng: random.Random) -> None:
        from games.models.actor import Actor

        self.actor = Actor(user_id=user_id)
        self.rng = rng
        self.acts_at = time.monotonic() + rng.uniform(0, 2)
        self.playing = ""

    def act(self) -> None:
        from accounts.shared.refusals import Refused
        from games.selectors import running_matches
        from lobby.services import searching, stopping

        now = time.monotonic()
        if now < self.acts_at:
            return
        self.acts_at = now + LOOKS_S
        match = running_matches(self.actor).first()
        if match is not None:
            self._play(match.public_id, now)
            return
        search = stopping.open_of(self.actor).select_related("seek").first()
        try:
            if search is None or not search.is_waiting:
                searching.start(self.actor, self._choice(), _clock())
            elif self.rng.random() < CANCELS:
                stopping.cancel(self.actor, _clock())
                self.acts_at = now + self.rng.uniform(*RESTS_S)
            else:
                searching.touch(search, _clock())
        except Refused as refusal:
            sys.stdout.write(f"{refusal.code}\n")
            sys.stdout.flush()
            self.acts_at = now + 1

    def _choice(self):  # type: ignore[no-untyped-def]
        from games.engine.rules import Rules
        from lobby.services.searching import Choice

        rules = Rules.of("short", length=1, delay_ms=30_000)
        return Choice(rules, self.rng.choice([0, STAKE]))

    def _play(self, public_id: str, now: float) -> None:
        """Play for some seconds, then call the match off, which returns the stakes."""
        from accounts.shared.transactions import write_transaction
        from games.services.voiding import call_off

        if self.playing != public_id:
            self.playing = public_id
            self.acts_at = now + self.rng.uniform(*PLAYS_S)
            return
        with write_transaction():
            call_off(public_id, _clock())
        self.acts_at = now + self.rng.uniform(*RESTS_S)


def _clock():  # type: ignore[no-untyped-def]
    from accounts.shared.database_clock import CLOCK

    return CLOCK.now()


def main() -> None:
    import django

    django.setup()
    from accounts import broadcast as accounts_broadcast
    from games import broadcast as games_broadcast

    # Messages are not sent: no page listens, and each would start an event loop.
    games_broadcast.send = accounts_broadcast.send = lambda *message: None  # type: ignore[assignment]
    seconds, *user_ids = map(int, sys.argv[1:])
    people = [Person(user_id, random.Random(user_id)) for user_id in user_ids]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for person in people:
            person.act()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
