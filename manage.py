#!/usr/bin/env python
"""Django's command line. `python3 run.py` prepares the environment it needs."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.conf import settings
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            "Django is not installed in this Python. Run `python3 run.py` once and use "
            ".venv/bin/python manage.py."
        ) from error
    try:
        bool(settings.DEBUG)  # reads the settings
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
