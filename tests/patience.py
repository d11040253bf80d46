"""How long tests wait for what must come: a machine may stand still, and nothing hangs on how long.

Only what never comes costs the whole of it.
"""

PATIENCE_S = 600
