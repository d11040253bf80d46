"""Take pictures of every page in each language: `python -m tests.pictures.pages FOLDER`.

For translators: FOLDER/index.html has each page with its texts, so that a search in the browser
finds the pages with a text. The pages and the people who open them are those of the browser tests
(tests/pages/gallery.py).
"""

import argparse
import os
import sys
from pathlib import Path

import pytest

TESTS = "tests/journeys/pictures_of_pages.py"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder that does not exist yet")
    folder: Path = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True)
    os.environ["PICTURES"] = str(folder)
    sys.exit(pytest.main(["-q", "-n0", "-m", "browser", TESTS]))


if __name__ == "__main__":
    main()
