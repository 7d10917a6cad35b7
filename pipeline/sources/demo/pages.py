"""Six looks of web sites, with all that surrounds an article: menus, banners, scripts, footers.

Some of it is marked up as what it is (`nav`, `footer`), some hides in plain `div`s and tables, as
on real sites, so a better cleanser has something to gain. The looks are in `looks.html.j2`.
"""

from functools import cache
from html import escape
from pathlib import Path
from random import Random

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from pipeline.sources.demo.text import Article


@cache
def _looks() -> Template:
    templates = Environment(  # all texts are ours, and escaped one by one
        loader=FileSystemLoader(Path(__file__).parent),
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    return templates.get_template("looks.html.j2", globals={"escape": escape})


def page(article: Article, *, site: str, random: Random) -> bytes:
    """The page's bytes: mostly UTF-8, sometimes with a mark, old boards in windows-1252."""
    old = site == "forum" and random.random() < 0.5
    mark = b"\xef\xbb\xbf" if site == "blog" and random.random() < 0.2 else b""
    charset = "windows-1252" if old else "utf-8"
    html = _looks().render(article=article, site=site, random=random, charset=charset)
    return mark + html.encode("cp1252" if old else "utf-8")
