from itertools import islice

from django.db import migrations


def enter_finished_reviews(apps, schema_editor):
    """Let the worker count the reviews that are done already."""
    Seat = apps.get_model("games", "Seat")
    ReviewedSeat = apps.get_model("stats", "ReviewedSeat")
    seats = Seat.objects.filter(user__isnull=False, match__review__state="DONE").order_by("pk")
    found = seats.values_list(
        "pk", "user_id", "match__review__pk", "match__variant", "match__finished_at",
        "match__review__finished_at",
    ).iterator(chunk_size=1000)  # fmt: skip
    while rows := list(islice(found, 1000)):
        ReviewedSeat.objects.bulk_create(
            [
                ReviewedSeat(
                    seat_id=seat, user_id=user, review_id=review, variant=variant,
                    finished_at=finished_at, reviewed_at=reviewed_at,
                )
                for seat, user, review, variant, finished_at, reviewed_at in rows
            ]
        )  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("stats", "0007_played_matches")]
    operations = [migrations.RunPython(enter_finished_reviews, migrations.RunPython.noop)]
