from django.db import migrations

COUNTS_HEAD_TO_HEAD = ["STAKE", "FRIENDLY", "TOURNAMENT"]


def count_earlier_matches(apps, schema_editor):
    """Add up the matches that are counted already; the worker adds those that wait."""
    OpponentRecord = apps.get_model("stats", "OpponentRecord")
    rows = apps.get_model("stats", "PlayedMatch").objects.filter(
        opponent__isnull=False,
        match__kind__in=COUNTS_HEAD_TO_HEAD,
        result__in=["won", "lost", "drawn"],
    )
    values = rows.order_by("finished_at", "match_id").values_list(
        "user_id", "opponent_id", "result", "match_id", "finished_at"
    )
    records = {}
    for user_id, opponent_id, result, match_id, finished_at in values.iterator(chunk_size=1000):
        key = (user_id, opponent_id)
        record = records.setdefault(key, OpponentRecord(user_id=user_id, opponent_id=opponent_id))
        setattr(record, result, getattr(record, result) + 1)
        record.last_match_id, record.last_at = match_id, finished_at
    OpponentRecord.objects.bulk_create(records.values(), batch_size=1000)


class Migration(migrations.Migration):
    dependencies = [("stats", "0009_opponent_records")]
    operations = [migrations.RunPython(count_earlier_matches, migrations.RunPython.noop)]
