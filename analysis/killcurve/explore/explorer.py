"""What all explorers share: a state, controls that move with it, an answer that follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import ipywidgets as W  # noqa: N812 - as its own documentation writes it

from killcurve.explore.answer_panel import AnswerPanel
from killcurve.explore.clicking import Clicked
from killcurve.explore.controls import Wiring
from killcurve.explore.debouncing import Debounced
from killcurve.explore.pictures import STARTS, STILL, STYLE
from killcurve.explore.states import code_of, from_json, to_json

State = TypeVar("State")


class Explorer(W.VBox, Generic[State]):
    """Controls on the left, the answer beside them; ``state`` is what is chosen now.

    Assigning to ``state`` moves the controls. Choices follow each other at once, the answer
    once the controls rest. Explorers give :meth:`_read`, :meth:`_settled`, :meth:`_move` and
    :meth:`_steps`.
    """

    kind: type[State]

    def __init__(self, start: State, controls: list[W.Widget], answer: AnswerPanel) -> None:
        self.answer = answer
        self._still: Any = None
        self._state: State = self._settled(start, None)
        self._wiring = Wiring(self._changed)
        self.ask = Debounced(self._shown, failed=self._failed)
        answer.asked = self.ask
        left = W.VBox(controls, layout=W.Layout(flex="0 1 24em", min_width="0"))
        left.add_class("killcurve-controls")
        row = W.HBox([left, answer], layout=W.Layout(flex_flow="row wrap", width="100%"))
        self.clicked = Clicked()
        self.clicked.hear("open", answer.unfold)
        self.clicked.hear("width", answer.fit)
        self.clicked.hear("reach", answer.hasten)
        super().__init__([W.HTML(STYLE + STARTS), row, self.clicked], layout=W.Layout(width="100%"))
        self.add_class("killcurve")
        self._move_quietly()
        self._wiring.hear(*self._heard())
        self.ask.at_once()

    @property
    def state(self) -> State:
        """What is chosen."""
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self._become(state, None)

    def to_json(self) -> str:
        """The state as JSON."""
        return to_json(self._state)

    def load_json(self, text: str) -> None:
        """Become what :meth:`to_json` told.

        Raises:
            DataError: if the text is not such a state.
        """
        self.state = from_json(self.kind, text)

    @property
    def code(self) -> str:
        """The explorer as a line of code that shows the same."""
        return f"{type(self).__name__}(data, {code_of(self._state)})"

    def _become(self, state: State, before: State | None) -> None:
        settled = self._settled(state, before)
        changed = settled != self._state
        self._state = settled
        self._move_quietly()
        if changed:
            self.ask()

    def _changed(self) -> None:
        self._become(self._read(), self._state)

    def _move_quietly(self) -> None:
        with self._wiring.muted():
            self._move(self._state)

    def _heard(self) -> list[Any]:
        """The controls whose ``value`` is heard."""
        raise NotImplementedError

    def _read(self) -> State:
        """What the controls say."""
        raise NotImplementedError

    def _settled(self, state: State, before: State | None) -> State:
        """The state with what does not exist replaced."""
        raise NotImplementedError

    def _move(self, state: State) -> None:
        """Move the controls."""
        raise NotImplementedError

    def _steps(self) -> Iterator[float]:
        """Show what follows from the state."""
        raise NotImplementedError

    def _shown(self) -> Iterator[float]:
        yield from self._steps()
        self._keep()

    def _failed(self, error: Exception) -> None:
        self.answer.fail(error)
        self._keep()

    def _ipython_display_(self, **_: object) -> None:
        """Show the widget, and below it what stays when a saved notebook is opened again.

        A page without the kernel cannot show the widget; a page with it hides the still answer.
        """
        from IPython.display import display

        display(self._repr_mimebundle_(), raw=True)
        self._still = display(self._still_answer(), raw=True, display_id=True)

    def _keep(self) -> None:
        """Bring the still answer up to date."""
        if self._still is not None:
            self._still.update(self._still_answer(), raw=True)

    def _still_answer(self) -> dict[str, str]:
        html = f'<div class="killcurve-still">{STILL}{self.answer.static()}</div>'
        return {"text/html": html, "text/plain": self.code}
