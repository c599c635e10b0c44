"""What is no whole datasheet page is refused, with a way out, and nothing else happens."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from killcurve.rules.effects import Effect
from killcurve.sources.pages import Page, read_page, read_pages
from killcurve.tables.dataset import DataError

from tests.sources.invented import BOARDING, CORE_11, NEW, OLD, Sheet


def read(sheet: Sheet) -> Page:
    return read_page(sheet.text(), "page.txt")


class TestBadInput:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "is empty"),
            (b" \r\n\t\n", "is empty"),
            (b"\xef\xbb\xbf", "is empty"),
            (b"%PDF-1.7 and so on", "a PDF document"),
            (b"PK\x03\x04rest", "a ZIP archive"),
            (bytes(range(256)) * 3, "binary file|not in UTF-8"),
            (b"\0\1\2\3\4\5\6\7" * 30, "binary file"),
            (NEW.text().encode("utf-16"), "in UTF-16: save it again"),
            (NEW.text().encode("utf-16-le"), "in UTF-16: save it again"),
            (NEW.text().encode("cp1252"), r"not in UTF-8 \(byte 0x96 in line 1\), perhaps Windows"),
            (NEW.text().encode().decode("cp1252", "replace").encode(), "another encoding"),
            (b"<!DOCTYPE html><html><body><p>x</p></body></html>", "is HTML"),
            (("<div><span>" + NEW.text() + "</span></div>").encode(), "is HTML"),
            (
                "Order – Hammer Folk\nWARSCROLL\nMove 5\nHealth 2".encode(),
                "no datasheet of Warhammer",
            ),
            (b"shopping: milk, bread", "no datasheet of Warhammer 40,000"),
            (NEW.text().replace(NEW.title, "Anvil Guard").encode(), "must be 'Faction – Unit'"),
        ],
    )
    def test_other_files_are_refused_with_a_way_out(self, tmp_path, content, message):
        path = tmp_path / "page.txt"
        path.write_bytes(content)
        with pytest.raises(DataError, match=message) as error:
            read_pages([path], None)
        assert str(error.value).startswith("page.txt")
        assert "UTF-8" in str(error.value)

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(DataError, match=r"none\.txt cannot be read"):
            read_pages([tmp_path / "none.txt"], None)
        with pytest.raises(DataError, match="is no ordinary file"):
            read_pages([tmp_path], None)

    @pytest.mark.parametrize("line", ["UNIT COMPOSITION", "STRATAGEMS", "FACTION KEYWORDS:"])
    def test_a_missing_section_is_named(self, line):
        text = "\n".join(x for x in NEW.text().split("\n") if x != line)
        with pytest.raises(DataError, match=f"has no section {line.strip(':')}: the page is cut"):
            read_page(text, "page.txt")

    def test_missing_points_are_named(self):
        with pytest.raises(DataError, match="no points under UNIT COMPOSITION"):
            read(replace(NEW, points=()))

    def test_a_weapon_without_characteristics_is_named(self):
        lines = NEW.text().split("\n")
        i = next(i for i, x in enumerate(lines) if x.startswith("| Dark lance | 36"))
        with pytest.raises(DataError, match="characteristics of 'Dark lance' are missing"):
            read_page("\n".join(lines[:i] + lines[i + 1 :]), "page.txt")

    def test_sections_out_of_order_are_refused(self):
        lines = NEW.text().split("\n")
        with pytest.raises(DataError, match="UNIT COMPOSITION does not stand before STRATAGEMS"):
            read_page("\n".join([lines[0], "STRATAGEMS", *lines[1:]]), "page.txt")

    def test_a_list_of_nothing_is_refused(self):
        with pytest.raises(DataError, match="lists no stratagems"):
            read(replace(NEW, tricks=()))

    @pytest.mark.parametrize("sheet", [NEW, OLD], ids=["11e", "10e"])
    def test_no_cut_loses_facts(self, sheet):
        """At whatever line a page is cut: it is refused, or only texts are missing."""
        assert_cuts_are_found(sheet.text(), needed=20)

    def test_a_cut_within_a_sentence_is_reported(self):
        page = read(replace(NEW, after=("- And it rings",)))
        assert any("ends within a sentence" in warning for warning in page.warnings)

    def test_line_ends_and_blank_lines_do_not_matter(self):
        text = "\ufeff" + NEW.text().replace("\n", "\r\n\r\n").replace(" 90 ", "\u00a090 ")
        assert read_page(text, "page.txt").rows == read(NEW).rows


def assert_cuts_are_found(text: str, needed: int) -> None:
    """Cut a page before every line, and within lines, and compare what is accepted."""
    whole = read_page(text, "page.txt")
    lines = text.split("\n")
    refused = 0
    for i in range(len(lines)):
        for part in ("\n".join(lines[:i]), "\n".join([*lines[:i], lines[i][: len(lines[i]) // 2]])):
            try:
                page = read_page(part, "page.txt")
            except DataError:
                refused += 1
                continue
            for table, rows in whole.rows.items():
                if table != "texts":
                    assert page.rows[table] == rows, (i, table)
    assert refused >= needed


LINES = [*NEW.text().split("\n"), *OLD.text().split("\n"), *CORE_11[0].body(), *BOARDING[0].body()]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A page with lines taken out, doubled, exchanged, cut, or filled with other text."""
    lines = draw(st.sampled_from([NEW, OLD])).text().split("\n")
    for _ in range(draw(st.integers(1, 6))):
        i = draw(st.integers(0, len(lines) - 1))
        other = draw(st.one_of(st.sampled_from(LINES), st.text(max_size=30)))
        change = draw(st.sampled_from(["drop", "double", "replace", "cut", "swap", "insert"]))
        if change == "drop" and len(lines) > 1:
            del lines[i : i + draw(st.integers(1, 4))]
        elif change == "double":
            lines.insert(i, lines[i])
        elif change == "replace":
            lines[i] = other
        elif change == "cut":
            lines[i] = lines[i][: draw(st.integers(0, 20))]
        elif change == "swap":
            j = draw(st.integers(0, len(lines) - 1))
            lines[i], lines[j] = lines[j], lines[i]
        else:
            lines.insert(i, other)
        lines = lines or [""]
    return "\n".join(lines)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
def test_no_page_raises_anything_but_a_data_error(text):
    with suppress(DataError):
        page = read_page(text, "page.txt")
        for row in page.rows["stratagems"]:
            assert [str(Effect.parse(phrase)) for phrase in row["effects"]] == row["effects"]


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: t.encode())))
def test_no_file_raises_anything_but_a_data_error(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("any") / "page.txt"
    path.write_bytes(content)
    with pytest.raises(DataError):
        read_pages([path], None)
