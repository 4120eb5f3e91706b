"""Runs the fault proxy in front of an API server until it is told to stop.

    python tests/faults/fault_main.py --kubeconfig FILE --folder DIR [--rules FILE] [--replay LOG] [--until-eof]

The first line on stdout is ``KUBECONFIG=<path>``: the way through the proxy, as an administrator with a token. In the
folder: that kubeconfig, ``control.json`` (url and secret, fault_control.py), ``ca.crt``, ``faults.jsonl``
(fault_log.py). Exit 0 when it was stopped, 2 for wrong arguments or a bad table, 3 without a server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import ssl
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "testbed"))

from bed_certs import Authority
from bed_client import Access, read_kubeconfig, write_private
from bed_state import BedUnavailable
from fault_access import NO_SERVER, administrator
from fault_control import Control
from fault_log import Journal, read_log
from fault_proxy import Proxy
from fault_rules import Table, load_table
from fault_upstream import Server, address

EXIT_USAGE = 2
EXIT_NO_SERVER = 3


def main(arguments: list[str]) -> int:
    """Do what the command line says; give the exit code."""
    options = _parser().parse_args(arguments)
    try:
        table = load_table(options.rules) if options.rules else Table()
        log = read_log(options.replay) if options.replay else None
        access = read_kubeconfig(options.kubeconfig)
        options.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, ValueError, BedUnavailable) as error:
        sys.stderr.write(f"error: {error}\n")
        return EXIT_USAGE
    try:
        with administrator(access) as token:
            asyncio.run(_run(options, access, token, table, log))
    except NO_SERVER as error:
        sys.stderr.write(f"error: no server: {error}\n")
        return EXIT_NO_SERVER
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fault_main.py", description=(__doc__ or "").splitlines()[0]
    )
    add = parser.add_argument
    add(
        "--kubeconfig", type=Path, required=True, help="of an administrator, straight to the server"
    )
    add("--folder", type=Path, required=True, help="for what it writes")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--rules", type=Path, help="JSON or YAML; by default nothing goes wrong")
    what.add_argument("--replay", type=Path, metavar="LOG", help="decide as this log says")
    add("--port", type=int, default=0, help="by default a free one")
    add("--until-eof", action="store_true", help="stop when standard input ends, too")
    return parser


async def _run(
    options: argparse.Namespace,
    access: Access,
    token: str,
    table: Table,
    log: list[dict[str, object]] | None,
) -> None:
    folder: Path = options.folder
    authority = Authority(folder)
    pair = authority.server("proxy")
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(pair.cert, pair.key)
    journal = Journal(folder / "faults.jsonl")
    proxy = Proxy(server_of(access), journal)
    proxy.put(table, log)
    port = await proxy.start(tls, options.port)
    control = Control(proxy)
    url = f"http://127.0.0.1:{await control.start()}"
    ca = authority.ca.read_text(encoding="ascii")
    way = Access(f"https://127.0.0.1:{port}", ca, token=token)
    write_private(folder / "kubeconfig", way.kubeconfig())
    write_private(folder / "control.json", json.dumps({"url": url, "secret": control.secret}))
    _stop_on_signals(control, until_eof=options.until_eof)
    sys.stdout.write(f"KUBECONFIG={folder / 'kubeconfig'}\n")
    sys.stdout.flush()
    await control.stopped.wait()
    await proxy.stop()
    journal.close()


def server_of(access: Access) -> Server:
    """Give how the proxy meets the server, for clients and for itself."""
    fields = [("Authorization", f"Bearer {access.token}")] if access.token else []
    without = Access(access.server, access.ca)
    return Server(*address(access.server), without.tls(), access.tls(), fields)


def _stop_on_signals(control: Control, *, until_eof: bool) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, control.stopped.set)

    def look() -> None:
        if not os.read(0, 1 << 16):
            control.stopped.set()

    if until_eof:
        loop.add_reader(0, look)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
