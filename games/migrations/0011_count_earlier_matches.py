"""Count the matches that members finished before matches were counted for their history.

Count a member's matches only up to the number that a history needs. They bring no credits.
"""

from itertools import groupby

from django.db import migrations

ENOUGH = 5
# Each side has played about ten turns of a roll and a play by then.
LEAST_ACTIONS = 40
BATCH = 1000


def count(apps, schema_editor):
    CountedMatch = apps.get_model("games", "CountedMatch")
    counted = {}  # user -> opponents; one None for each match against the computer
    new = []
    for match, finished_at, seats in _played(apps):
        for user, other, bot in _pairs(seats):
            opponents = counted.setdefault(user, [])
            if len(opponents) >= ENOUGH or (not bot and (other is None or other in opponents)):
                continue
            opponents.append(other)
            row = CountedMatch(
                user_id=user, match_id=match, opponent_id=other, counted_at=finished_at
            )
            new.append(row)
    CountedMatch.objects.bulk_create(new, batch_size=BATCH, ignore_conflicts=True)


def _played(apps):
    seats = apps.get_model("games", "Seat").objects.filter(
        match__finished_at__isnull=False, match__seq__gte=LEAST_ACTIONS
    )
    rows = (
        seats.exclude(match__outcome="void")
        .order_by("match_id")
        .values_list("match_id", "match__finished_at", "user_id", "bot")
    )
    for (match, finished_at), group in groupby(rows.iterator(BATCH), lambda row: row[:2]):
        yield match, finished_at, [row[2:] for row in group]


def _pairs(seats):
    """Yield user, opponent's user and opponent's bot for each member among two seats."""
    for (user, _), (other, bot) in (seats, seats[::-1]):
        if user is not None:
            yield user, other, bot


class Migration(migrations.Migration):
    dependencies = [("games", "0010_counted_match")]
    operations = [migrations.RunPython(count, migrations.RunPython.noop)]
