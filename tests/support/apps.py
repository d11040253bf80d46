"""The site's own apps, read from the folders: a new app is checked without a change of a test."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
APPS = tuple(sorted(path.parent.name for path in ROOT.glob("*/apps.py")))
