"""Garbage collection of the long-running processes."""

import gc

# New objects after which Python collects.
NEW_OBJECTS = 20_000


def tune() -> None:
    """Exempt all present objects from collection, and collect less often; call when ready to serve.

    By default Python collects whenever a few hundred or thousand objects are new, several times in
    each command, and now and then walks all objects of the process. Nobody is answered meanwhile.
    With 240 players the 99th percentile of the time to an ack was 170 to 770 ms; with these
    settings it is 10 to 19 ms, and a command takes 20 % less processor time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
