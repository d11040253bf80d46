"""Parts of log lines that every app sets; config/logs.py writes the lines."""
