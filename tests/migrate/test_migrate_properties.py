"""Any LauncherProfile of 0.8 becomes a NodeProfile that today's schema takes, and loses nothing that exists today."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from hypothesis import given
from migrate_tools import migrate
from old_profiles import Profile, profiles

from kubectl_c9s.resources import schema
from kubectl_c9s.yamlio.reader import read_documents
from kubectl_c9s.yamlio.values import json_value

CRD = Path(__file__).parents[3] / "shared" / "crds" / "c9s.run_launcherprofiles.yaml"
GONE = {
    "deployment": {
        "containerlabDebug", "containerlabTimeout", "containerlabVersion", "extraEnv", "launcherImage",
        "launcherImagePullPolicy", "launcherLogLevel", "privilegedLauncher",
    },
    "expose": {"disableExpose"},
    "imagePull": {"dockerConfig", "dockerDaemonConfig", "insecureRegistries", "pullThroughOverride"},
    "mgmt": {"external-access", "mtu", "network"},
}  # fmt: skip
WRITTEN_ANEW = re.compile(
    r"apiVersion|kind|exposeType|^ *\"?(deployment|expose|imagePull|mgmt|spec)\"?: [{]"
)


def data(text: str) -> Any:
    (document,) = read_documents(text.encode(), "f")
    assert document.root
    return json_value(document.root)


def wanted(obj: dict[str, Any]) -> dict[str, Any]:
    """Give the profile of today, as a person would write it who knows what became of each field."""
    spec = {
        section: {name: value for name, value in inner.items() if name not in GONE.get(section, ())}
        for section, inner in obj["spec"].items()
    }
    if obj["spec"].get("expose", {}).get("disableExpose"):
        spec["expose"]["exposeType"] = "None"
    return {**obj, "apiVersion": "c9s.run/v1alpha1", "kind": "NodeProfile", "spec": spec}


def without_empty(obj: dict[str, Any]) -> dict[str, Any]:
    """Leave out the two sections that may go when nothing is left in them."""
    spec = {
        key: value
        for key, value in obj["spec"].items()
        if value or key not in {"deployment", "imagePull"}
    }
    return {**obj, "spec": spec}


@given(profiles())
def test_a_profile_of_the_old_release_becomes_one_that_todays_schema_takes(
    profile: Profile,
) -> None:
    answer = migrate(profile.text)
    assert (answer.code, answer.errors) == (0, []), answer.said
    obj = data(answer.text)
    assert without_empty(obj) == without_empty(wanted(profile.obj))
    assert schema.violations("NodeProfile", obj) == []


@given(profiles())
def test_every_field_that_goes_is_said_and_no_other(profile: Profile) -> None:
    answer = migrate(profile.text)
    gone = [
        f"spec.{section}.{name}"
        for section, names in GONE.items()
        for name in names & profile.obj["spec"].get(section, {}).keys()
    ]
    expose = profile.obj["spec"].get("expose", {})
    if expose.get("disableExpose"):
        # It lives on as a type, and what said another type had no effect.
        gone.remove("spec.expose.disableExpose")
        if expose.get("exposeType", "None") != "None":
            gone.append("spec.expose.exposeType")
    assert sorted(path for _, path in answer.warnings) == sorted(gone)


@given(profiles())
def test_comments_survive_and_a_second_run_changes_nothing(profile: Profile) -> None:
    answer = migrate(profile.text)
    found = re.findall(r"^ *(# \d+)$", answer.text, re.MULTILINE)
    assert found == profile.comments
    again = migrate(answer.text)
    assert (again.text, again.warnings, again.errors) == (answer.text, [], [])


@given(profiles())
def test_no_line_is_written_anew_but_those_of_fields_that_change(profile: Profile) -> None:
    old = iter(line.rstrip(",") for line in profile.text.splitlines())
    for line in migrate(profile.text).text.splitlines():
        # A section on a line of its own changes as a whole.
        if not WRITTEN_ANEW.search(line) and not line.startswith("{"):
            assert line.rstrip(",") in old, line


@pytest.mark.skipif(not CRD.exists(), reason="the schema of the old release is not there")
@given(profiles())
def test_what_is_drawn_here_is_what_the_old_release_takes(profile: Profile) -> None:
    assert list(old_schema().iter_errors(profile.obj["spec"])) == []


def old_schema() -> jsonschema_rs.Draft202012Validator:
    version = yaml.safe_load(CRD.read_text(encoding="utf-8"))["spec"]["versions"][0]
    spec = version["schema"]["openAPIV3Schema"]["properties"]["spec"]
    return jsonschema_rs.Draft202012Validator(closed(spec))


def closed(part: Any) -> Any:
    """Take only known fields, as strict field validation does."""
    if isinstance(part, list):
        return [closed(item) for item in part]
    if not isinstance(part, dict):
        return part
    found = {key: closed(value) for key, value in part.items() if key != "default"}
    if isinstance(part.get("properties"), dict) and part.get("type") == "object":
        found["additionalProperties"] = False
    return found
