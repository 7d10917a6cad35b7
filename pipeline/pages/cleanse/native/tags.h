/* The elements of HTML that matter here: which break a line, nest, or are never shown.
 *
 * Unknown names (custom elements) are inline, as in a browser.
 */
#ifndef FATHOM_TAGS_H
#define FATHOM_TAGS_H

#include <stdint.h>
#include <string.h>

#define TAGS(T)                                                                            \
    T(OTHER, "", 0)                                                                        \
    T(A, "a", 0)                                                                           \
    T(B, "b", PLAIN)                                                                       \
    T(I, "i", PLAIN)                                                                       \
    T(U, "u", PLAIN)                                                                       \
    T(P, "p", BLOCK)                                                                       \
    T(EM, "em", PLAIN)                                                                     \
    T(BR, "br", BLOCK | VOID)                                                              \
    T(HR, "hr", BLOCK | VOID)                                                              \
    T(LI, "li", BLOCK)                                                                     \
    T(UL, "ul", BLOCK | LIST)                                                              \
    T(OL, "ol", BLOCK | LIST)                                                              \
    T(DL, "dl", BLOCK | LIST)                                                              \
    T(DT, "dt", BLOCK)                                                                     \
    T(DD, "dd", BLOCK)                                                                     \
    T(TR, "tr", BLOCK | PART)                                                              \
    T(TD, "td", BLOCK | SCOPE | PART)                                                      \
    T(TH, "th", BLOCK | SCOPE | PART)                                                      \
    T(H1, "h1", BLOCK)                                                                     \
    T(H2, "h2", BLOCK)                                                                     \
    T(H3, "h3", BLOCK)                                                                     \
    T(H4, "h4", BLOCK)                                                                     \
    T(H5, "h5", BLOCK)                                                                     \
    T(H6, "h6", BLOCK)                                                                     \
    T(DIV, "div", BLOCK)                                                                   \
    T(NAV, "nav", BLOCK)                                                                   \
    T(PRE, "pre", BLOCK)                                                                   \
    T(IMG, "img", VOID)                                                                    \
    T(COL, "col", VOID)                                                                    \
    T(WBR, "wbr", VOID)                                                                    \
    T(SVG, "svg", UNSEEN | FOREIGN)                                                        \
    T(XMP, "xmp", BLOCK)                                                                   \
    T(FORM, "form", BLOCK)                                                                 \
    T(MAIN, "main", BLOCK)                                                                 \
    T(MENU, "menu", BLOCK | LIST)                                                          \
    T(BODY, "body", BLOCK | ROOT)                                                          \
    T(HTML, "html", BLOCK | ROOT)                                                          \
    T(HEAD, "head", BLOCK | ROOT)                                                          \
    T(LINK, "link", VOID)                                                                  \
    T(META, "meta", VOID)                                                                  \
    T(BASE, "base", VOID)                                                                  \
    T(AREA, "area", VOID)                                                                  \
    T(MATH, "math", UNSEEN | FOREIGN)                                                      \
    T(SPAN, "span", 0)                                                                     \
    T(FONT, "font", PLAIN)                                                                 \
    T(TABLE, "table", BLOCK | SCOPE | GRID)                                                \
    T(TBODY, "tbody", BLOCK | PART)                                                        \
    T(THEAD, "thead", BLOCK | PART)                                                        \
    T(TFOOT, "tfoot", BLOCK | PART)                                                        \
    T(ASIDE, "aside", BLOCK)                                                               \
    T(INPUT, "input", VOID)                                                                \
    T(PARAM, "param", VOID)                                                                \
    T(TRACK, "track", VOID)                                                                \
    T(EMBED, "embed", VOID)                                                                \
    T(FRAME, "frame", VOID)                                                                \
    T(STYLE, "style", RAW)                                                                 \
    T(TITLE, "title", RAW)                                                                 \
    T(AUDIO, "audio", UNSEEN)                                                              \
    T(VIDEO, "video", UNSEEN)                                                              \
    T(LABEL, "label", 0)                                                                   \
    T(STRONG, "strong", PLAIN)                                                             \
    T(SCRIPT, "script", RAW)                                                               \
    T(IFRAME, "iframe", RAW)                                                               \
    T(HEADER, "header", BLOCK)                                                             \
    T(FOOTER, "footer", BLOCK)                                                             \
    T(FIGURE, "figure", BLOCK)                                                             \
    T(CENTER, "center", BLOCK)                                                             \
    T(SOURCE, "source", VOID)                                                              \
    T(OBJECT, "object", UNSEEN)                                                            \
    T(APPLET, "applet", UNSEEN)                                                            \
    T(CANVAS, "canvas", UNSEEN)                                                            \
    T(SELECT, "select", UNSEEN)                                                            \
    T(OPTION, "option", BLOCK)                                                             \
    T(LEGEND, "legend", BLOCK)                                                             \
    T(DIALOG, "dialog", BLOCK)                                                             \
    T(BUTTON, "button", UNSEEN)                                                            \
    T(SECTION, "section", BLOCK)                                                           \
    T(ARTICLE, "article", BLOCK)                                                           \
    T(ADDRESS, "address", BLOCK)                                                           \
    T(CAPTION, "caption", BLOCK | SCOPE | PART)                                            \
    T(DETAILS, "details", BLOCK)                                                           \
    T(SUMMARY, "summary", BLOCK)                                                           \
    T(NOEMBED, "noembed", RAW)                                                             \
    T(NOSCRIPT, "noscript", RAW)                                                           \
    T(NOFRAMES, "noframes", RAW)                                                           \
    T(TEXTAREA, "textarea", RAW)                                                           \
    T(TEMPLATE, "template", UNSEEN)                                                        \
    T(COLGROUP, "colgroup", BLOCK)                                                         \
    T(FIELDSET, "fieldset", BLOCK)                                                         \
    T(FRAMESET, "frameset", BLOCK)                                                         \
    T(PLAINTEXT, "plaintext", BLOCK)                                                       \
    T(BLOCKQUOTE, "blockquote", BLOCK)                                                     \
    T(FIGCAPTION, "figcaption", BLOCK)

enum {
    BLOCK = 1,   /* begins and ends a line */
    VOID = 2,    /* has no end */
    RAW = 4,     /* its content is no markup, and not shown */
    UNSEEN = 8,  /* its content is markup, and not shown */
    SCOPE = 16,  /* an end tag inside it ends nothing outside of it */
    ROOT = 32,   /* there is one of it, whatever the markup says */
    PLAIN = 64,  /* formats words and says nothing about a block */
    FOREIGN = 128, /* ends where HTML begins again */
    LIST = 256,  /* a new item inside it ends none outside of it */
    GRID = 512,  /* a table */
    PART = 1024, /* of a table, which its end tag does not leave */
    LINK = 2048  /* of an open `a`: it leads somewhere */
};

#define TAG_NAME(id, name, flags) TAG_##id,
enum { TAGS(TAG_NAME) TAG_COUNT };
#undef TAG_NAME

#define TAG_ENTRY(id, name, flags) {name, sizeof name - 1, flags},
static const struct {
    const char *name;
    uint8_t size;
    uint16_t flags;
} TAG_ROWS[TAG_COUNT] = {TAGS(TAG_ENTRY)};
#undef TAG_ENTRY

enum { TAG_LONGEST = 10 };

/* The tag of a name in lower case. */
static int tag_of(const char *name, int64_t size) {
    /* Where the names of each size begin in the table, which is in order of size. */
    static const uint8_t BEGIN[TAG_LONGEST + 2] = {
        TAG_OTHER, TAG_A, TAG_EM, TAG_DIV, TAG_FORM, TAG_TABLE, TAG_STRONG,
        TAG_SECTION, TAG_NOSCRIPT, TAG_PLAINTEXT, TAG_BLOCKQUOTE, TAG_COUNT,
    };
    if (size < 1 || size > TAG_LONGEST) return TAG_OTHER;
    for (int tag = BEGIN[size]; tag < BEGIN[size + 1]; tag++)
        if (memcmp(TAG_ROWS[tag].name, name, (size_t)size) == 0) return tag;
    return TAG_OTHER;
}

static inline int tag_is_heading(int tag) { return tag >= TAG_H1 && tag <= TAG_H6; }

#endif
