"""The site's own apps, read from the folders, so that no test must be changed for a new app."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
APPS = tuple(sorted(path.parent.name for path in ROOT.glob("*/apps.py")))
