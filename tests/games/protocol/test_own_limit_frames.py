"""The error frames of a member's own limits fit the schema of the protocol."""

import json
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest

from wallet.limits.errors import OwnLimit

SCHEMA = Path(__file__).parents[3] / "games" / "protocol.schema.json"
UNTIL = datetime(2027, 5, 27, 12, tzinfo=UTC).isoformat()


@pytest.mark.parametrize(
    ("code", "details"),
    [
        ("excluded", {"until": UNTIL, "kind": "TIME_OUT"}),
        ("country_closed", {}),
        ("age_unconfirmed", {"age": 18}),
        ("own_stake", {"limit": 0}),
        ("own_loss", {"limit": 500, "left": 0, "kind": "loss_day"}),
        ("own_session", {"limit": 30, "wait_s": 1}),
    ],
)
def test_error_of_own_limits_fits_the_schema(code, details):
    schema = json.loads(SCHEMA.read_text())
    frame = {"t": "error", "id": None, **OwnLimit(1, code, **details).to_dict()}
    jsonschema.Draft202012Validator({"$ref": "#/$defs/error", "$defs": schema["$defs"]}).validate(
        frame
    )
