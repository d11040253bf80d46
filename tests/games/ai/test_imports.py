"""The site itself never loads numba, which would cost each of its processes 100 MB."""

import os
import subprocess
import sys


def test_site_processes_do_not_load_numba() -> None:
    modules = "config.asgi, config.background.worker, config.urls, sys"
    code = f"import {modules}; print('numba' in sys.modules)"
    env = {**os.environ, "SECRET_KEY": "only-for-checks", "DEMO": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
