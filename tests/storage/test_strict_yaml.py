"""Configs that are no good YAML, or too good: each has its problem."""

import gzip
from itertools import pairwise
from pathlib import Path

import pytest

from pipeline.campaign import load
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

BAD: dict[str, tuple[str | bytes, list[int | None], str]] = {
    "cp1252": (f"{TOP}café\n".encode("cp1252"), [3], "'caf\\xe9'"),
    "UTF-16": (TOP.encode("utf-16"), [None], "UTF-16"),
    "gzip": (gzip.compress(b"a: 1\n"), [None], "gzip"),
    "empty": ("", [None], "empty"),
    "a NUL byte": ("a: 1\nb: \0\n", [2], "NUL"),
    "a bell": ("a: 1\nb: \a\n", [2], "U+0007"),
    "a key twice": (f"{TOP}a\n    runs: 1\n    title: b\n    runs: 2\n", [5, 6], "key"),
    "a key twice in one line": ("a: {b: 1, b: 2}\n", [1], "key"),
    "a campaign twice": ("campaigns:\n  mine: 1\n  mine: 2\n", [3], "key"),
    "a map in itself": ("campaigns: &a\n  mine: *a\n", [2], "*a"),
    "a list in itself": ("a: &a [*a]\n", [1], "*a"),
    "an unknown alias": ("a: *b\n", [1], "'b'"),
    "3,000 deep": ("a:\n  " + "[" * 3000 + "]" * 3000, [2], "nest"),
    "maps 3,000 deep": ("".join(" " * n + "a:\n" for n in range(3000)), [41], "nest"),
    "a bomb": (BOMB, [6], "100000"),
    "a tab": ("campaigns:\n\tmine:\n", [2], "tab"),
    "a tab further in": (f"{TOP}a\n  \truns: 1\n", [4], "tab"),
    "an open double quote": (f'{TOP}"mine\n', [3], "never closed"),
    "an open single quote": (f"{TOP}'mine\n    runs: 1\n", [3], "never closed"),
    "an open quote that the next one closes": (
        f'{TOP}"mine\n    runs: {{files: "x"}}\n',
        [3],
        "line 4",
    ),
    "an open bracket": (f"{TOP}[a, b\n    runs: 1\n", [3], "line 4"),
    "a colon in a value": (f"{TOP}a: b\n", [3], "': '"),
    "a backslash": ('a: "\\d+"\n', [1], "'d'"),
    "a list as a key": ("? [a]\n: b\n", [1], "key"),
    "a date that is none": ("a: 2020-13-45\n", [None], "value"),
    "a bomb of maps": (MAPS, [6], "100000"),
    "a list": ("- a\n", [None], "keys at the top"),
    "a word": ("hello\n", [None], "keys at the top"),
    "only a comment": ("# later\n", [None], "keys at the top"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "lines", "named"), BAD.values(), ids=BAD)
def test_bad_config(
    tmp_path: Path, content: str | bytes, lines: list[int | None], named: str
) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as error:
        strict_yaml.config(path)
    found = error.value.problems
    assert [(one.where, one.line) for one in found] == [(path, line) for line in lines]
    assert named in found[0].what
    assert found[0].fix


def test_all_bad_configs_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("- a\n")
    paths = [tmp_path / name for name in ("a.yaml", "no.yaml")]
    assert [problem.where for problem in load(paths).problems] == paths
    with pytest.raises(InputError) as error:
        strict_yaml.check(paths)
    assert len(error.value.problems) == 2


def test_aliases_of_good_configs_stay(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("a: &a {b: 1}\nc: *a\nd:\n  <<: *a\n  e: 2\n")
    assert strict_yaml.config(path) == {"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}}


def test_configs_are_checked_together(tmp_path: Path) -> None:
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
    assert load([tmp_path / "one.yaml"], root=tmp_path).problems == []
    (problem,) = load([tmp_path / "one.yaml", tmp_path / "two.yaml"], root=tmp_path).problems
    assert problem.where == "campaigns.mine.measures[0]"
