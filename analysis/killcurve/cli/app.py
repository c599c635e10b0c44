"""The shell's verb that serves the notebooks as an app, with Voilà."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

LOOPBACK = "127.0.0.1"

POLICY = (
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; connect-src 'self' ws: wss: "
    "data: blob:; frame-ancestors 'self'"
)
"""What pages may load: their own parts, and nothing from another machine. Voilà's templates name
style sheets with icons elsewhere; the explorers do without."""

EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8")
"""The parts of JupyterLab that pages need; others may not fit into Voilà and fail there."""


def serve_app(
    notebook: Annotated[
        str | None, typer.Argument(help="One notebook, such as 01-explore-a-unit; else a list.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Where the notebooks are, if not in a checkout.")
    ] = None,
    port: Annotated[int, typer.Option("--port", help="The port to listen on.")] = 8866,
    ip: Annotated[
        str, typer.Option("--ip", help="The address to listen on; all may ask, without a password.")
    ] = LOOPBACK,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
) -> None:
    """Serve the notebooks as pages: controls and answers, without the code.

    Only this machine can reach them, unless --ip says otherwise.

    Example: killcurve app 01-explore-a-unit
    """
    from importlib.util import find_spec

    from killcurve.tables.dataset import DataError

    place = served(folder, notebook)
    if find_spec("voila") is None:
        raise DataError(
            "the app needs Voilà, which is not installed: pip install 'killcurve[app]' brings it"
        )
    from voila.app import Voila

    Voila.launch_instance(
        argv=arguments(place, port, ip, no_browser=no_browser),
        tornado_settings={"headers": {"Content-Security-Policy": POLICY}},
    )


def served(folder: Path | None, notebook: str | None) -> Path:
    """The folder of notebooks, or the one that is asked for.

    Raises:
        DataError: if there is none, with those that there are.
    """
    from killcurve.rules.spelling import did_you_mean
    from killcurve.tables.dataset import DataError

    place = folder or Path(__file__).resolve().parents[3] / "notebooks"
    known = sorted(path.stem for path in place.glob("*.ipynb"))
    if not known:
        raise DataError(f"{place} has no notebooks: say where they are with --folder")
    if notebook is None:
        return place
    stem = notebook.removesuffix(".ipynb")
    if stem not in known:
        raise DataError(
            f"there is no notebook {stem!r}{did_you_mean(stem, known)}; there are: "
            f"{', '.join(known)}"
        )
    return place / f"{stem}.ipynb"


def arguments(place: Path, port: int, ip: str, *, no_browser: bool) -> list[str]:
    """What Voilà is told.

    >>> arguments(Path("a.ipynb"), 8866, LOOPBACK, no_browser=True)[:3]
    ['a.ipynb', '--port=8866', '--Voila.ip=127.0.0.1']
    """
    told = [str(place), f"--port={port}", f"--Voila.ip={ip}"]
    told.append(f"--VoilaConfiguration.extension_allowlist={list(EXTENSIONS)}")
    told.append("--MappingKernelManager.cull_idle_timeout=1800")
    return [*told, "--no-browser"] if no_browser else told
