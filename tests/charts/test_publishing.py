"""Charts that leave: dated, described, the same bytes again, in another process too."""

from __future__ import annotations

import io
import json
import re
import struct
import subprocess
import sys
from xml.etree import ElementTree

import polars as pl
import pytest
from killcurve.charts.export import export, rendered
from killcurve.charts.kinds import KINDS
from killcurve.charts.presets import PRESETS
from killcurve.charts.publishing import Footer, again, publish
from killcurve.charts.samples import FOOTER, sample
from killcurve.tables.about import About
from killcurve.tables.dataset import DataError
from PIL import Image

SVG = "{http://www.w3.org/2000/svg}"
FORMATS = {"tornado": ("svg", "png", "pdf"), "popularity": ("png", "pdf"), "forest": ("pdf",)}


def png_size(content):
    return struct.unpack(">II", content[16:24])


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Every kind as SVG, some as PNG and PDF, in different sizes and styles."""
    folder = tmp_path_factory.mktemp("published")
    for i, name in enumerate(KINDS):
        how = {"preset": list(PRESETS)[i % 7], "style": ("light", "dark")[i % 2]}
        publish(sample(name), folder / name, FOOTER, formats=FORMATS.get(name, ("svg",)), **how)
    return folder


def test_the_same_bytes_in_another_process(published, tmp_path):
    code = (
        "import sys, pathlib\n"
        "from killcurve.charts.publishing import again\n"
        "for file in sorted(pathlib.Path(sys.argv[1]).glob('*.json')):\n"
        "    again(file, pathlib.Path(sys.argv[2]) / file.stem)\n"
    )
    subprocess.run(
        [sys.executable, "-W", "error", "-c", code, published, tmp_path], check=True, timeout=600
    )
    first = {path.name: path.read_bytes() for path in published.iterdir()}
    second = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(first) == set(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert {"tornado.svg", "tornado.png", "tornado.pdf", "tornado.csv", "tornado.txt",
            "tornado.json"} <= set(first)  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_words_for_who_does_not_see_it_are_inside_and_beside(published, name):
    chart = sample(name)
    assert (published / f"{name}.txt").read_text() == f"{chart.alt}\n"
    assert pl.read_csv(published / f"{name}.csv").height == chart.data.height
    if (published / f"{name}.svg").exists():
        i = list(KINDS).index(name)
        size = list(PRESETS.values())[i % 7]
        root = ElementTree.fromstring((published / f"{name}.svg").read_bytes())
        assert (root.get("width"), root.get("height")) == (str(size.width), str(size.height))
        assert root.get("role") == "img"
        title, described = (root.find(f"{SVG}{tag}") for tag in ("title", "desc"))
        assert (title.text, described.text) == (chart.title, chart.alt)
        assert root.get("aria-labelledby") == f"{title.get('id')} {described.get('id')}"


def test_png_and_pdf_tell_it_too(published):
    chart = sample("tornado")
    size = list(PRESETS.values())[list(KINDS).index("tornado") % 7]
    picture = (published / "tornado.png").read_bytes()
    assert png_size(picture) == (size.width, size.height)
    told = Image.open(io.BytesIO(picture)).text
    assert (told["Title"], told["Description"]) == (chart.title, chart.alt)
    assert "Software" not in told
    pdf = (published / "tornado.pdf").read_bytes()
    assert b"/Subject" in pdf
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    assert b"/CreationDate" not in pdf
    wide, high = map(float, re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", pdf).groups())
    assert (wide, high) == pytest.approx((72 * size.width / size.dpi, 72 * size.height / size.dpi))


@pytest.mark.parametrize("preset", PRESETS)
def test_pictures_have_exactly_the_pixels_of_their_preset(preset):
    size = PRESETS[preset]
    assert png_size(rendered(sample("tornado"), FOOTER.line, "png", size, "dark")) == (
        size.width, size.height,
    )  # fmt: skip


def test_no_chart_leaves_without_a_date(tmp_path):
    chart = sample("tornado")
    for date, problem in (("", "no date of its data"), ("20 August", "'20 August' is no date"),
                          ("2026-02-30", "no date")):  # fmt: skip
        with pytest.raises(DataError, match=problem):
            publish(chart, tmp_path / "x", Footer("numbers", date))
    with pytest.raises(DataError, match=r"no date of the data.*--date"):
        publish(chart, tmp_path / "x", "Data: somewhere")
    with pytest.raises(DataError, match="no date of the data"):
        export(chart, tmp_path, "x", "Data: somewhere")
    with pytest.raises(DataError, match="no source"):
        publish(chart, tmp_path / "x", Footer(" ", "2026-08-20"))
    assert list(tmp_path.iterdir()) == []


def test_wrong_wishes_are_told_and_nothing_is_written(tmp_path):
    chart = sample("tornado")
    for wish, problem in (
        ({"preset": "stroy"}, "did you mean 'story'"), ({"style": "drak"}, "did you mean 'dark'"),
        ({"formats": ("gif",)}, "no format 'gif'; formats are: png, svg, pdf"),
        ({"formats": ()}, "no format asked for"),
    ):  # fmt: skip
        with pytest.raises(DataError, match=problem):
            publish(chart, tmp_path / "x", FOOTER, **wish)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be written"):
        publish(chart, tmp_path / "file" / "x", FOOTER, formats=("svg",))


def test_other_words_are_kept(tmp_path):
    words = {"title": "Moles <win> & $win$", "subtitle": "by far \ud800", "alt": "A \x00picture 💀"}
    publish(sample("tornado"), tmp_path / "x", FOOTER, formats=("svg", "png"), **words)
    root = ElementTree.fromstring((tmp_path / "x.svg").read_bytes())
    assert root.find(f"{SVG}title").text == words["title"]
    assert (tmp_path / "x.txt").read_text() == "A \ufffdpicture 💀\n"
    assert Image.open(tmp_path / "x.png").text["Description"] == "A \ufffdpicture 💀"
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    again(tmp_path / "x.json")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


def test_files_that_are_no_chart_are_told(tmp_path):
    file = tmp_path / "x.json"
    with pytest.raises(DataError, match="cannot be read"):
        again(file)
    file.write_text("{")
    with pytest.raises(DataError, match="no JSON"):
        again(file)
    file.write_text("[]")
    with pytest.raises(DataError, match='begins with "killcurve chart": 1'):
        again(file)
    publish(sample("tornado"), tmp_path / "x", FOOTER, formats=("svg",))
    whole = json.loads(file.read_text())
    for lost in ("rows", "settings", "footer", "preset"):
        file.write_text(json.dumps({k: v for k, v in whole.items() if k != lost}))
        with pytest.raises(DataError, match=f"whole chart.*{lost}"):
            again(file)
    file.write_text(json.dumps({**whole, "columns": {"effect": "Float64"}}))
    with pytest.raises(DataError, match="whole chart"):
        again(file)


def test_the_footer_of_a_dataset():
    about = About("wh40kdc", "1.4.5", "11e", "2026-08-20", attribution="its people")
    assert Footer.of(about, "97 % computed").line == (
        "Data: wh40kdc 1.4.5 of 2026-08-20 · 11th edition · 97 % computed · its people"
    )
