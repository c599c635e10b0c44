"""Fetching against a server of our own that fails in every way; never against the network."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections import defaultdict
from dataclasses import replace
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from killcurve.sources.fetching import (
    AGENT,
    MANIFEST,
    Manners,
    bsdata,
    fetch,
    fetch_bsdata,
    fetch_wahapedia,
    forms,
    opening,
    points,
    settle,
    wahapedia,
)
from killcurve.sources.fetching.manifest import git_hash
from killcurve.sources.fetching.opening import Passing
from killcurve.sources.fetching.plans import EXPORT
from killcurve.tables.dataset import DataError

from tests.conftest import SHARED, needs_shared

QUICK = Manners(
    pause=0, timeout=10, most_time=20, attempts=3, backoff=0.01, longest_wait=1, most_bytes=500_000
)
IMPATIENT = replace(QUICK, timeout=0.3)
EXPORT_AT = "/wh40k10ed/"
POINTS_AT = "/BSData/wh40k-11e-mfm/main/data/"
POINTS_LIST = "/repos/BSData/wh40k-11e-mfm/contents/data"
NAMES = ["Last_update.csv", *(f"{name}.csv" for name in EXPORT)]
FEW = ("Last_update.csv", "Factions.csv", "Datasheets.csv", "Stratagems.csv")
SMALL = replace(wahapedia("10e"), items=tuple(i for i in wahapedia("10e").items if i.name in FEW))
"""The plan of an export with four of its files: most tests take no more."""


class Handler(BaseHTTPRequestHandler):
    """Serves ``server.files``; ``server.tricks`` are played first, one a request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        self.server.asked.append((path, dict(self.headers)))
        self.close_connection = True
        if self.server.tricks[path]:
            return self.server.tricks[path].pop(0)(self, path)
        return self.serve(path)

    def serve(self, path, **changes):
        content = self.server.files.get(path)
        if content is None:
            return self.answer(404, b"<html>none</html>", {"Content-Type": "text/html"})
        tag = f'"{hashlib.md5(content).hexdigest()}"'
        headers = {"ETag": tag, "Content-Type": "text/plain", **changes}
        if self.headers["If-None-Match"] == tag and self.server.conditional:
            return self.answer(304, b"", headers)
        asked = self.headers["Range"]
        if asked and self.headers["If-Range"] == tag and self.server.ranges:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            if start >= len(content):
                return self.answer(416, b"", {})
            place = f"bytes {start}-{len(content) - 1}/{len(content)}"
            return self.answer(206, content[start:], {**headers, "Content-Range": place})
        return self.answer(200, content, headers)

    def answer(self, status, content, headers, *, half=False):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            if value is not None:
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if half else content)
        self.wfile.flush()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.tricks, self.asked = {}, defaultdict(list), []
        self.conditional = self.ranges = True
        self.over = threading.Event()
        self.base = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_):
        pass  # the other side hung up

    def paths(self):
        return [path for path, _ in self.asked]


def says(status, **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda self, _: self.answer(status, b"sorry", names)


def page(self, _):
    self.answer(200, b"<!DOCTYPE html><html>Just a moment</html>", {"Content-Type": "text/html"})


def page_as_csv(self, _):
    self.answer(200, b"\r\n <!DOCTYPE html><html>Just | a moment</html>\n", {})


def cut(self, path):
    content = self.server.files[path]
    self.answer(200, content, {"ETag": f'"{hashlib.md5(content).hexdigest()}"'}, half=True)


def cut_without_length(self, path):
    self.answer(200, self.server.files[path], {"Content-Length": None}, half=True)


def stall(self, path):
    cut(self, path)
    self.server.over.wait(3)


def no_answer(self, _):
    self.server.over.wait(3)


def hang_up(self, _):
    self.connection.close()


def drip(self, path):
    """Half of the file, then a little at a time."""
    cut(self, path)
    while not self.server.over.wait(0.05):
        self.wfile.write(b"x")


def to(address):
    return lambda self, _: self.answer(302, b"", {"Location": address})


def rows(name, version=1):
    return f"id|name|\r\n{version}|{name} of the Bell|\r\n".encode("utf-8-sig") * 21


def publish_export(server, version=1, at=EXPORT_AT, names=FEW):
    for name in names:
        server.files[at + name] = rows(name, version)


def publish_points(server, version=1, names=("bells.yaml", "gulls.yaml", "meta.yaml")):
    listed = [{"name": "README.md", "type": "file"}, {"name": "old.yaml", "type": "dir"}]
    for name in names:
        content = f"name: {name}\nversion: '{version}'\n".encode()
        server.files[POINTS_AT + name] = content
        listed.append({"name": name, "type": "file", "sha": git_hash(content)})
    server.files[POINTS_LIST] = json.dumps(listed).encode()


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # it is for power cuts, and takes long
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    publish_export(server)
    publish_points(server)
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()
    thread.join(3)


@pytest.fixture
def get(server, tmp_path):
    """Fetch the export, or another plan, into a folder."""
    said = []

    def run(plan=None, manners=QUICK, **options):
        server.asked.clear()
        plan = plan or SMALL
        into = tmp_path / "into"
        return fetch(plan, into, say=said.append, base=server.base, manners=manners, **options)

    run.into, run.said = tmp_path / "into", said
    return run


def held(folder):
    """The files of a folder that belong to a source, as version → names."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.suffix in (".csv", ".yaml")}


def expected(server, at=EXPORT_AT):
    return {p.removeprefix(at): c for p, c in server.files.items() if p.startswith(at)}


class TestFirstTime:
    @pytest.fixture(autouse=True)
    def all_files(self, server):
        publish_export(server, names=NAMES)

    def test_every_file_comes_once_with_the_oracle_first(self, get, server):
        done = get(wahapedia("10e"))
        assert held(get.into) == expected(server)
        assert server.paths()[0].endswith("Last_update.csv")
        assert server.paths()[:-1] == [EXPORT_AT + name for name in NAMES]
        assert server.paths()[-1].endswith("Last_update.csv")  # it still stands at the end
        assert len(done.changed) == 20
        assert done.requests == 21
        assert not (get.into / ".fetching").exists()

    def test_the_agent_names_itself_and_nothing_else(self, get, server):
        get(wahapedia("10e"))
        for _, headers in server.asked:
            assert headers["User-Agent"] == AGENT
            assert set(headers) <= {
                "Host",
                "User-Agent",
                "Accept",
                "Accept-Encoding",
                "Connection",
                "If-None-Match",
            }
        assert AGENT.startswith("killcurve/")
        assert "(+https://" in AGENT

    def test_the_manifest_tells_all(self, get, server):
        get(wahapedia("10e"))
        manifest = json.loads((get.into / MANIFEST).read_bytes())
        assert manifest["source"] == "wahapedia 10e"
        assert "powered by Wahapedia" in manifest["credit"]
        assert sorted(manifest["files"]) == sorted(NAMES)
        content = server.files[EXPORT_AT + "Factions.csv"]
        entry = manifest["files"]["Factions.csv"]
        assert entry["address"] == server.base + EXPORT_AT + "Factions.csv"
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert entry["size"] == len(content)
        assert entry["etag"] == f'"{hashlib.md5(content).hexdigest()}"'
        assert entry["time"].endswith("+00:00")

    def test_progress_is_told(self, get):
        get(wahapedia("10e"))
        assert any("Factions.csv (2 of 20)" in line for line in get.said)
        assert "20 changed" in get.said[-1]

    def test_requests_are_spaced(self, get, monkeypatch):
        slept = []
        monkeypatch.setattr("killcurve.sources.fetching.run.time.sleep", slept.append)
        get(wahapedia("10e"), Manners(pause=1.5))
        assert slept == [1.5] * 20

    def test_the_eleventh_edition_may_lack_a_file(self, get, server):
        publish_export(server, at="/wh40k11ed/", names=NAMES)
        done = get(wahapedia("11e"))
        assert done.missing == ("Detachments_chapter_dp.csv",)
        assert len(done.changed) == 20
        server.files["/wh40k11ed/Last_update.csv"] = rows("new", 2)
        server.files["/wh40k11ed/Detachments_chapter_dp.csv"] = rows("dp")
        assert len(get(wahapedia("11e")).changed) == 2


class TestAgain:
    def test_one_request_tells_that_nothing_is_new(self, get, server):
        get()
        done = get()
        assert server.paths() == [EXPORT_AT + "Last_update.csv"]
        assert server.asked[0][1]["If-None-Match"]
        assert done.changed == ()
        assert len(done.unchanged) == 4

    def test_after_an_update_only_what_changed_comes(self, get, server):
        get()
        for name in ("Last_update.csv", "Stratagems.csv"):
            server.files[EXPORT_AT + name] = rows(name, 2)
        done = get()
        assert done.changed == ("Last_update.csv", "Stratagems.csv")
        assert held(get.into) == expected(server)

    def test_every_file_is_asked_for_on_request(self, get, server):
        get()
        server.files[EXPORT_AT + "Stratagems.csv"] = rows("Stratagems.csv", 2)
        assert get().changed == ()  # the oracle stands
        assert get(every=True).changed == ("Stratagems.csv",)
        assert len(server.paths()) == 5

    def test_a_lost_or_damaged_file_comes_again(self, get, server):
        get()
        (get.into / "Factions.csv").write_bytes(b"id|")
        (get.into / "Stratagems.csv").unlink()
        assert get().changed == ("Factions.csv", "Stratagems.csv")
        assert held(get.into) == expected(server)

    def test_a_server_without_validators(self, get, server):
        def bare(self, path):
            self.answer(200, self.server.files[path], {})

        for name in NAMES:
            server.tricks[EXPORT_AT + name] = [bare] * 4
        get()
        done = get()
        assert done.changed == ()
        assert len(server.paths()) == 1  # the oracle came again, and was the same

    def test_last_modified_does_where_there_is_no_etag(self, get, server):
        date = formatdate(0, usegmt=True)

        def dated(self, path):
            if self.headers["If-Modified-Since"] == date:
                return self.answer(304, b"", {})
            return self.answer(200, self.server.files[path], {"Last-Modified": date})

        for name in NAMES:
            server.tricks[EXPORT_AT + name] = [dated] * 4
        get()
        assert get(every=True).changed == ()
        assert all(headers["If-Modified-Since"] == date for _, headers in server.asked)

    def test_an_update_during_the_run_is_not_mixed(self, get, server):
        def update(self, path):
            self.serve(path)
            publish_export(server, 2)

        server.tricks[EXPORT_AT + "Stratagems.csv"] = [update]
        get()
        assert held(get.into) == expected(server)
        assert b"2|" in (get.into / "Factions.csv").read_bytes()

    def test_a_source_that_never_rests(self, get, server):
        versions = iter(range(2, 99))

        def new(self, path):
            server.files[path] = rows("x", next(versions))
            self.serve(path)

        server.tricks[EXPORT_AT + "Last_update.csv"] = [new] * 20
        with pytest.raises(DataError, match="being updated at its source: fetch again"):
            get()
        assert held(get.into) == {}


class TestTroubles:
    @pytest.mark.parametrize(
        "trick",
        [
            cut,
            stall,
            no_answer,
            hang_up,
            says(500),
            says(503, Retry_After="0"),
            says(429, Retry_After="0"),
            says(408),
        ],
    )
    def test_what_passes_is_tried_again(self, get, server, trick):
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [trick, trick]
        get(manners=IMPATIENT if trick in (stall, no_answer) else QUICK)
        assert held(get.into) == expected(server)
        assert server.paths().count(EXPORT_AT + "Datasheets.csv") == 3
        assert sum("trying again" in line for line in get.said) == 2

    @pytest.mark.parametrize(
        ("trick", "message"),
        [
            (says(403), r"answers 403 Forbidden\. Instead, open .*data-export.* in a browser"),
            (says(404), r"answers 404 Not Found\. Instead, open "),
            (says(418), "answers 418 .*not understood"),
            (says(304), "answers 304 .*not understood"),
            (says(206, Content_Range="bytes 0-4/5"), "answers 206"),
            (page, "is a web page, and no data; it was not kept"),
            (page_as_csv, "is a web page, and no data; it was not kept"),
            (lambda self, _: self.answer(200, b"", {}), "is empty"),
            (lambda self, _: self.answer(200, b"id,name\n", {}), "has no header"),
            (
                lambda self, _: self.answer(200, b"\x1f\x8b\x08", {"Content-Encoding": "gzip"}),
                "is compressed",
            ),
            (lambda self, _: self.answer(200, b"\x1f\x8b\x08", {}), "binary or compressed"),
            (cut_without_length, "ends within a line, so it is cut off"),
            (
                lambda self, _: self.answer(200, b"a|\n", {"Content-Length": "9000000000"}),
                "9,000,000,000 bytes or more",
            ),
            (
                lambda self, _: self.answer(200, b"a|b\n" * 200_000, {"Content-Length": None}),
                "no more than 500,000 are taken",
            ),
            (to("ftp://127.0.0.1/x"), "leads to ftp://127.0.0.1/x, which is not followed"),
            (to("file:///etc/passwd"), "leads to file:///etc/passwd, which is not followed"),
        ],
    )
    def test_what_does_not_pass_is_told_with_a_way_out(self, get, server, trick, message):
        get()
        before = held(get.into)
        publish_export(server, 2)
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [trick]
        (get.into / "Datasheets.csv").unlink()  # so that it is asked for without conditions
        before.pop("Datasheets.csv")
        with pytest.raises(DataError, match=message) as error:
            get()
        assert EXPORT_AT + "Datasheets.csv" in str(error.value)
        assert server.paths().count(EXPORT_AT + "Datasheets.csv") == 1
        assert held(get.into) == before
        assert len(get().changed) == 4
        assert held(get.into) == expected(server)

    @pytest.mark.parametrize("trick", [says(500), stall, hang_up])
    def test_it_gives_up_after_some_attempts(self, get, server, trick):
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [trick] * 3
        with pytest.raises(DataError, match=r"Datasheets\.csv .* \(3 attempts\)\. What has come"):
            get(manners=IMPATIENT)
        assert held(get.into) == {}
        get()
        assert held(get.into) == expected(server)
        assert EXPORT_AT + "Factions.csv" not in server.paths()  # it had come before

    def test_waits_grow_and_are_those_the_server_asks_for(self, get, server, monkeypatch):
        slept = []
        monkeypatch.setattr("killcurve.sources.fetching.transport.time.sleep", slept.append)
        soon = formatdate(time.time() + 50, usegmt=True)
        tricks = [says(500), says(500), says(429, Retry_After="7"), says(503, Retry_After=soon)]
        server.tricks[EXPORT_AT + "Datasheets.csv"] = tricks
        get(manners=Manners(pause=0, attempts=5))
        assert [s for s in slept if s][:3] == [2, 4, 7]
        assert 40 < slept[-1] <= 50 or slept[-1] == 0

    @pytest.mark.parametrize("asked", ["86400", formatdate(4e9, usegmt=True), "9" * 500])
    def test_nobody_waits_for_a_day(self, get, server, asked):
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [says(429, Retry_After=asked)]
        with pytest.raises(
            DataError, match=r"answers 429 .*asks to wait [\d,]+ seconds: fetch again"
        ):
            get()
        assert server.paths().count(EXPORT_AT + "Datasheets.csv") == 1

    def test_a_slow_server_is_bounded(self, get, server):
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [drip]
        with pytest.raises(DataError, match="is too slow: it was not whole after 0 s"):
            get(manners=Manners(pause=0, timeout=1, most_time=0.2, attempts=1))

    def test_redirections_are_followed(self, get, server):
        server.files["/elsewhere/d ä.csv"] = rows("moved")
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [to("/elsewhere/d%20%C3%A4.csv")]
        get()
        assert (get.into / "Datasheets.csv").read_bytes() == rows("moved")

    def test_redirections_end(self, get, server):
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [to("Datasheets.csv")] * 20
        with pytest.raises(DataError, match="from one address to the next without end"):
            get()
        assert len(server.paths()) < 20

    def test_nobody_there(self, get):
        with pytest.raises(DataError, match="cannot be reached"):
            fetch(
                wahapedia("10e"),
                get.into,
                say=get.said.append,
                base="http://127.0.0.1:9",
                manners=QUICK,
            )
        assert not get.into.exists()

    @pytest.mark.parametrize(
        ("reason", "kind", "message"),
        [
            (
                socket.gaierror(-2, "unknown"),
                DataError,
                "its name is not known here.*everything else works without",
            ),
            (ssl.SSLCertVerificationError("expired"), DataError, "certificate is not trusted"),
            (TimeoutError(), Passing, "did not answer in time"),
            (ConnectionRefusedError(111, "refused"), Passing, "cannot be reached"),
        ],
    )
    def test_why_nobody_is_there(self, reason, kind, message):
        error = opening._unreachable("https://bells.invalid/", reason)
        assert isinstance(error, kind)
        assert re.search(message, str(error))

    def test_there_is_no_way_from_https_back_to_http(self):
        here = "https://bells.invalid/a"
        assert opening._next(here, "/b", here) == "https://bells.invalid/b"
        with pytest.raises(DataError, match=r"leads to http://bells\.invalid/b, which is not"):
            opening._next(here, "http://bells.invalid/b", here)

    @pytest.mark.parametrize("base", ["ftp://127.0.0.1", "file:///tmp", "nothing"])
    def test_only_the_web_is_asked(self, get, base):
        with pytest.raises(DataError, match=r"no address (of the web|that can be opened)"):
            fetch(SMALL, get.into, say=str, base=base, manners=QUICK)


class TestParts:
    def test_a_part_is_completed(self, get, server):
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [cut]
        get()
        content = server.files[EXPORT_AT + "Datasheets.csv"]
        asked = [headers for path, headers in server.asked if path.endswith("/Datasheets.csv")]
        assert asked[1]["Range"] == f"bytes={len(content) // 2}-"
        assert asked[1]["If-Range"]
        assert held(get.into) == expected(server)

    @pytest.mark.parametrize(
        "how", ["no ranges", "new version", "weak tag", "wrong place", "other tag"]
    )
    def test_or_started_again(self, get, server, how):
        path = EXPORT_AT + "Datasheets.csv"
        second = []
        if how == "no ranges":
            server.ranges = False
        if how == "new version":
            second = [lambda self, p: (server.files.update({p: rows("new", 7)}), self.serve(p))]
        if how == "wrong place":
            second = [says(206, Content_Range="bytes 0-4/5")]
        if how == "other tag":
            second = [
                lambda self, _: self.answer(
                    206,
                    b"sorry",
                    {
                        "Content-Range": f"{self.headers['Range'].replace('=', ' ')}9/10",
                        "ETag": '"z"',
                    },
                )
            ]
        first = cut
        if how == "weak tag":
            first = lambda self, p: self.answer(200, server.files[p], {"ETag": 'W/"a"'}, half=True)  # noqa: E731
        server.tricks[path] = [first, *second]
        get()
        asked = [headers for p, headers in server.asked if p == path]
        assert ("Range" in asked[1]) == (how != "weak tag")
        assert held(get.into) == expected(server)

    def test_a_part_that_was_whole_already(self, get, server):
        """The process ended between the last byte and the renaming."""
        path = EXPORT_AT + "Datasheets.csv"
        server.tricks[path] = [cut, says(404)]
        with pytest.raises(DataError):
            get()
        (get.into / ".fetching" / "Datasheets.csv.part").write_bytes(server.files[path])
        get()
        assert held(get.into) == expected(server)

    def test_a_part_in_chunks(self, get, server):
        def chunks(self, _):
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"5\r\nid|\r\n\r\n40\r\nbroken")

        server.tricks[EXPORT_AT + "Datasheets.csv"] = [chunks]
        get()
        assert held(get.into) == expected(server)


class TestRepositories:
    def test_the_list_names_the_files(self, get, server):
        done = get(points())
        assert done.changed == ("bells.yaml", "gulls.yaml", "meta.yaml")
        assert held(get.into) == expected(server, POINTS_AT)
        assert server.paths()[0] == POINTS_LIST

    def test_one_request_tells_that_nothing_is_new(self, get, server):
        get(points())
        assert get(points()).changed == ()
        assert server.paths() == [POINTS_LIST]

    def test_files_come_and_go(self, get, server):
        get(points())
        (get.into / "mine.yaml").write_text("a: 1\n")
        publish_points(server, 1, ("bells.yaml", "kelp.yaml", "meta.yaml"))
        done = get(points())
        assert done.changed == ("kelp.yaml",)
        assert done.removed == ("gulls.yaml",)
        assert set(held(get.into)) == {"bells.yaml", "kelp.yaml", "meta.yaml", "mine.yaml"}

    def test_a_file_that_a_person_changed_does_not_go(self, get, server):
        get(points())
        (get.into / "gulls.yaml").write_text("mine: 1\n")
        publish_points(server, 1, ("bells.yaml", "meta.yaml"))
        assert get(points()).removed == ()
        assert (get.into / "gulls.yaml").read_text() == "mine: 1\n"

    def test_a_changed_file_is_not_taken_for_the_old_one(self, get, server):
        """A cache that has not heard of the change would say that nothing changed."""

        def stale(self, path):
            if self.headers["If-None-Match"]:
                return self.answer(304, b"", {})
            return self.serve(path)

        get(points())
        publish_points(server, 2)
        server.tricks[POINTS_AT + "gulls.yaml"] = [stale]
        assert len(get(points()).changed) == 3
        assert held(get.into) == expected(server, POINTS_AT)

    def test_a_file_that_is_not_the_listed_one(self, get, server):
        server.files[POINTS_AT + "gulls.yaml"] = b"name: later\n"
        with pytest.raises(DataError, match="another version than the list of files names"):
            get(points())
        assert held(get.into) == {}

    @pytest.mark.parametrize(
        ("listed", "message"),
        [
            (b"<html>", "is a web page"),
            (b"[", "is no whole JSON file"),
            (b'{"message": "Not Found"}', "is no JSON list"),
            (b"[1]", "is no list of files"),
            (b"[]", r"names no \.yaml or \.yml files"),
            (b"[" * 100_000, "is no whole JSON file"),
            *(
                (
                    json.dumps([{"name": name, "type": "file"}]).encode(),
                    "which is no name of a catalogue",
                )
                for name in (
                    "../../up.yaml",
                    "/etc/x.yaml",
                    "a\\b.yaml",
                    ".hidden.yaml",
                    "a\0.yaml",
                    "C:x.yaml",
                    "a" * 200 + ".yaml",
                    "a/../b.yaml",
                )
            ),
            (
                json.dumps([{"name": f"{n}.yaml", "type": "file"} for n in range(301)]).encode(),
                "more than 300",
            ),
        ],
    )
    def test_a_list_that_is_none(self, get, server, listed, message):
        server.files[POINTS_LIST] = listed
        with pytest.raises(DataError, match=message) as error:
            get(points())
        assert "download its ZIP" in str(error.value)
        assert not get.into.exists()

    def test_a_limit_of_requests_is_told(self, get, server):
        reset = str(int(time.time() + 1800))
        server.tricks[POINTS_LIST] = [says(403, X_RateLimit_Remaining="0", X_RateLimit_Reset=reset)]
        with pytest.raises(
            DataError, match=r"too many requests came from here, and it asks to wait 1,\d+ s"
        ):
            get(points())

    @pytest.mark.parametrize(
        ("edition", "name", "content"),
        [
            (
                "10e",
                "T'au - Bells, Gulls.cat",
                b'<?xml version="1.0"?>\n<catalogue id="1">\n</catalogue>\n',
            ),
            ("10e", "Warhammer 40,000.gst", b'\xef\xbb\xbf<gameSystem id="1"></gameSystem>'),
            ("11e", "Imperium - Bells (11e).json", b'{"catalogue": {}}'),
        ],
    )
    def test_catalogues(self, get, server, edition, name, content):
        server.files[f"/BSData/wh40k-{edition}/main/{name}"] = content
        listed = [{"name": name, "type": "file", "sha": git_hash(content)}]
        server.files[f"/repos/BSData/wh40k-{edition}/contents/"] = json.dumps(listed).encode()
        assert get(bsdata(edition)).changed == (name,)
        assert (get.into / name).read_bytes() == content

    @pytest.mark.parametrize(
        ("edition", "name", "content", "message"),
        [
            ("10e", "a.cat", b"<!DOCTYPE html><html></html>", "is a web page"),
            ("10e", "a.cat", b"<catalogue><entry>", "has no end, so it is cut off"),
            ("10e", "a.cat", b"catalogue", "is no catalogue"),
            ("11e", "a.json", b'{"catalogue": {', "is no whole JSON file"),
            ("11e", "a.json", b"[]", "is no JSON object"),
        ],
    )
    def test_no_catalogues(self, get, server, edition, name, content, message):
        server.files[f"/BSData/wh40k-{edition}/main/{name}"] = content
        listed = [{"name": name, "type": "file", "sha": git_hash(content)}]
        server.files[f"/repos/BSData/wh40k-{edition}/contents/"] = json.dumps(listed).encode()
        with pytest.raises(DataError, match=message):
            get(bsdata(edition))


@needs_shared
class TestRealFiles:
    """Real files are what the plans take, and their names are allowed."""

    def test_exports(self):
        for folder in ("wahapedia-10e-2025-11", "wahapedia-10e-2026-01"):
            for path in (SHARED / "real" / folder).glob("*.csv"):
                assert path.name in NAMES
                forms.table(path.read_bytes())

    @pytest.mark.parametrize(
        ("folder", "plan", "count"),
        [
            ("bsdata-10e", bsdata("10e"), 47),
            ("bsdata-11e", bsdata("11e"), 42),
            ("points-11e", points(), 31),
        ],
    )
    def test_repositories(self, folder, plan, count):
        files = {path.name: path for path in (SHARED / "real" / folder).iterdir()}
        listed = [{"name": name, "type": "file"} for name in files]
        items = plan.read_listing(json.dumps(listed).encode())
        assert len(items) == count
        for item in items:
            item.check(files[item.name].read_bytes())
            assert unquote(item.address).endswith("/" + item.name)
            assert " " not in item.address


class TestFolders:
    def test_another_source_is_not_mixed_in(self, get):
        get()
        with pytest.raises(DataError, match="holds wahapedia 10e, and points 11e would mix"):
            get(points())
        assert not (get.into / ".fetching").exists()

    def test_files_of_a_person_are_not_replaced(self, get):
        get.into.mkdir()
        (get.into / "Factions.csv").write_text("mine")
        with pytest.raises(DataError, match=r"a Factions\.csv that was not fetched"):
            get()
        assert (get.into / "Factions.csv").read_text() == "mine"

    @pytest.mark.parametrize(
        "content",
        [
            "",
            "{",
            "[]",
            '{"source": 1}',
            '{"source": "wahapedia 10e", "credit": "", "stamp": "", "gone": {}, "files": {"../x": {}}}',
        ],
    )
    def test_a_broken_manifest_is_told(self, get, content):
        get.into.mkdir()
        (get.into / MANIFEST).write_text(content)
        with pytest.raises(DataError, match=r"is no list of fetched files: fetch into another"):
            get()

    def test_a_file_in_place_of_the_folder(self, get):
        get.into.write_text("x")
        with pytest.raises(DataError, match="cannot be written"):
            get()

    def test_what_an_interrupted_run_of_another_plan_left_is_dropped(self, get, server):
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [says(404)]
        with pytest.raises(DataError):
            get()
        get(points())
        assert held(get.into) == expected(server, POINTS_AT)
        assert not (get.into / ".fetching").exists()

    @pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked there")
    def test_one_run_at_a_time(self, get, server):
        def meanwhile(self, path):
            with pytest.raises(DataError, match="another run is fetching"):
                fetch(SMALL, get.into, say=str, base=server.base, manners=QUICK)
            seen.append(path)
            self.serve(path)

        seen = []
        server.tricks[EXPORT_AT + "Datasheets.csv"] = [meanwhile]
        get()
        assert len(seen) == 1

    def test_editions(self, tmp_path):
        for run in (fetch_wahapedia, fetch_bsdata):
            with pytest.raises(DataError, match="there is no edition '9e' to fetch"):
                run("9e", tmp_path, str)

    def test_the_addresses_are_those_of_the_sources(self):
        assert {urlsplit(i.address).netloc for i in wahapedia("11e").items} == {"wahapedia.ru"}
        for plan in (bsdata("10e"), bsdata("11e"), points()):
            assert plan.listing.startswith("https://api.github.com/repos/BSData/wh40k-1")


class Killed(BaseException):
    """Stands for the end of the process."""


class TestEnds:
    def test_ctrl_c_leaves_the_old_files_and_the_next_run_goes_on(self, get, server):
        get()
        old = held(get.into)
        publish_export(server, 2)

        def say(line):
            if "Stratagems.csv" in line:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fetch(SMALL, get.into, say=say, base=server.base, manners=QUICK)
        assert held(get.into) == old
        get()
        assert held(get.into) == expected(server)
        assert EXPORT_AT + "Factions.csv" not in server.paths()

    def test_what_came_and_was_damaged_comes_again(self, get, server):
        server.tricks[EXPORT_AT + "Stratagems.csv"] = [says(404)]
        with pytest.raises(DataError):
            get()
        (get.into / ".fetching" / "Factions.csv.got").write_bytes(b"id|\n")
        get()
        assert held(get.into) == expected(server)

    def test_files_that_came_long_ago_are_asked_for_again(self, get, server):
        server.tricks[EXPORT_AT + "Stratagems.csv"] = [says(404)]
        with pytest.raises(DataError):
            get()
        server.files[EXPORT_AT + "Factions.csv"] = rows("Factions", 2)
        get(manners=Manners(pause=0, recent=0))
        assert held(get.into) == expected(server)

    def test_at_every_step_the_files_are_the_old_or_the_new(self, get, server, monkeypatch):
        replacing, ended = Path.replace, 0
        for step in range(200):
            publish_points(server, step)
            get(points())
            old = held(get.into)
            publish_points(server, step + 1000)
            left = [step]

            def replace(path, target, left=left):
                if not left[0]:
                    raise Killed
                left[0] -= 1
                return replacing(path, target)

            with monkeypatch.context() as patch:
                patch.setattr(Path, "replace", replace)
                try:
                    get(points())
                    break
                except Killed:
                    ended += 1
            settle(get.into)
            assert held(get.into) in (old, expected(server, POINTS_AT))
            get(points())
            assert held(get.into) == expected(server, POINTS_AT)
        assert ended > 10

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9")
    def test_kill_9_in_the_middle_of_a_file(self, get, server):
        publish_export(server, names=NAMES)
        get(wahapedia("10e"))
        old = held(get.into)
        publish_export(server, 2, names=NAMES)
        path = EXPORT_AT + "Datasheets_keywords.csv"
        server.tricks[path] = [stall]
        code = (
            "import sys; from pathlib import Path; from killcurve.sources.fetching import *\n"
            "fetch(wahapedia('10e'), Path(sys.argv[1]), say=print, base=sys.argv[2],"
            " manners=Manners(pause=0, timeout=60))"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(get.into), server.base],
            stdout=subprocess.DEVNULL,
            env={**os.environ, "no_proxy": "127.0.0.1"},
        )
        part = get.into / ".fetching" / "Datasheets_keywords.csv.part"
        half = len(server.files[path]) // 2
        try:
            end = time.monotonic() + 20
            while not (part.exists() and part.stat().st_size == half):
                assert time.monotonic() < end
                assert process.poll() is None
                time.sleep(0.01)
        finally:
            process.kill()
            process.wait()
        assert held(get.into) == old
        get(wahapedia("10e"))
        assert held(get.into) == expected(server)
        assert EXPORT_AT + "Factions.csv" not in server.paths()
        asked = next(headers for p, headers in server.asked if p == path)
        assert asked["Range"] == f"bytes={half}-"
