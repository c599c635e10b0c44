"""An invented export in the form of real ones: other armies, own words, every quirk once."""

from __future__ import annotations

import csv
import io
from pathlib import Path

Tables = dict[str, list[list[str]]]

GUARD, SCOUTS, BELL, TWIN, EXAMPLE, GHOST = (f"{n:09}" for n in (1, 2, 3, 4, 5, 999))
_LINK = "https://wahapedia.ru/{}/factions/iron-choir/{}"
_SHEET = (
    "id|name|faction_id|source_id|legend|role|loadout|transport|virtual|leader_head|leader_footer"
    "|damaged_w|damaged_description|link"
)


def _sheet(place: str, id_: str, name: str, source: str, **more: str) -> list[str]:
    row = dict.fromkeys(_SHEET.split("|"), "")
    row |= {"id": id_, "name": name, "faction_id": "IC", "source_id": source, "role": "Other"}
    row |= {"virtual": "false", "link": _LINK.format(place, name), **more}
    return list(row.values())


def _table(header: str, *rows: list[str] | str) -> list[list[str]]:
    lines = [row.split("|") if isinstance(row, str) else row for row in rows]
    assert all(len(line) == header.count("|") + 1 for line in lines), header
    return [header.split("|"), *lines]


def export(place: str = "wh40k10ed") -> Tables:
    """The files by name; each has its header first."""
    anchor = '<a href="/x/#Rapid-Fire">rapid fire 2</a>'
    every = "<b>Every model is equipped with:</b>"
    return {
        "Last_update": _table("last_update", "2031-02-03 04:05:06"),
        "Factions": _table(
            "id|name|link",
            ["IC", "Iron Choir", f"https://wahapedia.ru/{place}/factions/iron-choir"],
        ),
        "Source": _table(
            "id|name|type|edition", "01|Iron Choir|Pack|10", "02|Choir Legends|Pack|0"
        ),
        "Datasheets": _table(
            _SHEET,
            _sheet(
                place,
                GUARD,
                "Anvil Guard",
                "01",
                role="Battleline",
                loadout=(
                    "<b>The Bell Sergeant is equipped with:</b> storm gun; 2 pikes.<br><br>"
                    "<b>Every Guard is equipped with:</b> storm gun; tin hat."
                ),
            ),
            _sheet(place, SCOUTS, "Bell Scouts", "01", loadout=f"{every} sling."),
            _sheet(
                place,
                BELL,
                "Great Bell",
                "01",
                role="Fortifications",
                transport="It has a transport capacity of 7 <b>IRON</b> models.",
                damaged_w="1-4",
                damaged_description="It rings less.",
            ),
            _sheet(place, TWIN, "Bell Scouts", "02"),
            _sheet(place, EXAMPLE, "Example", "01", virtual="true", role=""),
        ),
        "Datasheets_models": _table(
            "datasheet_id|line|name|M|T|Sv|inv_sv|inv_sv_descr|W|Ld|OC|base_size|base_size_descr",
            f'{GUARD}|1|BELL SERGEANT|5"|5*|3+|5| * Against ranged attacks only|3|6+|2|40mm|',
            f'{GUARD}|2|GUARD|5"|5|3+|-||2|6+|2|32mm|',
            f'{SCOUTS}|1||20+"|3|7+|4*|* 3+ against melee attacks|1|7+|-||',
            f"{BELL}|1|Great Bell|-|12|2+|4||18|6+|0||",
            f'{TWIN}|1|Bell Scouts|6"|3|6+|-||1|7+|1||',
            f"{GHOST}|1|Nobody|5|3|6+|-||1|7+|1||",
        ),
        "Datasheets_wargear": _table(
            "datasheet_id|line|line_in_wargear|dice|name|description|range|type|A|BS_WS|S|AP|D",
            f"{GUARD}|1|1||Storm gun|{anchor}, hEAVy|24|Ranged|D6 |3|5|-0|d3+1",
            f"{GUARD}|2|1||Pike – thrust|LANCE. Anti-Fly 2+. HUMMING|Melee|Melee|2|3+|6|-1|2",
            f"{GUARD}|2|2||Pike - sweep||Melee|Melee|4|3|7 |0|1",
            f"{GUARD}|||| ||||0|-|-|0|-",
            f"{SCOUTS}|||1-2 |Sling|torrent, rapid fire|12|Ranged|D6|N/A|2D6|0|1",
            f"{SCOUTS}||||Sling|one shot, torrent|N/A|Ranged|1|-|9|-3|6",
            f"{SCOUTS}||||Odd sling||12|Ranged|1|-|4|0|1",
            f"{SCOUTS}||||Lost knife||Melee|Melee|*|4|4|0|1",
            f"{BELL}|1|1||Clapper||Melee|Melee|3|4|8|-1|D3",
            f"{BELL}|1|1||Clapper||Melee|Melee|3|4|8|-1|D3",
            f"{GHOST}|1|1||Nothing||Melee|Melee|3|4|8|-1|D3",
        ),
        "Datasheets_keywords": _table(
            "datasheet_id|keyword|model|is_faction_keyword",
            f"{GUARD}|Infantry||false",
            f"{GUARD}|Infantry|BELL SERGEANT|false",
            f"{GUARD}|Iron Choir||true",
            f"{GUARD}|||true",
            f"{SCOUTS}|Epic Hero||false",
            f"{GHOST}|Infantry||false",
        ),
        "Datasheets_unit_composition": _table(
            "datasheet_id|line|description",
            f"{GUARD}|1|1 Bell Sergeant and 4 Guards",
            f"{GUARD}|2|OR",
            f"{GUARD}|3|1 Bell Sergeant",
            f"{GUARD}|4|9-19 Guards",
            f'{SCOUTS}|1|5 Scouts – <span class="kwb">EPIC</span> <span class="kwb">HERO</span>',
            f"{SCOUTS}|2|This unit is small.",
            f"{BELL}|1|1 Great Bell*",
            f"{TWIN}|1|3 Scouts",
        ),
        "Datasheets_options": _table(
            "datasheet_id|line|button|description",
            f"{GUARD}|1|•|This model’s pike can be replaced with one of the following:<ul>"
            "<li>1 storm gun</li><li>1 bell</li></ul>",
            f"{GUARD}|2|*|Only at night.",
            f"{SCOUTS}|1|•|None",
        ),
        "Datasheets_models_cost": _table(
            "datasheet_id|line|description|cost",
            f"{GUARD}|1|1 Bell Sergeant and 4 Guards|90",
            f"{GUARD}|2|10 models| 170",
            f"{GUARD}|3|1 Bell Sergeant, 5 Guards and 4 Bells|180",
            f"{GUARD}|4|Drummer|+15",
            f"{SCOUTS}|1|5 models (<ky>IRON CHOIR</ky> Detachment)|40",
            f"{SCOUTS}|2|5 models (Assigned Agent)|55",
            f"{BELL}|1|a bell|many",
        ),
        "Abilities": _table(
            "id|name|legend|faction_id|description",
            "07|Loud|x|IC|It is <b>loud</b>.",
            "07|Loud|x|ZZ|Elsewhere.",
        ),
        "Datasheets_abilities": _table(
            "datasheet_id|line|ability_id|model|name|description|type|parameter",
            f"{GUARD}|1|07||||Core| 5+",
            f'{GUARD}|2|||Rope|It has 5" of rope.|Special (правая колонка)|',
            f"{GHOST}|1|||Gone|Gone.|Datasheet|",
        ),
        "Detachments": _table(
            "id|faction_id|name|legend|type", "01|IC|Bell Foundry||", "02|IC|Bell Foundry||"
        ),
        "Detachment_abilities": _table(
            "id|faction_id|name|legend|description|detachment|detachment_id",
            "01|IC|Peals||They ring.|Bell Foundry|01",
        ),
        "Stratagems": _table(
            "faction_id|name|id|type|cp_cost|legend|turn|phase|detachment|detachment_id|description",
            "IC|LAST PEAL|1|Bell Foundry  – Battle Tactic Stratagem|2||Either player’s turn"
            "|Shooting or Fight phase|Bell Foundry|01|<b>WHEN:</b> Now.<br><br><b>EFFECT:</b> Ring.",
            "|FIRE OVERWATCH|2|Core – Strategic Ploy Stratagem|1||Opponent’s turn"
            "|Movement or Charge phase|||Shoot.",
            "IC|HUM|3|||||Shooting phase|Army Rules|03|Hum.",
        ),
        "Enhancements": _table(
            "faction_id|id|name|cost|detachment|detachment_id|legend|description",
            "IC|1|Golden Rope|+40|Bell Foundry|01||It shines.",
            "IC|2|Tin Rope|0|Bell Foundry|01||",
        ),
        "Datasheets_leader": _table("leader_id|attached_id", f"{BELL}|{GUARD}"),
    }


def export_11() -> Tables:
    """The same of the 11th edition: more columns, headings over prices, newlines in fields."""
    tables = export("wh40k11ed")
    for name, columns in {
        "Datasheets": {"is_support": "false"},
        "Detachments": {"dp": "2", "force_disposition": "Take and Hold"},
        "Enhancements": {"upgrade": "true", "support_leader": "false"},
    }.items():
        header, *rows = tables[name]
        tables[name] = [[*header, *columns], *([*row, *columns.values()] for row in rows)]
    tables["Detachments_chapter_dp"] = _table("detachment_id|keyword|dp", "01|BELLS|1")
    tables["Datasheets_wargear"][1][5] = "BLAST 1, LETHAL HITS: non-MONSTER/VEHICLE, Anti-Fly 2+"
    tables["Datasheets_abilities"][2][5] = "It has\r\n\r\nmuch rope."
    block = [
        "YOUR 1ST TO 2ND UNITS COST|",
        "5 models| 90",
        "10 models|170",
        "YOUR 3RD + UNIT COSTS|",
        "5 models|100",
        "WARGEAR OPTIONS|",
        "per Twin Bell|5",
        "Drum|10",
    ]
    tables["Datasheets_models_cost"] = _table(
        "datasheet_id|line|description|cost",
        *(f"{GUARD}||{line}" for line in block),
        *(f"{GUARD}||{line}" for line in [*block[:2], "10 models|175", *block[3:]]),
    )
    return tables


def bars(rows: list[list[str]]) -> str:
    """As downloaded."""
    return "".join("|".join(row) + "|\r\n" for row in rows)


def mangled(rows: list[list[str]]) -> str:
    """As a spreadsheet saves what it opened as commas and saves with bars."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="|", lineterminator="\r\n")
    for row in rows:
        writer.writerow(("|".join(row) + "|").split(","))
    return out.getvalue()


def commas(rows: list[list[str]]) -> str:
    """As another spreadsheet saves it: ids are numbers, and there is one column more."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    header, *rest = rows
    writer.writerow([*header, "Column1"])
    for row in rest:
        numbers = [c.lstrip("0") or "0" if c.isdigit() else c for c in row]
        writer.writerow([*numbers, ""])
    return out.getvalue()


FORMS = {"bars": bars, "mangled": mangled, "commas": commas}


def write(folder: Path, tables: Tables, form: str = "bars") -> Path:
    """The files in a folder, in one of the forms."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        (folder / f"{name}.csv").write_bytes(FORMS[form](rows).encode("utf-8-sig"))
    return folder
