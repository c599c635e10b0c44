"""Servers of notebooks for the browser tests: on the loopback alone, in folders thrown away."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.error import URLError

from tests.conftest import ROOT

CONFIG = """
c.ServerApp.ip = "127.0.0.1"
c.ServerApp.open_browser = False
c.ServerApp.allow_root = True
c.LabApp.expose_app_in_browser = True
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.handlers.announcements.NeverCheckForUpdate"
"""


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def environment(folder: Path, *, dark: bool = False) -> dict[str, str]:
    """Settings, kernels' files and caches of Jupyter in a folder of their own."""
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "run",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    extension = folder / "settings" / "@jupyterlab" / "apputils-extension"
    extension.mkdir(parents=True, exist_ok=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (extension / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    theme = {"theme": "JupyterLab Dark" if dark else "JupyterLab Light"}
    (extension / "themes.jupyterlab-settings").write_text(json.dumps(theme))
    analysis = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(ROOT / "analysis"))))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    own = {name: str(folder / place) for name, place in places.items()}
    return {**os.environ, **own, "PATH": path, "PYTHONPATH": analysis, "OPENBLAS_NUM_THREADS": "1"}


class Server:
    """A process that serves, with its address; it is ended with what it started."""

    def __init__(self, command: list[str], folder: Path, env: dict[str, str], ready: str) -> None:
        self._log = folder / "server.log"
        began = time.monotonic()
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdout=self._log.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            self._wait(ready)
        except BaseException:
            self.stop()
            raise
        self.seconds = time.monotonic() - began

    def _wait(self, address: str, most: float = 60) -> None:
        ask = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        end = time.monotonic() + most
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server has ended:\n{self.log()[-2000:]}")
            try:
                ask.open(address, timeout=5).close()
            except (URLError, ConnectionError, TimeoutError):
                time.sleep(0.2)
            else:
                return
        raise TimeoutError(f"no answer from {address}:\n{self.log()[-2000:]}")

    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def stop(self) -> None:
        """End the group of processes that was started here, and no other."""
        if self._process.poll() is not None:
            return
        os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(5)


def lab(root: Path, folder: Path, *, dark: bool = False) -> tuple[Server, str]:
    """JupyterLab on the notebooks of a folder, and the address of one but for its name."""
    port, token = free_port(), secrets.token_hex(16)
    config = folder / "lab_config.py"
    config.write_text(f"c = get_config()\n{CONFIG}")
    command = [sys.executable, "-m", "jupyterlab", f"--config={config}"]
    command += [f"--ServerApp.port={port}", f"--ServerApp.root_dir={root}"]
    command += [f"--IdentityProvider.token={token}"]
    base = f"http://127.0.0.1:{port}"
    server = Server(command, folder, environment(folder, dark=dark), f"{base}/api?token={token}")
    return server, f"{base}/doc/tree/{{}}?token={token}&reset"


def voila(root: Path, folder: Path) -> tuple[Server, str]:
    """Voilà as ``killcurve app`` starts it, and the address of a notebook but for its name."""
    port = free_port()
    shell = "from killcurve.cli import run; run()"
    command = [sys.executable, "-c", shell, "app", "--folder", str(root)]
    command += ["--port", str(port), "--no-browser"]
    base = f"http://127.0.0.1:{port}"
    server = Server(command, folder, environment(folder), f"{base}/")
    return server, f"{base}/voila/render/{{}}"
