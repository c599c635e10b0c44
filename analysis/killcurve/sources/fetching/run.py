"""One run of fetching: what is at hand, what has to be asked for, and the step that replaces it."""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from killcurve.sources.fetching import forms, transport
from killcurve.sources.fetching.manifest import MANIFEST, Entry, Manifest, entry, git_hash, put
from killcurve.sources.fetching.plans import Item, Plan
from killcurve.sources.fetching.transport import Errand, Manners, Missing, Version
from killcurve.tables import storage
from killcurve.tables.dataset import DataError

Say = Callable[[str], None]
STAGE = ".fetching"
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Fetched:
    """What fetching did: names of files that came, that are as before, and that are no more.

    ``missing`` are optional files that the source does not have.
    """

    source: str
    into: Path
    credit: str
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    missing: tuple[str, ...]
    removed: tuple[str, ...]
    requests: int

    def summary(self, *, as_json: bool = False) -> str:
        """In words, or as JSON."""
        counts = {
            "changed": len(self.changed),
            "unchanged": len(self.unchanged),
            "missing": len(self.missing),
            "removed": len(self.removed),
        }
        if as_json:
            return json.dumps({"source": self.source, "requests": self.requests, **counts})
        told = ", ".join(f"{n} {word}" for word, n in counts.items() if n)
        return f"{self.source} in {self.into}: {told}\n{self.credit}"


class Run:
    """One run: the old manifest, the stage, and what was done so far."""

    def __init__(self, plan: Plan, into: Path, say: Say, manners: Manners, every: bool) -> None:
        self.plan, self.into, self.say, self.manners = plan, into, say, manners
        self.every = every
        self.old = Manifest.load(into / MANIFEST)
        self.stage = into / STAGE
        self.staged = self._resumed()
        self.missing: list[str] = []
        self.requests = 0

    def run(self) -> Fetched:
        """Everything in order."""
        self._check_source()
        items = self._items()
        self._check_strangers(items)
        self.say(f"{self.plan.name}: {len(items)} files, from {items[0].address}")
        for _ in range(_ROUNDS):
            self._round(items)
            if not self.plan.oracle or self._stands(items):
                return self._publish(items)
            self.say("the source was updated meanwhile: looking again")
        raise DataError(
            f"{self.plan.name} is being updated at its source: fetch again in some minutes"
        )

    def _resumed(self) -> Manifest:
        """What an interrupted run of the same plan left; anything else there goes."""
        staged = None
        with contextlib.suppress(DataError):
            staged = Manifest.load(self.stage / MANIFEST)
        if staged is None or staged.source != self.plan.name:
            for path in self.stage.iterdir():
                path.unlink()
            return Manifest(self.plan.name, self.plan.credit)
        staged.files = {
            name: known
            for name, known in staged.files.items()
            if known.is_of(_content(self._got(name)))
        }
        return staged

    def _check_source(self) -> None:
        if self.old and self.old.source != self.plan.name:
            raise DataError(
                f"{self.into} holds {self.old.source}, and {self.plan.name} would mix with it: "
                "choose another folder"
            )

    def _check_strangers(self, items: tuple[Item, ...]) -> None:
        """Refuse to replace files that were not fetched."""
        ours = {**self.old.files, **self.old.gone} if self.old else {}
        for item in items:
            if item.name not in ours and (self.into / item.name).exists():
                raise DataError(
                    f"{self.into} has a {item.name} that was not fetched, and it would be "
                    "replaced: choose another folder"
                )

    def _items(self) -> tuple[Item, ...]:
        if self.plan.read_listing is None:
            return self.plan.items
        part = self.stage / "listing.part"
        transport.forget(part)
        errand = Errand("list of files", self.plan.listing, part, None, self.plan.way_out)
        self._get(errand)
        content = part.read_bytes()
        transport.forget(part)
        try:
            forms.json_list(content)
            return self.plan.read_listing(content)
        except DataError as error:
            raise transport.unfit(errand, error) from None

    def _round(self, items: tuple[Item, ...]) -> None:
        """Ask for all that has to be asked for."""
        settled = False
        self.missing.clear()
        for number, item in enumerate(items, start=1):
            known = self._known(item)
            if item.name == self.plan.oracle:
                fresh = self._ask(item, known, number, len(items))
                settled = self._mark(fresh)
            elif known is None or not self._good(item, known, settled):
                self._ask(item, known, number, len(items))

    def _good(self, item: Item, known: Entry, settled: bool) -> bool:
        """Whether a file at hand needs no question."""
        if item.git:
            return git_hash(self._at_hand(item.name) or b"") == item.git
        if item.name in self.staged.files:
            return known.age() < self.manners.recent
        return settled and not self.every

    def _mark(self, oracle: Entry | None) -> bool:
        """Note the mark of the last update; whether it is the one of the files in the folder."""
        stamp = oracle.sha256 if oracle else ""
        if self.staged.stamp != stamp:
            for name, known in self.staged.files.items():
                if name != self.plan.oracle:
                    self.staged.files[name] = replace(known, checked="")
            self.staged.stamp = stamp
            self._save()
        return bool(stamp) and self.old is not None and self.old.stamp == stamp

    def _stands(self, items: tuple[Item, ...]) -> bool:
        """Whether the mark of the last update is still the same after all files came."""
        if not any(name != self.plan.oracle for name in self.staged.files):
            return True
        item = next(item for item in items if item.name == self.plan.oracle)
        fresh = self._ask(item, self._known(item), len(items), len(items))
        return fresh is not None and fresh.sha256 == self.staged.stamp

    def _known(self, item: Item) -> Entry | None:
        """The entry of the file that is at hand, if it is whole and from the same address."""
        known = self.staged.files.get(item.name)
        if known is None and self.old:
            known = self.old.files.get(item.name)
            if known and not known.is_of(_content(self.into / item.name)):
                known = None
        return known if known and known.address == item.address else None

    def _at_hand(self, name: str) -> bytes | None:
        staged = name in self.staged.files
        return _content(self._got(name) if staged else self.into / name)

    def _ask(self, item: Item, known: Entry | None, number: int, of: int) -> Entry | None:
        """Ask for one file; its entry afterwards, or ``None`` if it is optional and missing."""
        label = f"{item.name} ({number} of {of})"
        part = self.stage / f"{item.name}.part"
        version = Version(known.etag, known.last_modified) if known and not item.git else None
        if version and not version.if_changed():
            version = None
        errand = Errand(label, item.address, part, version, self.plan.way_out)
        try:
            came = self._get(errand)
        except Missing as error:
            if not (item.optional and error.status in (404, 410)):
                raise
            self.say(f"{label}: the source has none")
            self.missing.append(item.name)
            self.staged.files.pop(item.name, None)
            return None
        if came is None and known:
            self.say(f"{label}: as before")
            fresh = known.checked_now()
            self._checked(item.name, fresh)
            return fresh
        return self._keep(item, errand, came or Version())

    def _keep(self, item: Item, errand: Errand, came: Version) -> Entry:
        """Take a whole file from its part to the stage."""
        content = errand.part.read_bytes()
        try:
            item.check(content)
            if item.git and git_hash(content) != item.git:
                raise DataError("is another version than the list of files names")
        except DataError as error:
            transport.forget(errand.part)
            raise transport.unfit(errand, error) from None
        put(self._got(item.name), content)
        fresh = entry(item.address, content, came.etag, came.last_modified)
        self.staged.files[item.name] = fresh
        self._save()
        transport.forget(errand.part)
        self.say(f"{errand.label}: {len(content) / 1000:,.0f} kB")
        return fresh

    def _checked(self, name: str, fresh: Entry) -> None:
        if name in self.staged.files:
            self.staged.files[name] = fresh
            self._save()
        elif self.old:
            self.old.files[name] = fresh

    def _get(self, errand: Errand) -> Version | None:
        if self.requests:
            time.sleep(self.manners.pause)
        self.requests += 1
        return transport.get(errand, self.manners, self.say)

    def _publish(self, items: tuple[Item, ...]) -> Fetched:
        """Put what came into the folder, in one step."""
        names = {item.name for item in items} - set(self.missing)
        old = {**self.old.files} if self.old else {}
        came = {name: known for name, known in self.staged.files.items() if name in names}
        changed = sorted(
            name for name, known in came.items() if not known.is_of(_content(self.into / name))
        )
        fresh = Manifest(self.plan.name, self.plan.credit, self.staged.stamp)
        fresh.files = {**{name: known for name, known in old.items() if name in names}, **came}
        fresh.gone = {name: known for name, known in old.items() if name not in names}
        fresh.gone |= self._still_gone(names)
        copies = {name: partial(shutil.copyfile, self._got(name)) for name in changed}
        manifest = {MANIFEST: lambda path: path.write_bytes(fresh.to_bytes())}
        storage.replace_files(self.into, {**copies, **manifest})
        removed = self._remove(fresh.gone)
        for path in self.stage.iterdir():
            path.unlink()
        done = Fetched(
            source=self.plan.name,
            into=self.into,
            credit=self.plan.credit,
            changed=tuple(changed),
            unchanged=tuple(sorted(names.difference(changed))),
            missing=tuple(self.missing),
            removed=tuple(removed),
            requests=self.requests,
        )
        self.say(done.summary())
        return done

    def _still_gone(self, names: set[str]) -> dict[str, Entry]:
        gone = self.old.gone if self.old else {}
        return {name: k for name, k in gone.items() if name not in names}

    def _remove(self, gone: dict[str, Entry]) -> list[str]:
        """Remove files that the source has no more, unless a person has changed them."""
        removed = []
        for name, known in gone.items():
            if known.is_of(_content(self.into / name)):
                (self.into / name).unlink()
                removed.append(name)
        return removed

    def _got(self, name: str) -> Path:
        return self.stage / f"{name}.got"

    def _save(self) -> None:
        self.staged.save(self.stage / MANIFEST)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except FileNotFoundError:
        return None
