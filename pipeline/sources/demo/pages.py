"""Six looks of web sites, with all that surrounds an article: menus, banners, scripts, footers.

Some of it is marked up as what it is (`nav`, `footer`), some hides in plain `div`s and tables, as
on real sites, so a better cleanser has something to gain.
"""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from random import Random

from pipeline.sources.demo.text import Article, Section

_PEOPLE = (
    *("mo_h", "Sunny62", "jan.b", "tess1980", "oldsalt"),
    *("GrannyKay", "pete_w", "lindaR", "newbie7", "Ash"),
)
_MENU = (
    *("Home", "A-Z", "Conditions", "Find a doctor", "Live well", "News", "Videos", "Recipes"),
    *("Contact", "About us", "Jobs", "Log in", "Newsletter", "Shop", "Donate", "Help"),
)
_ALSO = (
    *("Ten tips for better sleep", "Is coffee good for you?", "How to read a food label"),
    *("Back pain at work", "Your first visit", "When to call a doctor", "The flu season"),
    *("A walk a day", "Children and screens", "Quiz: how much do you know?", "Ask our team"),
)
_SCRIPT = """<script>
window.dataLayer = window.dataLayer || [];
function gtag(){dataLayer.push(arguments);}
gtag('config', 'DEMO-%d', {'anonymize_ip': true}); /* measure visits. Do not read me! */
if (document.cookie.indexOf("consent=") < 0 && window.innerWidth > 640) { show("banner"); }
</script>"""
_STYLE = """<style>
body { font: 16px/1.5 %s; margin: 0 auto; max-width: %dem; color: #222 }
nav li, .menu li { display: inline; padding: 0 .5em } h2 > a:hover { color: #%06x }
</style>"""
_COOKIES = (
    "We use cookies to make this site work. You can accept or decline them.",
    "This site uses cookies. By browsing on you agree to our use of cookies.",
    "Your privacy matters to us. Choose which cookies we may set.",
)


def _links(names: Iterable[str]) -> str:
    return "".join(f'<li><a href="/{escape(n.lower()[:12])}">{escape(n)}</a></li>' for n in names)


def _sections(sections: Iterable[Section], *, tag: str = "h2", anchor: str = "") -> str:
    return "\n".join(
        f"<{tag}>{escape(section.heading)}{anchor}</{tag}>\n{_content(section)}"
        for section in sections
    )


def _content(section: Section) -> str:
    paragraphs = "\n".join(f"<p>{escape(text)}</p>" for text in section.paragraphs)
    items = "".join(f"<li>{escape(item)}</li>\n" for item in section.items)
    return paragraphs + (f"\n<ul>\n{items}</ul>" if items else "")


def _head(article: Article, site: str, random: Random, *, charset: str = "utf-8") -> str:
    fonts = ("Georgia, serif", "Arial, sans-serif", "Verdana, sans-serif")
    return (
        f'<head>\n<meta charset="{charset}">\n<title>{escape(article.title)} | {site}</title>\n'
        + _STYLE % (random.choice(fonts), random.randint(40, 80), random.randrange(1 << 24))
        + "\n"
        + _SCRIPT % random.randint(1000, 9999)
        + "\n</head>"
    )


def _hospital(article: Article, random: Random) -> str:
    menu, also = random.sample(_MENU, 6), random.sample(_ALSO, 4)
    return f"""<!DOCTYPE html>
<html lang="en">
{_head(article, "Saint Brannoc Hospital", random)}
<body>
<header><a href="/"><img src="/logo.png" alt="Saint Brannoc Hospital"></a>
<nav><ul>{_links(menu)}</ul></nav>
<form action="/search"><input name="q"><button>Search</button></form></header>
<div id="cookie-banner" role="dialog"><p>{random.choice(_COOKIES)}</p><button>Accept</button></div>
<main><article>
<h1>{escape(article.title)}</h1>
{_sections(article.sections)}
</article></main>
<aside><h3>Related pages</h3><ul>{_links(also)}</ul></aside>
<footer><p>© {random.randint(2012, 2016)} Saint Brannoc Hospital. All rights reserved.</p>
<p>This page does not replace a visit to your doctor.</p></footer>
</body></html>
"""


def _leaflet(article: Article, random: Random) -> str:
    contents = _links(section.heading for section in article.sections)
    return f"""<!DOCTYPE html>
<html lang="en-GB">
{_head(article, "Public Health Leaflets", random)}
<body class="leaflet">
<noscript>Please switch on JavaScript.</noscript>
<nav aria-label="Main"><ul>{_links(random.sample(_MENU, 7))}</ul></nav>
<div class="cookies" hidden><p>{random.choice(_COOKIES)}</p></div>
<h1>{escape(article.title)}</h1>
<nav class="contents"><h2>Contents</h2><ol>{contents}</ol></nav>
<section>
{_sections(article.sections)}
</section>
<div class="review"><p>Page last reviewed: {random.randint(1, 28)} May 2015</p></div>
<footer><ul>{_links(random.sample(_MENU, 5))}</ul><p>© Crown leaflets</p></footer>
</body></html>
"""


def _journal(article: Article, random: Random) -> str:
    volume, page = random.randint(11, 64), random.randint(100, 900)
    references = "".join(
        f"<li>{name} {initial}. Ann Demo Med {random.randint(1996, 2015)};{random.randint(1, 50)}:"
        f"{random.randint(1, 99)}.</li>\n"
        for name, initial in zip(
            random.sample(("Abbot", "Okafor", "Lindqvist", "Moreau", "Tanaka", "Weiss"), 3),
            random.sample("ABCDEFGHJK", 3),
            strict=True,
        )
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml">
{_head(article, "Annals of Demonstrative Medicine", random)}
<body>
<div role="banner">Annals of Demonstrative Medicine</div>
<div role="navigation"><ul>{_links(("Current issue", "Archive", "Submit", "Subscribe"))}</ul></div>
<div class="article">
<h1>{escape(article.title)}</h1>
<p class="citation">Ann Demo Med {volume}:{page}</p>
{_sections(article.sections)}
<h2>References</h2>
<ol class="references">
{references}</ol>
</div>
<div role="contentinfo">© The authors. <a href="/terms">Terms of use</a></div>
<script src="/js/metrics.js"></script>
</body></html>
"""


def _encyclopaedia(article: Article, random: Random) -> str:
    lead, *rest = article.sections
    edit = '<span class="edit" hidden>[<a href="?edit">edit</a>]</span>'
    rows = "".join(
        f"<tr><th>{key}</th><td>{value}</td></tr>"
        for key, value in (("Code", f"D{random.randint(10, 99)}"), ("Field", "Medicine"))
    )
    return f"""<!DOCTYPE html>
<html class="client-nojs" lang="en">
{_head(article, "Medipaedia", random)}
<body>
<div id="siteNotice">{random.choice(_COOKIES)}</div>
<h1 id="firstHeading">{escape(article.title)}</h1>
<div id="bodyContent">
<div id="siteSub">From Medipaedia, the open health encyclopaedia</div>
<table class="infobox">{rows}</table>
{_content(lead)}
{_sections(rest, anchor=edit)}
</div>
<div id="mw-navigation"><h3>Navigation</h3><ul>{_links(random.sample(_MENU, 5))}</ul></div>
<footer>This page was last changed in {random.randint(2010, 2016)}. Text is free to share.</footer>
</body></html>
"""


def _blog(article: Article, random: Random) -> str:
    comments = "".join(
        f'<li><b>{name}</b> says:<p>{random.choice(_REMARKS)}</p><a href="#r">Reply</a></li>\n'
        for name in random.sample(_PEOPLE, 2)
    )
    return f"""<!DOCTYPE html>
<html>
{_head(article, "The Kitchen Table Clinic", random)}
<body>
<div class="menu"><ul>{_links(random.sample(_MENU, 5))}</ul></div>
<div class="popup" role="alertdialog">Join our newsletter! Get a free e-book.</div>
<div class="post">
<h1>{escape(article.title)}</h1>
<div class="meta">by {random.choice(_PEOPLE)} in <a href="/c">Health</a></div>
{_sections(article.sections, tag="h3")}
<div class="share"><a href="#f">Share</a> <a href="#t">Post</a> <a href="#p">Pin</a></div>
</div>
<ol class="comments">
{comments}</ol>
<aside class="sidebar"><h4>Popular posts</h4><ul>{_links(random.sample(_ALSO, 5))}</ul></aside>
<div class="footer">Powered by crumbs. {random.choice(_COOKIES)}</div>
</body></html>
"""


_REMARKS = (
    "Thanks, this was just what I was looking for.",
    "My mum had the same thing last year.",
    "Great post! I will try that.",
    "I\u2019m not so sure about this, but each to their own.",
)
_OPENERS = (
    "Hi all, I\u2019m new here and could do with some help.",
    "Hello, has anyone here been through this?",
    "Sorry if this has been asked before \u2013 I looked and could not find it.",
)
_REPLIES = ("Hi there, here is what I know.", "I\u2019ve been there.", "Hope this helps you a bit.")


def _forum(article: Article, random: Random, *, charset: str = "utf-8") -> str:
    first, *rest = article.sections
    names = random.sample(_PEOPLE, len(rest) + 1)
    replies = "\n".join(
        f"""<tr><td class="user"><b>{name}</b><br>Posts: {random.randint(3, 4000)}</td>
<td><div class="postbody"><p>{random.choice(_REPLIES)}</p>
{_content(section)}</div></td></tr>"""
        for name, section in zip(names[1:], rest, strict=True)
    )
    return f"""<html>
{_head(article, "Saltmarsh Health Board", random, charset=charset)}
<body bgcolor="#ffffff">
<table width="100%"><tr>{"".join(f"<td><a href=x>{m}</a></td>" for m in _MENU[:5])}</tr></table>
<center><font size=2>Board index &raquo; Health &raquo; {escape(article.title)}</font></center>
<h2>{escape(article.title)}</h2>
<table class="thread">
<tr><td class="user"><b>{names[0]}</b><br>Posts: {random.randint(1, 40)}</td>
<td><div class="postbody"><p>{random.choice(_OPENERS)}</p>
{_content(first)}</div></td></tr>
{replies}
</table>
<form action="reply.php"><textarea>Your reply</textarea><input type=submit></form>
<center>All times are UTC. Caf\u00e9 board software \u00a9 2009</center>
</body></html>
"""


_LOOKS: Mapping[str, Callable[[Article, Random], str]] = {
    "hospital": _hospital,
    "leaflet": _leaflet,
    "journal": _journal,
    "encyclopaedia": _encyclopaedia,
    "blog": _blog,
}


def page(article: Article, *, site: str, random: Random) -> bytes:
    """The page's bytes: mostly UTF-8, sometimes with a mark, old boards in windows-1252."""
    if site == "forum":
        old = random.random() < 0.5
        html = _forum(article, random, charset="windows-1252" if old else "utf-8")
        return html.encode("cp1252" if old else "utf-8")
    mark = b"\xef\xbb\xbf" if site == "blog" and random.random() < 0.2 else b""
    return mark + _LOOKS[site](article, random).encode()
