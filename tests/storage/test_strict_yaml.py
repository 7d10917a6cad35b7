"""Configs that are no good YAML, or too good: each has its sentence."""

import gzip
from itertools import pairwise
from pathlib import Path

import pytest

from pipeline.campaign.__main__ import main
from pipeline.errors import InputError
from pipeline.storage import strict_yaml

NAMES = "abcdefghi"
BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n" for before, name in pairwise(NAMES)
)
KEYS = [f"k{place}" for place in range(9)]
MAPS = f"campaigns:\n  a: &a {{{', '.join(f'{key}: x' for key in KEYS)}}}\n" + "".join(
    f"  {name}: &{name} {{{', '.join(f'{key}: *{before}' for key in KEYS)}}}\n"
    for before, name in pairwise(NAMES)
)
TOP = "campaigns:\n  mine:\n    title: "

BAD: dict[str, tuple[str | bytes, str]] = {
    "cp1252": (
        f"{TOP}café\n".encode("cp1252"),
        "FILE, line 3: b'caf\\xe9' is not valid UTF-8 (as Latin-1 it reads 'café'); "
        "save the file as UTF-8",
    ),
    "UTF-16": (TOP.encode("utf-16"), "FILE: the file is in UTF-16; save it as UTF-8"),
    "gzip": (gzip.compress(b"a: 1\n"), "FILE: the config is packed with gzip; unpack it"),
    "empty": ("", "FILE: the file is empty; a config has lines of 'key: value'"),
    "a NUL byte": (
        "a: 1\nb: \0\n",
        "FILE, line 2: a NUL byte, so this is not a text file; send the config itself",
    ),
    "a bell": (
        "a: 1\nb: \a\n", "FILE, line 2: the character U+0007 has no place in YAML; remove it",
    ),
    "a key twice": (
        f"{TOP}a\n    runs: 1\n    title: b\n    runs: 2\n",
        "FILE, line 5: the key 'title' is already in line 3; keep one of them\n"
        "FILE, line 6: the key 'runs' is already in line 4; keep one of them",
    ),
    "a key twice in one line": (
        "a: {b: 1, b: 2}\n", "FILE, line 1: the key 'b' is already in line 1; keep one of them",
    ),
    "a campaign twice": (
        "campaigns:\n  mine: 1\n  mine: 2\n",
        "FILE, line 3: the key 'mine' is already in line 2; keep one of them",
    ),
    "a map in itself": (
        "campaigns: &a\n  mine: *a\n",
        "FILE, line 2: *a stands inside &a, so it would contain itself; write the value out",
    ),
    "a list in itself": (
        "a: &a [*a]\n",
        "FILE, line 1: *a stands inside &a, so it would contain itself; write the value out",
    ),
    "an unknown alias": (
        "a: *b\n",
        "FILE, line 1: found undefined alias 'b'; name a value with & before it is used with *",
    ),
    "3,000 deep": (
        "a:\n  " + "[" * 3000 + "]" * 3000,
        "FILE, line 2: maps and lists nest more than 40 deep; "
        "a config has ten levels, so look for a bracket too many",
    ),
    "maps 3,000 deep": (
        "".join(" " * n + "a:\n" for n in range(3000)),
        "FILE, line 41: maps and lists nest more than 40 deep; "
        "a config has ten levels, so look for a bracket too many",
    ),
    "a bomb": (
        BOMB,
        "FILE, line 6: more than 100000 values, with what the aliases (*) stand for; "
        "write out what is meant",
    ),
    "a tab": (
        "campaigns:\n\tmine:\n",
        "FILE, line 2: a tab where YAML takes only spaces; put spaces in its place",
    ),
    "a tab further in": (
        f"{TOP}a\n  \truns: 1\n",
        "FILE, line 4: a tab where YAML takes only spaces; put spaces in its place",
    ),
    "an open double quote": (
        f'{TOP}"mine\n', "FILE, line 3: the quote that opens here is never closed; close it",
    ),
    "an open single quote": (
        f"{TOP}'mine\n    runs: 1\n",
        "FILE, line 3: the quote that opens here is never closed; close it",
    ),
    "an open quote that the next one closes": (
        f'{TOP}"mine\n    runs: {{files: "x"}}\n',
        "FILE, line 3: the quote that opens here is closed only in line 4; "
        "close it where the text ends",
    ),
    "an open bracket": (
        f"{TOP}[a, b\n    runs: 1\n",
        "FILE, line 3: the bracket that opens here is not closed before line 4; close it",
    ),
    "a colon in a value": (
        f"{TOP}a: b\n",
        "FILE, line 3: a second ': ' in one value, or a wrong indent; put the text in quotes, "
        "or start a new line",
    ),
    "a backslash": (
        'a: "\\d+"\n',
        "FILE, line 1: found unknown escape character 'd' in double quotes; "
        "write \\\\ for a backslash, or use single quotes",
    ),
    "a list as a key": (
        "? [a]\n: b\n",
        "FILE, line 1: a list or map as a key; write a word before the colon",
    ),
    "a date that is none": (
        "a: 2020-13-45\n",
        "FILE: a value cannot be read (month must be in 1..12); put it in quotes",
    ),
    "a bomb of maps": (
        MAPS,
        "FILE, line 6: more than 100000 values, with what the aliases (*) stand for; "
        "write out what is meant",
    ),
    "a list": ("- a\n", "FILE: a config has keys at the top, as 'campaigns:'; begin with that"),
    "a word": ("hello\n", "FILE: a config has keys at the top, as 'campaigns:'; begin with that"),
    "only a comment": (
        "# later\n", "FILE: a config has keys at the top, as 'campaigns:'; begin with that",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("content", "sentence"), BAD.values(), ids=BAD)
def test_bad_config(tmp_path: Path, content: str | bytes, sentence: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as error:
        strict_yaml.config(path)
    assert str(error.value) == sentence.replace("FILE", str(path))


def test_all_bad_configs_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text("- a\n")
    paths = [str(tmp_path / name) for name in ("a.yaml", "no.yaml")]
    assert main(paths) == 1
    assert capsys.readouterr().err == (
        f"fathom: {paths[0]}: a config has keys at the top, as 'campaigns:'; begin with that\n"
        f"fathom: {paths[1]}: there is no such config; check the path after --configfile\n"
    )
    with pytest.raises(InputError) as error:
        strict_yaml.check(map(Path, paths))
    assert len(str(error.value).split("\n")) == 2


def test_aliases_of_good_configs_stay(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("a: &a {b: 1}\nc: *a\nd:\n  <<: *a\n  e: 2\n")
    assert strict_yaml.config(path) == {"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}}


JSON = {
    "a comma too many": (
        '{\n"campaigns": {},\n}',
        "FILE, line 3: not JSON (Expecting property name enclosed in double quotes); correct it, "
        "or write YAML and call the file .yaml",
    ),
    "a list of JSON": ("[]", BAD["a list"][1]),
    "JSON 100,000 deep": (
        "[" * 100_000, "FILE: nests without end, or holds a number that does; correct it",
    ),
    "a number of 5,000 digits": (
        '{"a": ' + "9" * 5000 + "}",
        "FILE: nests without end, or holds a number that does; correct it",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("content", "sentence"), JSON.values(), ids=JSON)
def test_bad_json(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        strict_yaml.config(path)
    assert str(error.value) == sentence.replace("FILE", str(path))


def test_configs_are_checked_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second may change a value of the first, as it does in Snakemake."""
    (tmp_path / "qrels").write_text("1 0 d 1\n")
    (tmp_path / "run").write_text("1 Q0 d 1 1 t\n")
    one = f"""campaigns:
  mine:
    runs: {{files: {tmp_path}/run}}
    dimensions: {{topicality: {{labels: {tmp_path}/qrels, scale: [0, 2], threshold: 1}}}}
    measures: [AP]
"""
    (tmp_path / "one.yaml").write_text(one)
    (tmp_path / "two.yaml").write_text("campaigns: {mine: {measures: [P@k]}}")
    assert main([str(tmp_path / "one.yaml")]) == 0
    assert main([str(tmp_path / name) for name in ("one.yaml", "two.yaml")]) == 1
    assert "campaigns.mine.measures" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["--configfile", "BAD"], ["-n", "--configfiles", "BAD", "--cores", "1"], ["--configfile=BAD"]],
)
def test_the_configs_of_a_command(tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("a: 1\na: 2\n")
    with pytest.raises(SystemExit) as error:
        strict_yaml.check_command([one.replace("BAD", str(path)) for one in arguments])
    assert str(error.value) == (
        f"fathom: {path}, line 2: the key 'a' is already in line 1; keep one of them"
    )
    path.write_text("a: 1\n")
    strict_yaml.check_command([one.replace("BAD", str(path)) for one in arguments])
    strict_yaml.check_command(["--config", "a=1", "--cores", "1", "target"])
