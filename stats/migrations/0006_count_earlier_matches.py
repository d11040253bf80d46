from itertools import islice

from django.db import migrations


def enter_finished_matches(apps, schema_editor):
    """Let the worker count the matches that are over already."""
    Seat = apps.get_model("games", "Seat")
    CountedSeat = apps.get_model("stats", "CountedSeat")
    seats = Seat.objects.filter(user__isnull=False, match__finished_at__isnull=False)
    found = seats.order_by("pk").values_list("pk", "match__finished_at").iterator(chunk_size=1000)
    while rows := list(islice(found, 1000)):
        CountedSeat.objects.bulk_create(
            [CountedSeat(seat_id=pk, finished_at=finished_at) for pk, finished_at in rows]
        )


class Migration(migrations.Migration):
    dependencies = [("stats", "0005_counted_seats")]
    operations = [migrations.RunPython(enter_finished_matches, migrations.RunPython.noop)]
