"""Runs a real kubectl, and reads what its completion offers."""

from __future__ import annotations

import subprocess


def run(command: list[str], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=variables, check=True, capture_output=True, text=True)


def completed(kubectl: str, words: list[str], variables: dict[str, str]) -> list[str]:
    """Give the lines of kubectl's answer; it says on stderr what it has called."""
    return run([kubectl, "__complete", "c9s", *words], variables).stdout.splitlines()
