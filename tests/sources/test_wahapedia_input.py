"""What is no whole export is refused, with a way out, and nothing is written."""

from __future__ import annotations

import os

import pytest
from killcurve.sources.importing import import_wahapedia
from killcurve.sources.wahapedia import read_export
from killcurve.tables.dataset import DataError

from tests.sources.invented_export import bars, export, export_11, write

SHEETS = bars(export()["Datasheets"]).encode()
COMMAS = b"datasheet_id,line,name\r\n1,2\r\n"


class TestBadFiles:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "is empty"),
            (b"\xef\xbb\xbf\r\n", "is empty"),
            (b"<!DOCTYPE html><html>403</html>", "is a web page"),
            (b"PK\x03\x04rest", "a ZIP archive"),
            (b"\x1f\x8brest", "a compressed file"),
            (bytes(range(256)) * 9, "binary file"),
            (SHEETS.decode().encode("utf-16"), "in UTF-16"),
            ("id|name|\r\n1|Kâhl|\r\n".encode("cp1252"), r"not in UTF-8 \(byte 0xe2 in line 2\)"),
            ("id|Kâhl’s|".encode().decode("cp1252").encode(), "another encoding"),
            (SHEETS[:-30], "is cut off within the row of line 6"),
            (SHEETS.split(b"\r\n")[0], "has a header and no rows"),
            (SHEETS.replace(b"Great Bell|IC", b"Great|Bell|IC", 1), "line 4: the row has 15"),
            (SHEETS.replace(b"Great Bell|IC", b"Great BellIC", 1), "line 4: the row has 27"),
            (b"id|name|\r\n1|Bell|\r\n", "has no column faction_id"),
            (bars(export()["Factions"]).encode(), "another file than its name says"),
            (b"milk, bread\r\n1,2\r\n", "has no column id, name, faction_id"),
            (b"id,name,faction_id\r\n1,2\r\n", "the row has 2 cells instead of 3"),
            (b'id,name,faction_id\r\n1,"2', "is no table that can be read"),
            (b"id,name,faction_id\r\n1,2," + b"x" * 200_000, "is no table that can be read"),
            (b"id|name|faction_id|\r\n1|2|" + b"x" * 1_100_000, "no row of an export"),
            (b"id,,name,faction_id\r\n1,x,2,3", "out of place"),
            (b"id|id|name|faction_id|\r\n1|1|2|3|", "has a column twice"),
        ],
    )
    def test_a_wrong_file_is_named_with_a_way_out(self, tmp_path, content, message):
        folder = write(tmp_path / "export", export())
        (folder / "Datasheets.csv").write_bytes(content)
        with pytest.raises(DataError, match=message) as error:
            import_wahapedia(folder, tmp_path / "into")
        assert str(error.value).startswith("Datasheets.csv")
        assert "again" in str(error.value)
        assert not (tmp_path / "into").exists()

    def test_a_huge_file_is_refused_without_reading_it(self, tmp_path):
        folder = write(tmp_path / "export", export())
        with (folder / "Stratagems.csv").open("r+b") as file:
            os.truncate(file.fileno(), 2_000_000_000)  # sparse: it takes no space
        with pytest.raises(DataError, match=r"Stratagems\.csv has 2,000 MB"):
            read_export(folder)

    def test_a_folder_in_place_of_a_file(self, tmp_path):
        folder = write(tmp_path / "export", export())
        (folder / "Enhancements.csv").unlink()
        (folder / "Enhancements.csv").mkdir()
        with pytest.raises(DataError, match=r"Enhancements\.csv is no file"):
            read_export(folder)

    def test_a_time_that_is_none(self, tmp_path):
        folder = write(tmp_path, {**export(), "Last_update": [["last_update"], ["soon"]]})
        with pytest.raises(DataError, match=r"Last_update\.csv: 'soon' is no time"):
            read_export(folder)


class TestFolders:
    def test_no_folder(self, tmp_path):
        with pytest.raises(DataError, match="is no folder: give the one that holds"):
            read_export(tmp_path / "none")

    @pytest.mark.parametrize("name", ["Factions", "Datasheets", "Datasheets_models"])
    def test_a_needed_file_is_missing(self, tmp_path, name):
        folder = write(tmp_path, export())
        (folder / f"{name}.csv").rename(folder / f"{name}x.csv")
        with pytest.raises(DataError, match=rf"holds no {name}\.csv; did you mean '{name}x\.csv"):
            read_export(folder)

    @pytest.mark.parametrize(
        ("name", "warning"),
        [
            ("Datasheets_models_cost", "units have no points"),
            ("Stratagems", "there are no stratagems"),
            ("Last_update", "stands for its version"),
            ("Source", "Legends"),
            ("Datasheets_keywords", "no keywords"),
            ("Datasheets_unit_composition", "neither sizes nor default weapons"),
            ("Abilities", "neither name nor text"),
        ],
    )
    def test_a_further_file_is_missing(self, tmp_path, name, warning):
        folder = write(tmp_path, export())
        (folder / f"{name}.csv").unlink()
        dataset, warnings = read_export(folder)
        assert [w for w in warnings if w.startswith(f"{name}.csv is missing: ") and warning in w]
        assert dataset.weapons.height == 6

    def test_names_in_another_case(self, tmp_path):
        folder = write(tmp_path, export())
        (folder / "Stratagems.csv").rename(folder / "stratagems.CSV")
        dataset, warnings = read_export(folder)
        assert not [w for w in warnings if "missing" in w]
        assert dataset.stratagems.height == 2

    def test_files_of_two_editions(self, tmp_path):
        folder = write(tmp_path, {**export(), "Factions": export_11()["Factions"]})
        with pytest.raises(DataError, match=r"of two editions .*Factions\.csv is of the 11e"):
            read_export(folder)

    def test_no_edition(self, tmp_path):
        tables = export("somewhere")
        tables["Source"] = [["id", "name"], ["1", "x"]]
        with pytest.raises(DataError, match="the files tell no edition"):
            read_export(write(tmp_path / "none", tables))
        dataset, _ = read_export(write(tmp_path / "source", export("somewhere")))
        assert dataset.about.edition == "10e"

    def test_a_file_that_ends_between_two_rows_is_noticed(self, tmp_path):
        tables = export()
        tables["Datasheets"] = tables["Datasheets"][:3]
        _, warnings = read_export(write(tmp_path / "sheets", tables))
        assert any("rows of Datasheets_wargear.csv belong to no unit" in w for w in warnings)
        tables = export()
        tables["Datasheets_wargear"] = tables["Datasheets_wargear"][:4]
        _, warnings = read_export(write(tmp_path / "wargear", tables))
        assert any("units have no row in Datasheets_wargear.csv" in w for w in warnings)

    def test_files_that_do_not_belong_together(self, tmp_path):
        tables = export()
        for row in tables["Datasheets"][1:]:
            row[0] = f"77{row[0]}"
        with pytest.raises(DataError, match="no unit with a weapon"):
            read_export(write(tmp_path, tables))
