"""Composition root: imports every app and is imported by none."""
