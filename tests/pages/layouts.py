"""Hand-made pages of many designs: name -> page, words of text that must stay, and that must go.

No sentence is in two places, so that a word of it says where it came from. The text is invented.
"""

MENU = "<li><a href=/>Start</a><li><a href=/a>Wards</a><li><a href=/c>Visitors</a>"
ONE = "Asthma makes the airways narrow, so that a person has to work hard for every breath taken."
TWO = "Most people who have it use an inhaler each day, and carry a second one for sudden attacks."
THREE = "A nurse can show how the inhaler is held, and how long the breath should be kept in after."
FOUR = "Smoke, cold air and dust are known to set it off, and so is the fur of a cat or a dog."
FIVE = (
    "Nobody knows why some children lose it when they grow up, while others have it all their life."
)
TEXT = (ONE, TWO, THREE, FOUR, FIVE)
PARAGRAPHS = "".join(f"<p>{text}</p>" for text in TEXT)
TEASER = (
    "Read what our reporters found out about the strange case of the missing ambulance drivers."
)
COOKIES = (
    "We store small files on your device to remember what you like, and to count our visitors."
)
CAPTION = (
    "An inhaler lies on a table in the clinic, photographed by our staff in the spring of 2014."
)
NOTE = "All rights are reserved by the hospital trust and nothing here may be copied without leave."
REMARK = (
    "My uncle had this for years and he swears by eating an onion every morning before his tea."
)

Layout = tuple[str, tuple[str, ...], tuple[str, ...]]

LAYOUTS: dict[str, Layout] = {
    "news": (
        f"<html><body class='single has-sidebar'><header><nav><ul>{MENU}</ul></nav></header>"
        f"<main><article class='post has-post-thumbnail tag-lungs'><h1>Out of breath</h1>"
        f"<div class=byline>By A. Writer, 3 May</div><figure><img src=x><figcaption>{CAPTION}"
        f"</figcaption></figure><div class=body>{PARAGRAPHS}</div></article>"
        f"<aside class='related-stories'><h3><a href=/t>The drivers</a></h3><p>{TEASER}</p></aside>"
        f"</main><footer><p>{NOTE}</p></footer></body></html>",
        TEXT,
        ("Wards", TEASER, CAPTION, NOTE),
    ),
    "nested divs, no names": (
        "<body><div><div><a href=/>Start</a> <a href=/a>Wards</a> <a href=/b>Visitors</a></div>"
        f"<div><div><div>{''.join(f'<div>{text}</div>' for text in TEXT)}</div></div></div>"
        f"<div><a href=/p>Privacy</a> <a href=/q>Contact</a></div></div>",
        TEXT,
        ("Wards", "Privacy"),
    ),
    "line breaks instead of paragraphs": (
        "<body><center><a href=/>Start</a> | <a href=/a>Wards</a></center><font size=2>"
        f"{'<br><br>'.join(TEXT)}</font><hr><a href=/i>Imprint</a>",
        TEXT,
        ("Wards", "Imprint"),
    ),
    "a layout of tables": (
        f"<body><table width=100%><tr><td colspan=2><a href=/>Start</a><tr><td width=150>"
        f"<a href=/a>Wards</a><br><a href=/b>Visitors</a><td><table><tr><td>{PARAGRAPHS}"
        f"</table></table>",
        TEXT,
        ("Wards", "Visitors"),
    ),
    "one form around all": (
        f"<body><form id=aspnetForm><div id=menu><ul>{MENU}</ul></div><div id=main>{PARAGRAPHS}"
        f"</div><div id=footer><p>{NOTE}</p></div></form>",
        TEXT,
        ("Wards", NOTE),
    ),
    "a cookie banner": (
        f"<body><div class='page'>{PARAGRAPHS}</div><div id='cookie-consent' role=dialog>"
        f"<p>{COOKIES}</p><button>Agree to everything</button></div>",
        TEXT,
        (COOKIES, "Agree"),
    ),
    "hidden elements": (
        f"<body><div style='display:none'><p>{TEASER}</p></div><div hidden><p>{COOKIES}</p></div>"
        f"<div>{PARAGRAPHS}</div>",
        TEXT,
        (TEASER, COOKIES),
    ),
    "an article and its comments": (
        f"<body><article>{PARAGRAPHS}</article><section id=comments><h2>2 comments</h2>"
        f"<div class=comment><b>anna</b><p>{REMARK}</p></div></section>",
        TEXT,
        (REMARK,),
    ),
    "a forum, posts are comments": (
        f"<body><ul id=nav>{MENU}</ul><div id=comments>"
        + "".join(
            f"<div class=comment><div class=author>user{n}</div><div class=comment-text>{text}"
            "</div></div>"
            for n, text in enumerate((*TEXT, REMARK))
        )
        + "</div><div class=footer><a href=/r>Rules</a></div>",
        (*TEXT, REMARK),
        ("Wards", "Rules"),
    ),
    "a wiki": (
        f"<body><div id=content><h1>Asthma</h1><div id=toc><ul><li><a href=#c>Causes</a></ul></div>"
        f"<p>{ONE}<sup><a href=#1>[1]</a><a href=#2>[2]</a></sup> {TWO}</p><h2>Causes</h2>"
        f"<p><a href=/s>Smoke</a>{FOUR[5:]}</p><p>{THREE}</p><p>{FIVE}</p></div>"
        f"<div id=p-navigation><ul>{MENU}</ul></div>",
        (ONE, TWO, THREE, FIVE, "cold air"),
        ("Wards",),
    ),
    "a hospital's list of symptoms": (
        f"<body><nav><ul>{MENU}</ul></nav><div class=content><p>{ONE}</p><p>{TWO}</p>"
        "<p>See a doctor at once if you notice any of these:</p><ul><li>blue lips"
        "<li>a breath that whistles<li>trouble speaking a whole sentence</ul>"
        f"<p>{THREE}</p><p>{FOUR}</p></div>",
        (ONE, TWO, THREE, FOUR, "blue lips", "whistles", "trouble speaking"),
        ("Wards",),
    ),
    "definitions": (
        f"<body><ul class=menu>{MENU}</ul><h2>Words</h2><dl><dt>Asthma<dd>{ONE}<dt>Inhaler<dd>{TWO}"
        f"<dt>Nurse<dd>{THREE}<dt>Triggers<dd>{FOUR}<dt>Outlook<dd>{FIVE}</dl>",
        (*TEXT, "Triggers"),
        ("Wards",),
    ),
    "teasers below the text": (
        f"<body><div class=story>{PARAGRAPHS}</div><div class=grid>"
        + "".join(f"<div><h3><a href=/{n}>Story {n}</a></h3><p>Teaser {n}, in brief.</p></div>"
                  for n in range(6))
        + "</div>",
        TEXT,
        ("Story 2", "Teaser 3"),
    ),
    "a newsletter box amid the text": (
        f"<body><article><p>{ONE}</p><p>{TWO}</p><div class=newsletter-signup><p>{TEASER}</p>"
        f"<input name=mail><button>Sign me up</button></div><p>{THREE}</p><p>{FOUR}</p>"
        f"<p>{FIVE}</p></article>",
        TEXT,
        (TEASER, "Sign me up"),
    ),
    "links in a row amid a sentence": (
        f"<body><article>{PARAGRAPHS}<p>The minister <a href=/m>Jo Doe</a> <span><a href=/1>Vote "
        "is near</a><a href=/2>Rain</a><a href=/3>Trains are late</a><a href=/4>More</a></span>"
        " said on Monday that a new clinic would open in the town within a year.</p></article>",
        (*TEXT, "The minister Jo Doe said on Monday"),
        ("Trains are late",),
    ),
    "a recipe, most of it in its steps": (
        f"<body><nav><ul>{MENU}</ul></nav><main><h1>A bath</h1><p>{ONE}</p><h2>You need"
        "</h2><ul class=ingredients><li>two cups of salt<li>a large bowl<li>hot water</ul>"
        f"<h2>Steps</h2><ol><li>{TWO}<li>{THREE}<li>{FOUR}<li>{FIVE}<li>{REMARK}</ol></main>"
        f"<div class=related-recipes><a href=/w>Waffles with cream</a></div><footer><p>{NOTE}</p>"
        "</footer>",
        (*TEXT, REMARK, "two cups of salt", "a large bowl"),
        ("Waffles", NOTE, "Wards"),
    ),
    "a question and its answers": (
        f"<body><nav><ul>{MENU}</ul></nav><div id=content><div class=question><div class=post-text>"
        f"<p>{ONE}</p><p>{TWO}</p></div></div><div id=answers>"
        + "".join(f"<div class=answer><div class=votes>12</div><div class=post-text><p>{text}</p>"
                  "</div><div class=user-info>answered by <a href=/u>joe</a></div></div>"
                  for text in (THREE, FOUR, FIVE))
        + "</div></div><div id=sidebar><h4>Similar</h4><ul><li><a href=/s>Is tea any good?</a></ul>"
        "</div>",
        TEXT,
        ("Is tea any good", "Wards", "answered by"),
    ),
    "an authority's page in columns": (
        f"<body><header role=banner><ul>{MENU}</ul></header><div id=cookie-message><p>{COOKIES}</p>"
        f"</div><main role=main><div class=two-thirds><h1>Help</h1><p>{ONE}</p><p>You get it if"
        f" you:</p><ul><li>are over 60<li>live in a care home</ul><p>{TWO}</p><div class=act>"
        f"<p>{THREE}</p></div><p>{FOUR}</p></div><div class=one-third role=complementary><h2>See"
        f" also</h2><ul><li><a href=/f>Find a chemist</a></ul></div></main>"
        f"<footer role=contentinfo><p>{NOTE}</p></footer>",
        (ONE, TWO, THREE, FOUR, "are over 60", "live in a care home"),
        ("Find a chemist", COOKIES, NOTE, "Wards"),
    ),
    "something to buy": (
        f"<body><ul class=nav>{MENU}</ul><div class=product><div class=gallery><img src=x></div>"
        f"<h1>Inhaler</h1><span class=price>4.99</span><div class=description><p>{ONE} {TWO}</p>"
        f"<ul><li>Light and small</ul><p>{THREE} {FOUR}</p></div></div><div class='also carousel'>"
        f"<div><a href=/r>Red one</a> 3.99</div></div><footer><p>{NOTE}</p></footer>",
        (ONE, TWO, THREE, FOUR),
        ("Red one", NOTE, "Wards"),
    ),
    "names that speak against all there is": (
        f"<body class='modal-open popup'><div class='overlay modal'><article class='sidebar-right "
        f"related-posts comments-open social-share ad-layout'>{PARAGRAPHS}</article></div>"
        f"<nav><ul>{MENU}</ul></nav>",
        TEXT,
        ("Wards",),
    ),
    "questions that unfold": (
        f"<body><nav><ul>{MENU}</ul></nav><div class='accordion widget'>"
        + "".join(f"<div class=module><button>Question {n}?</button><div class='panel collapse'>"
                  f"<p>{text}</p></div></div>" for n, text in enumerate(TEXT))
        + f"</div><footer><p>{NOTE}</p></footer>",
        TEXT,
        (NOTE, "Wards"),
    ),
    "a table of terms": (
        f"<body><ul class=menu>{MENU}</ul><main><table>"
        + "".join(f"<tr><th>Term {n}<td>{text}" for n, text in enumerate(TEXT))
        + "</table></main>",
        TEXT,
        ("Wards",),
    ),
    "no markup": ("\n\n".join(TEXT), TEXT, ()),
    "a post without a full stop": (
        f"<body><ul class=menu>{MENU}</ul><div class=post>"
        + "<br>".join(text.replace(".", "").replace(",", "") for text in TEXT)
        + "</div>",
        tuple(text.replace(".", "").replace(",", "") for text in TEXT),
        ("Wards",),
    ),
    "old capitals and open tags": (
        "<HTML><BODY BGCOLOR=white><A NAME=top><TABLE><TR><TD><A HREF=/>Start</A><TR><TD>"
        "<P>" + "<P>".join(TEXT) + "</TABLE>",
        TEXT,
        ("Start",),
    ),
    "prose in list items": (
        f"<body><div class=menu><ul>{MENU}</ul></div><h1>Facts</h1><ul><li>{ONE}<li>{TWO}"
        f"<li>{THREE}<li>{FOUR}<li>{FIVE}</ul><hr><small><a href=/p>Privacy</a></small>",
        TEXT,
        ("Wards","Privacy"),
    ),
    "XHTML": (
        '<?xml version="1.0" encoding="utf-8"?>'
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">'
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title>'
        '<script type="text/javascript">//<![CDATA[\nif (a < b && "</p>") document.write("'
        '<p>hidden words of a script</p>");//]]></script></head><body><div id="nav"><ul>'
        f'{MENU}</ul></div><div id="main">{PARAGRAPHS}<br /><img src="x" alt="" /></div>'
        '</body></html>',
        TEXT,
        ("Wards","hidden words"),
    ),
    "mis-nested markup": (
        f"<body><div class=nav>{MENU}</div><div><b><p>{ONE}</b><p><i>{TWO}<p>{THREE}</i>"
        f"</div></div></div><p>{FOUR}</td></span><p>{FIVE}<div class=footer><a href=/p>"
        "Privacy</a>",
        TEXT,
        ("Wards","Privacy"),
    ),
    "an article in several containers": (
        f"<body><nav><ul>{MENU}</ul></nav><div class=row><div class=col><p>{ONE}</p><p>{TWO}"
        "</p></div></div><div class=ad><a href=/x>Buy an inhaler</a></div><div class=row>"
        f"<div class=col><p>{THREE}</p></div></div><div class=row><div class=col><p>{FOUR}"
        f"</p><p>{FIVE}</p></div></div><footer><a href=/p>Privacy</a></footer>",
        TEXT,
        ("Wards","Buy an","Privacy"),
    ),
    "huge navigation": (
        f"<body><table><tr><td><ul>{MENU * 60}</ul><td><p>{ONE}<p>{TWO}<p>{THREE}<p>{FOUR}"
        f"<p>{FIVE}</table>",
        TEXT,
        ("Wards",),
    ),
}  # fmt: skip
