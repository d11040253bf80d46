"""Ask osv.dev, a database of known vulnerabilities ("faults"), about every pinned package.

The exit status is 1 if a package has a fault that is not in `ACCEPTED`. If the database gives no
readable answer, the check prints "not checked" and passes.
"""

import json
import re
import sys
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PINS = ("requirements.txt", "requirements-dev.txt")
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^;\s]+)", re.MULTILINE)
SERVICE = "https://api.osv.dev"
TIMEOUT_S = 10
# Faults that this site does not trigger: id -> reason.
ACCEPTED: dict[str, str] = {}


def pinned() -> list[tuple[str, str]]:
    """Return the name and version of each package that is pinned in the files `PINS`."""
    text = "\n".join((ROOT / name).read_text() for name in PINS)
    return sorted(set(PIN.findall(text)))


def faults_of(packages: list[tuple[str, str]], service: str) -> dict[str, list[str]]:
    """Return the ids of the faults of each package that has any; the keys are "name version".

    Raise OSError, ValueError or KeyError if the service gives no readable answer.
    """
    asked = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": version}
        for name, version in packages
    ]
    request = urllib.request.Request(
        f"{service}/v1/querybatch",
        json.dumps({"queries": asked}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
        results: list[dict[str, Any]] = json.load(answer)["results"]
    return {
        f"{name} {version}": [fault["id"] for fault in result["vulns"]]
        for (name, version), result in zip(packages, results, strict=True)
        if result.get("vulns")
    }


def main(service: str = SERVICE) -> int:
    packages = pinned()
    try:
        found = faults_of(packages, service)
    except (OSError, ValueError, KeyError) as error:
        print(f"not checked: {service} does not answer ({type(error).__name__})")
        return 0
    left = {
        package: open_ids
        for package, ids in found.items()
        if (open_ids := [each for each in ids if each not in ACCEPTED])
    }
    for package, ids in left.items():
        print(f"{package}: {', '.join(ids)}")
    print(f"{len(packages)} packages checked, {len(left)} with known faults")
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
