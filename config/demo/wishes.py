"""Open games, challenges, saved choices and wishes of the people of a demonstration."""

from datetime import datetime

from accounts.shared.refusals import Refused
from config.demo.people import People
from config.demo.play import rules_of
from lobby.models import Preset
from lobby.services import announcing, challenging, inviting, presets, wishing


def make(people: People, now: datetime) -> str:
    """Make what does not exist or has expired; return the line to print.

    The open game expires after five minutes unless its owner is on the site, the challenge after an
    hour.
    """
    made = ""
    for make_one in (_announce, _challenge, _save_choices_and_wish):
        try:
            make_one(people, now)
        except Refused:  # the game waits already, or the member is busy
            continue
        made = "Open games and challenges"
    return made


def _announce(people: People, now: datetime) -> None:
    wanted = announcing.Announcement(rules_of("short", 3), 25)
    announcing.announce(people["boris"], wanted, now)


def _challenge(people: People, now: datetime) -> None:
    offer = inviting.Offer(rules_of("long", 1))
    challenging.challenge(people["deniz"], people["annika"], offer, now)


def _save_choices_and_wish(people: People, now: datetime) -> None:
    choices, name = {"variant": "long", "length": 3, "stake": 25}, "Evening nardy"
    if Preset.objects.filter(owner=people["annika"], name=name).exists():
        raise Refused("preset_name")
    presets.save(people["annika"], name, choices, now)
    wishing.wish(people["annika"], wishing.Wanted("short", least_stake=10, most_stake=100), now)
