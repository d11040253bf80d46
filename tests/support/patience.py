"""The timeout of waits in tests."""

# Seconds. Generous, since a busy machine may stall; only a failing test waits that long.
PATIENCE_S = 600
