"""Match files for download."""
