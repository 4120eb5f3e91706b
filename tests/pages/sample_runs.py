"""Writes made-up recorded starts: ``python3 sample_runs.py FILE…``; those in ``after/`` take longer to boot."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "measure"))

from run_samples import Wish, lab_run

from kubectl_c9s.measurement.runfile import write_run


def main(files: list[str]) -> None:
    """Write each file with a seed of its own."""
    for seed, name in enumerate(files, start=1):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        boot = 30.0 if path.parent.name == "after" else 19.0
        path.write_bytes(write_run(lab_run(Wish(devices=40, seed=seed, boot=boot))))


if __name__ == "__main__":
    main(sys.argv[1:])
