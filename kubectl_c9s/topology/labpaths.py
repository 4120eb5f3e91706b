"""Paths of a bare lab: path variables, identities, names of ConfigMaps (staging.md B2, B3, D)."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from kubectl_c9s.topology.policy import clean_path

INLINE_CONFIG_PATH: Final = "/clabernetes/startup-config.partial.cfg"
_URL: Final = re.compile(r"(https?|s3|ftp|sftp|scp)://", re.IGNORECASE)
_VARIABLE: Final = re.compile("__clab(Dir|LabName|NodeDir|NodeName)__")
_URL_PATH: Final = re.compile(r"[^:/]*://[^/?#]*([^?#]*)")
_ESCAPES: Final = re.compile("(?:%[0-9A-Fa-f]{2})+")
_MAX_NAME: Final = 63
_CUT: Final = 55


def replace_variables(path: str, lab: str, node: str) -> str:
    """Replace the path variables; the lab directory is relative, so that no name depends on the machine."""
    if "__clab" not in path:
        return path
    directory = f"clab-{lab}"
    values = {
        "Dir": directory,
        "LabName": directory,
        "NodeDir": f"{directory}/{node}",
        "NodeName": node,
    }
    return _VARIABLE.sub(lambda found: values[found[1]], path)


def is_url(value: str) -> bool:
    """Tell whether containerlab would download this value."""
    return _URL.match(value) is not None


def url_file_name(url: str) -> str:
    """Give the last part of a URL's path with its escapes resolved, empty when it has none."""
    found = _URL_PATH.match(url)
    path = _ESCAPES.sub(_unescape, found[1]) if found else ""
    name = path.rstrip("/").rpartition("/")[2]
    return "" if name in {".", ".."} else name


def _unescape(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")


def identity(file_path: str) -> str:
    """Give the identity of a staged file: its cleaned path."""
    return clean_path(file_path)


def below(directory: str, relative: str) -> str:
    """Give the path of a file of a staged directory."""
    return clean_path(f"{clean_path(directory)}/{relative}")


def inline_identity(node: str) -> str:
    """Give the identity of an inline startup configuration, by the written node name."""
    return clean_path(f"inline-startup-config/{node}")


def embedded_license_path(node: str) -> str:
    """Give the path at which the device finds an inline licence."""
    return clean_path(f"/clabernetes/{node}/license/embedded.lic")


def config_map_name(lab: str, file_identity: str) -> str:
    """Name the ConfigMap of one identity; both ends are made letters, as containerlab does."""
    digest = hashlib.sha256(file_identity.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    name = f"{lab}-file-{digest}"
    if len(name) > _MAX_NAME:
        name = f"{name[:_CUT]}-{hashlib.sha256(name.encode()).hexdigest()[:7]}"
    name = re.sub(r"[^a-z0-9-]", "-", name.lower())
    first = name[0] if "a" <= name[0] <= "z" else "z"
    last = name[-1] if "a" <= name[-1] <= "z" else "z"
    return first + name[1:-1] + last


def in_pod(file_path: str) -> str:
    """Give the one place in a Pod that a path means: cleaned, with a leading slash."""
    return clean_path(f"/{file_path}")
