"""compose.yaml, the Dockerfile and the nginx settings in README.md fit the site and each other.

No test runs a container: these files are read as text.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from accounts.profile.avatar_images import MAX_BYTES
from config.http.body_limit import MAX_BODY_BYTES
from tests.support.own_process import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "gammon"}
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_database_is_healthy_only_when_it_answers_over_the_network() -> None:
    """The image first starts a server on a Unix socket alone, and `migrate` would not reach it."""
    assert "-h" in SERVICES["postgres"]["healthcheck"]["test"]


@pytest.mark.parametrize("name", OURS)
def test_each_service_runs_a_command_of_the_site(name: str) -> None:
    image_runs = json.loads(re.findall(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)[0])
    command = OURS[name].get("command", image_runs)
    assert command[:2] == ["python", "manage.py"]
    assert command[2] in get_commands()


@pytest.mark.parametrize("name", OURS)
def test_each_service_waits_for_services_that_exist_and_have_a_health(name: str) -> None:
    for other, wanted in OURS[name]["depends_on"].items():
        if wanted["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[other]
        elif wanted["condition"] == "service_completed_successfully":
            assert SERVICES[other]["restart"] == "no"
        else:
            assert other in SERVICES


def test_every_volume_is_declared_and_mounted() -> None:
    mounted = {
        volume.partition(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", ())
    }
    assert mounted == set(COMPOSE["volumes"])


def test_proxy_of_the_readme_passes_every_picture_that_the_site_takes() -> None:
    """By default nginx refuses pictures above 1 MB with a page of its own."""
    readme = (ROOT / "README.md").read_text()
    [megabytes] = re.findall(r"^client_max_body_size (\d+)m;$", readme, re.MULTILINE)
    assert MAX_BYTES < int(megabytes) * 1024 * 1024 <= MAX_BODY_BYTES


def test_proxy_of_the_readme_knows_every_web_process() -> None:
    found = {service["ports"][0].split(":")[1] for service in OURS.values() if "ports" in service}
    readme = (ROOT / "README.md").read_text()
    upgrade = (ROOT / "config" / "README.md").read_text()
    assert set(re.findall(r"server 127\.0\.0\.1:(\d+)(?: backup)?;", readme)) == found
    pairs = re.findall(r'(?:old|new)="(\d+) (\d+)"', upgrade)
    assert {port for pair in pairs for port in pair} == found


def test_image_is_built_from_files_that_exist_and_are_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    copied = [path for path in re.findall(r"^COPY (\S+) ", DOCKERFILE, re.MULTILINE) if path != "."]
    assert copied
    for path in copied:
        assert (ROOT / path).exists()
        assert path not in ignored
    assert {".env", "var", "db.sqlite3*"} <= set(ignored)  # secrets and data of this machine
    for command in re.findall(r"manage\.py (\w+)", DOCKERFILE):
        assert command in get_commands()
    for module in re.findall(r"python -m ([\w.]+)", DOCKERFILE):
        assert (ROOT / Path(*module.split(".")) / "__main__.py").exists()
