"""The walk through a description: from its root to the leaves, with all that is passed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from killcurve.rules.described.attaching import attached
from killcurve.rules.described.leaves import LEAVES, SILENT
from killcurve.rules.described.setting import Given, Leaf, Tree, Unread
from killcurve.rules.described.words import plain

Step = Callable[[Tree, Given, "Walk"], None]


@dataclass(slots=True)
class Walk:
    """A walk through trees: ``steps`` say how inner nodes are passed, by their type.

    It gathers the ``leaves`` that it has read, and names what it could not read.
    """

    steps: Mapping[str, Step]
    leaves: list[Leaf] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def into(self, node: Tree, given: Given) -> None:
        """Read a node and all that is below it."""
        kind = str(node.get("type") or "")
        try:
            if bundle := _bundle(node, given):
                self.into(bundle, _without_bundle(node, given))
            elif kind in self.steps:
                self.steps[kind](node, given, self)
            elif kind in LEAVES:
                self.leaves += [attached(leaf, given) for leaf in LEAVES[kind](node, given)]
            elif kind not in SILENT:
                raise Unread(plain(kind or "nothing"))
        except Unread as unread:
            self.unread.append(str(unread))

    def apart(self) -> Walk:
        """Another walk that knows the same steps."""
        return Walk(self.steps)

    def bears_on_attacks(self, node: Tree, given: Given) -> bool:
        """Whether a part of a tree has, or may have, an effect on attacks."""
        walk = self.apart()
        walk.into(node, given)
        return bool(walk.leaves or walk.unread)


def _bundle(node: Tree, given: Given) -> Tree | None:
    """The rule that a leaf grants as a whole, if it is known."""
    change = node.get("modifier") or {}
    if node.get("type") != "ability-grant" or not isinstance(change, Mapping):
        return None
    return given.setting.bundles.get(str(change.get("ability_id")))


def _without_bundle(node: Tree, given: Given) -> Given:
    """Inside a rule that was granted; it cannot grant itself."""
    name = str(node["modifier"].get("ability_id"))
    kept = {k: v for k, v in given.setting.bundles.items() if k != name}
    return replace(given, setting=replace(given.setting, bundles=kept), is_outermost=False)
