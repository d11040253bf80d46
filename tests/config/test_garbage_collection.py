"""Garbage collection of the long-running processes (config/garbage_collection.py)."""

import subprocess
import sys

# In a process of its own: the test process keeps its settings.
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
"""


def test_loaded_objects_are_exempt_and_new_garbage_is_still_collected():
    done = subprocess.run([sys.executable, "-c", _CODE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "20000", "True"]
