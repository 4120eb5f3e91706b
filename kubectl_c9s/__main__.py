"""``python -m kubectl_c9s``."""

from __future__ import annotations

from kubectl_c9s.cli.main import console

if __name__ == "__main__":
    console()
