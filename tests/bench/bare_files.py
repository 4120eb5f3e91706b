"""A containerlab file with a startup configuration for each device: what splitting it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from process import cost, middle

if TYPE_CHECKING:
    from pathlib import Path

DEVICES, FILE_BYTES = 1_000, 50_000
WALL = 3.0  # seconds
GROWTH = 8.0  # MiB: the largest file in a few forms, and some buffers


def bare_files(tool: str, folder: Path, runs: int) -> list[str]:
    """Measure ``split`` of such a lab; give the cells of a row of the table.

    Memory must follow the largest file, not the sum: what counts is the growth over the same lab with empty files.
    """
    empty, full = (lay_out(folder / f"bare-{size}", size) for size in (0, FILE_BYTES))
    sink = folder / "objects.yaml"
    costs = [
        [cost([tool, "split", "-f", str(lab)], sink) for lab in (empty, full)]
        for _ in range(runs + 1)
    ][1:]
    wall, cpu, peak = middle([pair[1] for pair in costs])
    without = middle([pair[0] for pair in costs]).peak
    holds = wall <= WALL and peak - without <= GROWTH
    return [
        f"`split`, {DEVICES:,} devices with a file of {FILE_BYTES:,} bytes each",
        f"{wall:.3f} s",
        f"{cpu:.3f} s",
        f"{peak:.0f} MiB",
        f"{without:.0f} MiB with empty files",
        "-",
        f"≤ {WALL:g} s, ≤ {GROWTH:g} MiB more than with empty files",
        "yes" if holds else "**no**",
    ]


def lay_out(folder: Path, size: int) -> Path:
    """Write the lab, with so many bytes for each device; give the containerlab file."""
    (folder / "configs").mkdir(parents=True)
    lines = ["name: bench", "topology:", "  defaults: {kind: linux, image: 'alpine:3'}", "  nodes:"]
    for number in range(DEVICES):
        lines.append(f"    n{number}: {{startup-config: configs/n{number}.cfg}}")
        line = f"interface {number} is that of no other file\n"
        text = (line * (size // len(line) + 1))[:size]
        (folder / "configs" / f"n{number}.cfg").write_text(text, encoding="utf-8")
    lines.append("  links:")
    lines += [f"    - endpoints: ['n{n}:e1', 'n{n + 1}:e2']" for n in range(DEVICES - 1)]
    file = folder / "lab.clab.yml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file
