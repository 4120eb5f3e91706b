"""A running proxy as a test holds it: started as a process, told what goes wrong, asked what went on."""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from bed_client import Access, ApiClient, read_kubeconfig, write_private
from fault_log import Pass, passes, read_log
from fault_rules import load_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fault_rules import Json

MAIN: Final = Path(__file__).with_name("fault_main.py")
WITHIN: Final = 60.0  # seconds; a busy machine needs a few


class ProxyBroken(Exception):
    """The proxy does not do what it was told; the message has its words."""


@dataclasses.dataclass
class FaultProxy:
    """A running proxy and its folder (fault_main.py)."""

    folder: Path
    _since: int = 0

    @property
    def kubeconfig(self) -> Path:
        """Give the way through the proxy, as administrator."""
        return self.folder / "kubeconfig"

    @property
    def access(self) -> Access:
        """Give what a client needs to go through the proxy, as administrator."""
        return read_kubeconfig(self.kubeconfig)

    @property
    def log(self) -> Path:
        """Give the file with the proxy's log."""
        return self.folder / "faults.jsonl"

    def client(
        self, token: str = "", *, agent: str = "testbed", timeout: float = 30.0
    ) -> ApiClient:
        """Make a client that goes through the proxy, as administrator or as the owner of a token."""
        access = self.access.as_token(token) if token else self.access
        return ApiClient(access, agent=agent, timeout=timeout)

    def kubeconfig_for(self, token: str, path: Path) -> Path:
        """Write a kubeconfig for the owner of a token."""
        write_private(path, self.access.as_token(token).kubeconfig())
        return path

    def rules(self, *rules: Json, seed: int = 0) -> None:
        """Replace the rules; counts and :meth:`passes` begin anew. Without any, nothing goes wrong."""
        self._since = self.log.stat().st_size
        self._control("PUT", "/rules", {"seed": seed, "rules": list(rules)})

    def load(self, path: Path) -> None:
        """Replace the rules by those of a file, JSON or YAML."""
        table = load_table(path).source
        self.rules(*table.get("rules") or (), seed=table.get("seed", 0))

    def replay(self, log: Path) -> None:
        """Do as a log says instead of rules."""
        self._since = self.log.stat().st_size
        self._control("POST", "/replay", {"log": str(log)})

    def fired(self) -> dict[str, int]:
        """Give how often each rule was applied."""
        counts: dict[str, int] = self._control("GET", "/state")["fired"]
        return counts

    def state(self) -> Json:
        """Give the proxy's numbers of now."""
        return self._control("GET", "/state")

    def cut(self) -> int:
        """Reset all connections of clients; give how many there were."""
        return int(self._control("POST", "/cut")["cut"])

    def passes(self) -> list[Pass]:
        """Give the requests since the rules were put in, those under way without an end."""
        return passes(read_log(self.log, self._since))

    def settled(self) -> list[Pass]:
        """Give the requests since the rules were put in, when all of them have ended."""
        until = time.monotonic() + WITHIN
        while True:
            found = self.passes()
            if all(one.end for one in found):
                return found
            if time.monotonic() > until:
                raise ProxyBroken(f"a request does not end: {found}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Tell the process to end."""
        self._control("POST", "/stop")

    def _control(self, method: str, path: str, body: Any = None) -> Json:
        place = json.loads((self.folder / "control.json").read_text(encoding="utf-8"))
        host = urllib.parse.urlsplit(place["url"]).netloc
        with contextlib.closing(http.client.HTTPConnection(host, timeout=WITHIN)) as connection:
            fields = {"Authorization": f"Bearer {place['secret']}"}
            connection.request(method, path, json.dumps(body), fields)
            response = connection.getresponse()
            answer: Json = json.loads(response.read())
        if response.status != http.client.OK:
            raise ProxyBroken(str(answer.get("error")))
        return answer


@contextlib.contextmanager
def fault_proxy(kubeconfig: Path, folder: Path, *arguments: str) -> Iterator[FaultProxy]:
    """Run a proxy for as long as the block lasts; it ends with this process, whatever happens to that."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    where = [f"--kubeconfig={kubeconfig}", f"--folder={folder}", "--until-eof"]
    with (
        (folder / "stderr.txt").open("w+", encoding="utf-8") as errors,
        subprocess.Popen(
            [sys.executable, str(MAIN), *where, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        try:
            _wait_ready(process, errors)
            yield FaultProxy(folder)
        finally:
            process.communicate(timeout=WITHIN)  # closes its standard input


def _wait_ready(process: subprocess.Popen[str], errors: IO[str]) -> None:
    assert process.stdout is not None
    if not process.stdout.readline().startswith("KUBECONFIG="):
        process.wait(WITHIN)
        errors.seek(0)
        raise ProxyBroken(f"the proxy has ended with {process.returncode}: {errors.read()}")
