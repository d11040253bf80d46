"""Rooms keyed by an opaque string, phrases shown in the reader's language, moderation."""
