"""Runs kubectl c9s from the packages beside this file; the first argument is the name it was called by.

Read by whatever ``python3`` is: it says what is needed in words that Python 3.6 understands, too.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES

NAMES = ("python3.14", "python3.13", "python3.12", "python3.11")
HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib costs start-up


def folder(suffix: str) -> str:
    """Give the folder of the packages compiled for a Python, by its suffix of modules."""
    return os.path.join(HERE, suffix.split(".")[1])  # noqa: PTH118 - see above


def try_others(arguments: "list[str]") -> None:
    """Go on with another Python on PATH that has its packages here; comes back when there is none."""
    import shutil  # noqa: PLC0415 - only when the first does not fit
    import subprocess  # noqa: PLC0415 - see above

    ask = "from importlib.machinery import EXTENSION_SUFFIXES; print(EXTENSION_SUFFIXES[0])"
    for name in NAMES:
        python = shutil.which(name)
        if python is None:
            continue
        said = subprocess.run(
            [python, "-I", "-S", "-c", ask],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        suffix = said.stdout.decode().strip()
        if said.returncode == 0 and suffix.count(".") > 1 and os.path.isdir(folder(suffix)):  # noqa: PTH112 - see above
            os.execv(python, [python, "-I", "-S", os.path.abspath(__file__), *arguments])  # noqa: PTH100, S606 - see above


def complaint() -> str:
    """Say what runs, and what would fit: folders are called ``cpython-311-x86_64-linux-gnu``."""
    names = sorted(one for one in os.listdir(HERE) if one.startswith("cpython-"))  # noqa: PTH208 - see above
    versions = ", ".join(f"{name[8]}.{name[9:].partition('-')[0]}" for name in names)
    system = names[0].split("-", 2)[2] if names else "nothing"
    mine = EXTENSION_SUFFIXES[0].split(".")[1]
    return (
        f"error: kubectl c9s cannot run with {sys.executable}, Python {sys.version.split()[0]} ({mine})\n"
        f"hint: this archive is for CPython {versions} on {system}; install one, or name it: "
        "C9S_PYTHON=/path/to/python3\n"
    )


def main(arguments: "list[str]") -> None:
    """Run the program, which ends the process, or say why that cannot be."""
    compiled = folder(EXTENSION_SUFFIXES[0])
    if not os.path.isdir(compiled):  # noqa: PTH112 - see above
        if not os.environ.get("C9S_PYTHON"):
            try_others(arguments)
        sys.stderr.write(complaint())
        sys.exit(3)
    sys.path[:0] = [compiled, os.path.join(HERE, "abi3"), os.path.join(HERE, "common")]  # noqa: PTH118 - see above
    sys.argv = arguments
    if os.path.basename(arguments[0]).startswith("kubectl_complete-"):  # noqa: PTH119 - see above
        from kubectl_c9s.cli.complete import console  # noqa: PLC0415 - it is found only now
    else:
        from kubectl_c9s.cli.main import console  # noqa: PLC0415 - see above
    console()


if __name__ == "__main__":
    main(sys.argv[1:])
