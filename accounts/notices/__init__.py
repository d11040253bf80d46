"""Notices to members who are away: Web Push to their devices, and emails (accounts/README.md)."""
