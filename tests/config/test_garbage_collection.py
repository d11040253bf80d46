"""Garbage collection of the long-running processes (config/garbage_collection.py)."""

import asyncio
import subprocess
import sys

import pytest

from config import garbage_collection
from config.background import worker as background
from config.management.commands import serve, worker

# Run in a separate process: `tune` would change garbage collection for all later tests.
_CODE = """
import gc, django, weakref
from config import garbage_collection
garbage_collection.tune()
class Node: pass
node = Node()
node.itself = node
gone = weakref.ref(node)
del node
kept = [[] for _ in range(garbage_collection.NEW_OBJECTS + 1)]
print(gc.get_freeze_count() > 1000, gc.get_threshold()[0], gone() is None)
old = Node()
old.itself = old
seen = weakref.ref(old)
for _ in range(2): gc.collect(_)  # now it is among the oldest objects
del old
for number in range(2 * (garbage_collection.MIDDLE + 1)):
    kept.append([[] for _ in range(garbage_collection.NEW_OBJECTS + 1)])
print(seen() is None)
"""


def test_loaded_objects_are_exempt_and_new_garbage_is_still_collected():
    done = subprocess.run([sys.executable, "-c", _CODE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "20000", "True", "True"]


@pytest.fixture
def tuned(monkeypatch):
    """Return a list that gets an entry for each call of `tune`."""
    calls = []
    monkeypatch.setattr(garbage_collection, "tune", lambda: calls.append("tuned"))
    return calls


def test_the_server_tunes_garbage_collection_when_its_port_is_open(tuned):
    told = []

    class Listening:
        listening_addresses = (("127.0.0.1", 8000),)
        _ready = staticmethod(lambda *address: told.append((address, list(tuned))))

    serve.SiteServer._say_ready(Listening())
    assert told == [(("127.0.0.1", 8000), ["tuned"])]


def test_the_worker_tunes_garbage_collection_before_its_loop(tuned, monkeypatch):
    seen = []

    async def run(stop):
        seen.extend(tuned)

    monkeypatch.setattr(background, "run", run)
    asyncio.run(worker.Command()._run(""))
    assert seen == ["tuned"]
