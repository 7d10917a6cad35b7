"""Topics in the forms campaigns really use, well-formed or not."""

import gzip
from pathlib import Path

import pytest

from pipeline.config.topics import Rename, Topics
from pipeline.errors import InputError
from pipeline.labels.topics import CampaignTopic, count, read, read_counted

DATA = Path(__file__).parents[2] / "../shared/data"

GOOD = [
    (
        "CLEF 2013",
        '<?xml version="1.0"?>\n<queries>\n<query>\n<id>qtest1</id>\n<title>Scar tissue</title>\n'
        "<desc>Healing</desc></query>\n</queries>\n",
        {"qtest1": "Scar tissue"},
    ),
    (
        "CLEF 2015",
        "<topics><top><num>t.1</num><query>red marks</query><type>most</disease></top>"
        "<top><num>t.2</num>\n<query>lump \n on  nose</query></top></topics>",
        {"t.1": "red marks", "t.2": "lump on nose"},
    ),
    (
        "stray and real entities",
        "<top><num>1</num>"
        "<title>cold & flu &amp; R&D &#233; &quot;x&quot; AT&T &copy</title></top>",
        {"1": 'cold & flu & R&D \u00e9 "x" AT&T &copy'},
    ),
    (
        "TREC, tags never closed",
        "<top>\n\n<num> Number: 301\n<title> International Organized Crime\n\n"
        "<desc> Description:\nIdentify it.\n\n</top>\n"
        "<top>\n<num> Number: 302 \n<title> Topic:  Polio < 1950 \n<desc> x\n</top>\n",
        {"301": "International Organized Crime", "302": "Polio < 1950"},
    ),
    (
        "TREC Web track, id as attribute",
        '<!DOCTYPE w [\n<!ELEMENT topic (query)>\n]>\n<w><topic number="1" type="x">'
        "<query>obama tree</query><subtopic number='9'>No</subtopic></topic></w>",
        {"1": "obama tree"},
    ),
    (
        "upper case, comments, CDATA",
        "<!-- <top><num>0</num></top> -->\n"
        "<TOP><NUM>1</NUM><TITLE><![CDATA[a <b> & c]]></TITLE></TOP>",
        {"1": "a <b> & c"},
    ),
    (
        "a title without text falls back",
        "<top><num>1</num><title></title><desc>why</desc></top>",
        {"1": "why"},
    ),
    (
        "lines",
        "\ufeff007\tfirst  one\r\n\r\n8\tsecond\tpart",
        {"007": "first one", "8": "second part"},
    ),
]


@pytest.mark.parametrize(("name", "text", "topics"), GOOD, ids=[case[0] for case in GOOD])
def test_read(tmp_path: Path, name: str, text: str, topics: dict[str, str]) -> None:
    path = tmp_path / "topics"
    path.write_bytes(text.encode())
    assert read(path) == topics
    path.write_bytes(gzip.compress(text.encode()))
    assert read(path) == topics


def test_ids_are_rewritten_and_the_first_of_equal_ones_stays(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text("101001\ta\n101002\tb\n102001\tc\nextra\td\n")
    assert read(path, rename=Rename(match=r"^(\d{3})\d{3}$", replace=r"\1")) == {
        "101": "a",
        "102": "c",
        "extra": "d",
    }


BAD = [
    (b"", "FILE: the file is empty; a topics file has lines of 'id<TAB>query'"),
    (b"<x></x>", "FILE: no topic found; use <top>, <topic> or <query>, or id<TAB>query"),
    (
        b"1\ta\n2 b\n",
        "FILE, line 2: '2 b' is not a topic; write the topic id, a tab and the query",
    ),
    (b"1\ta\n\tb\n", "FILE, line 2: 'b' is not a topic; write the topic id, a tab and the query"),
    (b"1\ta\n2\t\n", "FILE, line 2: '2' is not a topic; write the topic id, a tab and the query"),
    (b"1\ta\n2\tb\n1\tc\n", "FILE, line 3: topic '1' is already in line 1; remove one"),
    (
        b"<a>\n<top><num>1</num>\n<title>x</title></top>\n<top><num>1</num><title>y</title></top>",
        "FILE, line 4: topic '1' is already in line 2; remove one",
    ),
    (
        b"<top><num>1</num><title>x</title></top>\n<top>\n<title>y</title></top>",
        "FILE, line 2: this <top> has no topic id; add <num> or <id>",
    ),
    (
        b"<query>\n<id>7</id></query>",
        "FILE, line 1: topic '7' has no query; add <title> or <query>, "
        "or name its element with topics.query",
    ),
    (
        b"<top><num>1</num><title>x</title>\n<top><num>2</num><title>y</title></top>",
        "FILE, line 1: this <top> is not closed; add </top> where it ends",
    ),
    (
        b"1\ta\n2\t\xff\n",
        "FILE, line 2: b'\\xff' is not valid UTF-8 (as Latin-1 it reads 'ÿ'); "
        "save the file as UTF-8",
    ),
    (
        gzip.compress(b"1\ta", mtime=0)[:-9],
        "FILE: the gzip file is damaged or cut short; replace it with an intact copy",
    ),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_bad_file(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "topics"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == message.replace("FILE", str(path))


LANGUAGES = """<queries>
\t<query>
\t\t<id> 151001 </id>
\t\t<en> anemia diet therapy </en>
\t\t<fr> anémie alimentation thérapie </fr>
\t</query>
</queries>
"""


def test_an_element_for_each_language(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text(LANGUAGES, encoding="utf-8")
    assert read(path, query="en") == {"151001": "anemia diet therapy"}
    assert read(path, query="fr") == {"151001": "anémie alimentation thérapie"}
    with pytest.raises(InputError) as error:
        read(path, query="de")
    assert str(error.value) == (
        f"{path}, line 2: topic '151001' has no query; add <de>, or correct topics.query"
    )


def test_same_id_twice_is_an_error_even_with_a_mapping(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text("a1\tx\na1\ty\n")
    with pytest.raises(InputError) as error:
        read(path, rename=Rename(match="a", replace="b"))
    assert str(error.value) == f"{path}, line 2: topic 'a1' is already in line 1; remove one"


def test_mapping_that_matches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_text("101\tx\n")
    with pytest.raises(InputError) as error:
        read(path, rename=Rename(match=r"^qtest\.", replace=""))
    assert str(error.value) == (
        f"{path}: topics.id.match '^qtest\\.' matches no topic id, the first being '101'; "
        "correct the expression or remove it"
    )


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read(tmp_path / "no")
    assert str(error.value) == (
        f"{tmp_path / 'no'}: cannot be read (No such file or directory); check the path"
    )


def counted(tmp_path: Path, *, policy: str, ids: str = "t") -> list[CampaignTopic]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    labels, file, out = (tmp_path / name for name in ("labels.parquet", "topics", "out/topics.tsv"))
    pq.write_table(pa.table({"topic": ["t10", "t2", "t10", None]}), labels)
    file.write_text(f"{ids}2\tcold & \u201cflu\u201d\n{ids}3\tthree\n")
    count(labels, file=file, topics=Topics(file="topics"), policy=policy, out=out)
    return read_counted(out)


@pytest.mark.parametrize(
    ("policy", "counting"), [("labels", {"t2", "t10"}), ("topics", {"t2", "t3"})]
)
def test_topics_that_count(tmp_path: Path, policy: str, counting: set[str]) -> None:
    found = counted(tmp_path, policy=policy)
    assert [(topic.id, topic.text) for topic in found] == [
        ("t2", "cold & \u201cflu\u201d"),
        ("t3", "three"),
        ("t10", ""),
    ]
    assert {topic.id for topic in found if topic.counts} == counting


def test_topics_file_of_another_campaign(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        counted(tmp_path, policy="labels", ids="clef.")
    (problem,) = error.value.problems
    assert problem.where == str(tmp_path / "topics")
    assert "'clef.2'" in problem.what
    assert "'t2'" in problem.what
    assert "topics.id" in problem.fix


REAL = [
    (
        "clef2013/topics/queries.clef2013ehealth.1-50.test.xml",
        None,
        None,
        50,
        ("qtest50", "Hypogammaglobulinemia"),
    ),
    (
        "clef2015/topics/clef2015.test.queries-EN.txt",
        r"^clef2015\.test\.",
        "qtest.",
        66,
        ("qtest.67", "black tooth"),
    ),
    (
        "clef2015/topics/clef2015.test_with_narratives.queries-EN.txt",
        None,
        None,
        67,
        ("clef2015.test.67", "black tooth"),
    ),
    (
        "clef2016/topics/queries2016.xml",
        r"^(\d{3})\d{3}$",
        r"\1",
        50,
        ("150", "painful erection following foley catheter worsening"),
    ),
    ("trec2009-diversity/topics/wt2009.topics.xml", None, None, 50, ("50", "dog heat")),
]


@pytest.mark.skipif(not DATA.exists(), reason="needs ../shared/data")
@pytest.mark.parametrize(("name", "match", "replace", "count", "last"), REAL)
def test_real_topics(
    name: str, match: str | None, replace: str | None, count: int, last: tuple[str, str]
) -> None:
    rename = Rename(match=match, replace=replace) if match and replace else None
    topics = read(DATA / name, rename=rename)
    assert len(topics) == count
    assert list(topics.items())[-1] == last
