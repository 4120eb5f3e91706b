"""What ``split`` and the doors beside it do: read the input, split each lab, put the objects in order."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.cli.inputs import Item, read_inputs
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.resources.findings import Findings, Position
from kubectl_c9s.topology import data
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.topology.manifest import is_namespace_name, is_topology, name_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_c9s.files.barelab import BareResult, FileOptions
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.topology.render import Rendered

_WAVES: Final = {"Namespace": "0", "ConfigMap": "0", "NodeProfile": "0", "Link": "1", "Node": "2"}
_SYNC_WAVE: Final = "argocd.argoproj.io/sync-wave"
_POD_SECURITY: Final = "pod-security.kubernetes.io/enforce"


class Work:
    """The labs of one run, and the documents that are none."""

    def __init__(self, *, waves: bool, create_namespace: bool) -> None:
        self.labs: list[Rendered] = []
        self.bare: list[BareResult] = []
        self.others: list[Item] = []
        self._waves = waves
        self._create_namespace = create_namespace

    def objects(self) -> Iterator[KubeObject]:
        """Make all objects in the order they are to be applied; ConfigMaps one at a time."""
        for obj in self._plain_objects():
            if self._waves:
                obj["metadata"]["annotations"] = {_SYNC_WAVE: _WAVES[obj["kind"]]}
            yield obj

    def _plain_objects(self) -> Iterator[KubeObject]:
        if self._create_namespace:
            yield from map(_namespace, self.bare)
        for result in self.bare:
            yield from result.config_maps()
        for kind in ("profiles", "links", "nodes"):
            for lab in self.labs:
                yield from getattr(lab, kind)

    def names(self) -> Iterator[str]:
        """Give a ``kind.group/name`` line for every object, without reading a file."""
        yield from map(_kubectl_name, self.other_objects())
        if self._create_namespace:
            yield from (_kubectl_name(_namespace(result)) for result in self.bare)
        for result in self.bare:
            yield from (f"configmap/{staged.name}\n" for staged in result.staging.maps)
        for kind in ("profiles", "links", "nodes"):
            for lab in self.labs:
                yield from map(_kubectl_name, getattr(lab, kind))

    def other_objects(self) -> Iterator[KubeObject]:
        """Give the passed-through documents as JSON data."""
        return (_as_object(item) for item in self.others)

    def other_texts(self, dump: Callable[[KubeObject], str]) -> Iterator[str]:
        """Give the passed-through documents as they were written."""
        for item in self.others:
            document = item.document
            text = document.text[document.start : document.end] if item.own_text else dump(_as_object(item))
            head, newline, rest = text.partition("\n")
            if newline and head.rstrip() == "---":
                text = rest
            yield text if text.endswith("\n") else text + "\n"

    def notes(self) -> list[str]:
        """Say what a user should know about variables, files and Secrets of bare files."""
        found: list[str] = []
        for result in self.bare:
            found += _notes(result)
        return found


def split_all(given: dict[str, Any], flags: dict[str, Any], findings: Findings) -> Work:
    """Read and split everything; what is wrong is in ``findings``.

    Raises UsageError for bad flags and unreadable files, RefusedInput when there is no lab at all.
    """
    _check_flags(flags, given)
    work = Work(waves=given["argo_sync_waves"], create_namespace=given["create_namespace"])
    items = read_inputs(given["paths"], findings, recursive=given["recursive"])
    labs = 0
    for item in items:
        if item.bare:
            labs += 1
            _split_bare(item, given, flags, work, findings)
        elif is_topology(item.document.root):
            labs += 1
            _split_topology(item, given, flags, work, findings)
        elif given["pass_through"]:
            work.others.append(item)
        else:
            message = "the document is no lab and is left out; --pass-through keeps it"
            findings.warning("not-a-lab", "", message, item.document.position(item.document.root))
    if labs > 1 and given["name"]:
        raise UsageError(f"--name can name one lab, the input has {labs}")
    if not labs and not findings.has_errors():
        hint = "a lab is a Topology (apiVersion: c9s.run/v1alpha1) or a containerlab file with a 'topology' key"
        raise RefusedInput("the input has no lab", findings.warnings, hint=hint)
    _check_labs_apart(work, findings)
    return work


def _check_flags(flags: dict[str, Any], given: dict[str, Any]) -> None:
    namespace = flags.get("namespace")
    if namespace and not is_namespace_name(namespace):
        raise UsageError(f"--namespace {namespace!r} is no name of a namespace")
    if given["paths"].count("-") > 1:
        raise UsageError("stdin can be read only once")
    for flag in ("variables", "files_from_secret", "url_digest"):
        for pair in given[flag]:
            if not all(_pair(pair)):
                name = "--set" if flag == "variables" else "--" + flag.replace("_", "-")
                if flag != "variables" or not _pair(pair)[0]:
                    raise UsageError(f"{name} {pair!r} has not the form NAME=VALUE")
    for directory in given["allow_outside"]:
        if not os.path.isdir(directory):  # noqa: PTH112 - as written
            raise UsageError(f"--allow-outside {directory}: no such directory")


def _pair(text: str) -> tuple[str, str]:
    """Split at the last ``=`` that is followed by the value; URLs and patterns may have one themselves."""
    name, equals, value = text.rpartition("=") if "://" in text else text.partition("=")
    return (name, value) if equals else ("", "")


def _split_topology(
    item: Item, given: dict[str, Any], flags: dict[str, Any], work: Work, findings: Findings
) -> None:
    if given["name"] and (problems := name_problems(given["name"])):
        raise UsageError(f"--name: {problems[0]}")
    options = Options(
        given["name"], flags.get("namespace"), not given["no_owner_label"], given["max_object_bytes"]
    )
    if (rendered := split_topology(item.document, options, findings)) is not None:
        work.labs.append(rendered)


def _split_bare(
    item: Item, given: dict[str, Any], flags: dict[str, Any], work: Work, findings: Findings
) -> None:
    # Loaded for containerlab files only: half of what a small Topology's run would import.
    from kubectl_c9s.files.barelab import split_bare  # noqa: PLC0415
    from kubectl_c9s.topology.bare import BareOptions, read_bare  # noqa: PLC0415

    document, own = item.document, Findings()
    variables = {} if given["no_env"] else dict(os.environ)
    variables.update(_pair(pair) for pair in given["variables"])
    options = BareOptions(
        variables,
        given["name"],
        flags.get("namespace"),
        not given["no_persistence"],
        given["expose_type"],
        given["image_pull_secret"],
    )
    text = document.text[document.start : document.end]
    first_line = document.text.count("\n", 0, document.start)
    lab = read_bare(text, document.file, first_line, options, own)
    result = split_bare(lab, _file_options(item.directory, given), own)
    if result is not None:
        work.bare.append(result)
        work.labs.append(result.rendered)
    findings.extend(own)


def _file_options(directory: str, given: dict[str, Any]) -> FileOptions:
    from kubectl_c9s.files.barelab import FileOptions  # noqa: PLC0415 - see _split_bare
    from kubectl_c9s.topology.staged import StagingOptions  # noqa: PLC0415

    staging = StagingOptions(
        tuple(_pair(pair) for pair in given["files_from_secret"]),
        tuple(_pair(pair) for pair in given["url_digest"]),
    )
    return FileOptions(
        directory,
        given["allow_outside"],
        given["stage_files"],
        staging,
        not given["no_owner_label"],
        given["max_object_bytes"],
    )


def _check_labs_apart(work: Work, findings: Findings) -> None:
    """Report objects of one name that come from different labs."""
    if len(work.labs) < 2:  # noqa: PLR2004 - one lab has been checked
        return
    seen: set[tuple[str, str, str]] = set()
    for lab in work.labs:
        own = {(o["kind"], o["metadata"].get("namespace", ""), o["metadata"]["name"]) for o in lab.ordered()}
        for kind, namespace, name in sorted(own & seen):
            message = f"two labs of the input both have the {kind} {name!r} in namespace {namespace!r}"
            findings.error("duplicate-object-name", f"{kind}/{name}", message, Position())
        seen |= own


def _namespace(result: BareResult) -> KubeObject:
    """Make the Namespace of a bare lab; ownership labels only if ``containerlab destroy`` may remove it."""
    name, lab = result.lab.namespace, result.lab.name
    own: dict[str, str] = {_POD_SECURITY: "privileged"}
    if name == f"c9s-{lab}" and result.owner_label:
        own |= {"containerlab.dev/runtime": "clabernetes", labels.TOPOLOGY_OWNER: lab}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": own}}


def _notes(result: BareResult) -> list[str]:
    found = []
    text = result.lab.text
    if text.used:
        found.append(f"variables replaced: {', '.join(sorted(text.used))}")
    if text.kept:
        found.append(f"variables not set, left as written: {', '.join('$' + name for name in sorted(text.kept))}")
    if maps := result.staging.maps:
        total = sum(staged.size for staged in maps)
        found.append(f"lab {result.lab.name}: {len(maps)} file(s) of {total} bytes become ConfigMaps")
    for secret, keys in sorted(result.staging.secrets.items()):
        sources = " ".join(f"--from-file={key}={identity}" for key, identity in sorted(keys.items()))
        command = f"kubectl create secret generic {secret} -n {result.lab.namespace} {sources}"
        found.append(f"create the Secret before the lab starts: {command}")
    return found


def _as_object(item: Item) -> KubeObject:
    assert item.document.root is not None  # noqa: S101 - empty documents are not handed on
    value = data.to_json(item.document, item.document.root, Findings())
    return value if isinstance(value, dict) else {"value": value}


def _kubectl_name(obj: KubeObject) -> str:
    group = str(obj.get("apiVersion", "")).rpartition("/")[0]
    kind = str(obj.get("kind", "")).lower() + (f".{group}" if group else "")
    return f"{kind}/{obj.get('metadata', {}).get('name', '')}\n"
