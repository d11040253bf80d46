"""The published schema of the table's frames, and a validator of the frames to clients."""

import json
from pathlib import Path

import jsonschema

import games

SCHEMA = json.loads((Path(games.__file__).parent / "protocol.schema.json").read_text())
SERVER_FRAMES = jsonschema.Draft202012Validator(
    {"$ref": "#/$defs/server", "$defs": SCHEMA["$defs"]}
)
