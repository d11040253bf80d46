"""Make PostgreSQL itself refuse to change or unbalance the ledger.

On SQLite the services are the only guard, and `manage.py reconcile` is the check. TRUNCATE is
allowed: Django's tests empty their database with it.
"""

import django.db.models.deletion
from django.db import migrations, models

APPEND_ONLY = """
CREATE FUNCTION wallet_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% refused: % is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER wallet_transfer_append_only BEFORE UPDATE OR DELETE ON wallet_transfer
  FOR EACH ROW EXECUTE FUNCTION wallet_refuse();
CREATE TRIGGER wallet_entry_append_only BEFORE UPDATE OR DELETE ON wallet_entry
  FOR EACH ROW EXECUTE FUNCTION wallet_refuse();
CREATE TRIGGER wallet_hold_kept BEFORE DELETE ON wallet_hold
  FOR EACH ROW EXECUTE FUNCTION wallet_refuse();
CREATE TRIGGER wallet_account_kept BEFORE DELETE ON wallet_account
  FOR EACH ROW EXECUTE FUNCTION wallet_refuse();
CREATE TRIGGER wallet_account_owner_kept BEFORE UPDATE ON wallet_account
  FOR EACH ROW WHEN ((OLD.id, OLD.kind, OLD.user_id, OLD.code)
    IS DISTINCT FROM (NEW.id, NEW.kind, NEW.user_id, NEW.code))
  EXECUTE FUNCTION wallet_refuse();
"""

# Names the columns that may change, so that columns added later may not.
RESOLVED_ONCE = """
CREATE FUNCTION wallet_resolve_once() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  resolution CONSTANT text[] := '{state,transfer_id,resolved_at}';
BEGIN
  IF OLD.state <> 'OPEN' OR NEW.state NOT IN ('CAPTURED', 'RELEASED')
    OR to_jsonb(NEW) - resolution IS DISTINCT FROM to_jsonb(OLD) - resolution
  THEN
    RAISE EXCEPTION 'UPDATE refused: hold % is %, and is resolved once', OLD.id, OLD.state
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER wallet_hold_resolved_once BEFORE UPDATE ON wallet_hold
  FOR EACH ROW EXECUTE FUNCTION wallet_resolve_once();
"""

# xmin has the low 32 bits of the (sub)transaction that wrote the row. A row that we see although
# its transaction is still in progress was written by ourselves.
WRITTEN_TOGETHER = """
CREATE FUNCTION wallet_need_new_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ours CONSTANT bigint := pg_current_xact_id()::text::bigint;
  written bigint;
BEGIN
  SELECT xmin::text::bigint INTO written FROM wallet_transfer WHERE id = NEW.transfer_id;
  -- The distance is less than half of the circle of 32 bits, in either direction.
  written := ours + (written - ours % 4294967296 + 6442450944) % 4294967296 - 2147483648;
  IF pg_xact_status(greatest(written, 1)::text::xid8) IS DISTINCT FROM 'in progress' THEN
    RAISE EXCEPTION 'INSERT refused: transfer % is complete', NEW.transfer_id
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER wallet_entry_of_new_transfer BEFORE INSERT ON wallet_entry
  FOR EACH ROW EXECUTE FUNCTION wallet_need_new_transfer();
"""

# On both tables: a transfer may have no entries, and entries may come after an early check.
BALANCED = """
CREATE FUNCTION wallet_need_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  checked CONSTANT bigint := to_jsonb(NEW) ->> TG_ARGV[0];
  entries bigint;
  total numeric;
BEGIN
  SELECT count(*), coalesce(sum(amount_credits), 0) INTO entries, total
    FROM wallet_entry WHERE transfer_id = checked;
  IF entries < 2 OR total <> 0 THEN
    RAISE EXCEPTION 'transfer % has % entries that sum to %', checked, entries, total
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER wallet_transfer_balances AFTER INSERT ON wallet_transfer
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION wallet_need_balance('id');
CREATE CONSTRAINT TRIGGER wallet_entry_balances AFTER INSERT ON wallet_entry
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION wallet_need_balance('transfer_id');
"""

# Dropping a function with CASCADE drops its triggers.
UNGUARDED = """
DROP FUNCTION wallet_refuse, wallet_resolve_once, wallet_need_new_transfer, wallet_need_balance
  CASCADE;
"""


def guard(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for sql in (APPEND_ONLY, RESOLVED_ONCE, WRITTEN_TOGETHER, BALANCED):
            schema_editor.execute(sql, params=None)


def unguard(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(UNGUARDED, params=None)


class Migration(migrations.Migration):
    dependencies = [
        ("wallet", "0001_initial"),
    ]

    operations = [
        migrations.AlterField(
            model_name="entry",
            name="transfer",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="entries",
                to="wallet.transfer",
            ),
        ),
        migrations.AlterField(
            model_name="hold",
            name="transfer",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="holds",
                to="wallet.transfer",
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                fields=["transfer", "account", "amount_credits"], name="wallet_entry_sums"
            ),
        ),
        migrations.AddIndex(
            model_name="hold",
            index=models.Index(
                condition=models.Q(("transfer__isnull", False)),
                fields=["transfer", "account"],
                name="wallet_hold_captured",
            ),
        ),
        migrations.RunPython(guard, unguard),
    ]
