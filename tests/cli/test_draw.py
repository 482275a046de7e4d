"""`steel draw`: a world, its discovery, and how it moves."""

from pathlib import Path

import pytest

from steel_verified.worlds.catalogue import NAMES

from .running import steel


@pytest.mark.parametrize("world", NAMES)
def test_every_world_is_drawn(tmp_path: Path, world: str) -> None:
    file = tmp_path / "world.svg"
    assert steel(f"draw {world} --output {file}").exit_code == 0
    assert b"<svg" in file.read_bytes()


def test_a_world_is_drawn_the_same_way_twice(tmp_path: Path) -> None:
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        assert steel(f"draw grid --output {file}").exit_code == 0
    assert files[0].read_bytes() == files[1].read_bytes()


SWITCH = "[[1, 0], [0, 1]]"


@pytest.mark.parametrize(
    ("words", "file", "magic"),
    [
        ("single-prime --p 3 --q 5 --discovery", "x.svg", b"<?xml"),
        ("--table switch.json", "x.PNG", b"\x89PNG"),
        ("--table switch.json", "x.pdf", b"%PDF"),
        ("combination-lock --states 3 --components 8 --animate", "x.html", b"<!DOCT"),
        ("--table switch.json --start 1 --animate", "x.html", b"<!DOCT"),
    ],
)
def test_discoveries_are_drawn_and_animated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, file: str, magic: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("switch.json").write_text(SWITCH, encoding="utf-8")
    result = steel(f"draw {words} --output {file}")
    assert result.exit_code == 0, result.output
    drawn = Path(file).read_bytes()
    assert drawn.startswith(magic)
    assert len(drawn) > 5000
