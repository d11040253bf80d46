"""The judge: losses, luck and reasons of decisions. Import nothing here: pages read reason_codes."""
