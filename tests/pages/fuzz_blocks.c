/* The block method without Python, for sanitizers: commands on standard input, results in binary.
 *
 *   hint GROUP NEGATIVE WORD   one word of a group of names
 *   weights COUNT              COUNT doubles follow; the model is complete
 *   page SIZE                  SIZE bytes follow; answers blocks, words kept, and the size of the kept
 *                              text with the text
 *   memory SIZE                SIZE bytes follow; reads them with every single allocation failing in
 *                              turn, and answers how many there are
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t live, made, fails_at = -1;

static int fails(void) { return made++ == fails_at; }

static void *test_malloc(size_t size) {
    if (fails()) return NULL;
    void *to = malloc(size);
    live += to != NULL;
    return to;
}

static void *test_realloc(void *from, size_t size) {
    if (fails()) return NULL;
    void *to = realloc(from, size);
    live += !from && to;
    return to;
}

static void *test_calloc(size_t count, size_t size) {
    if (fails()) return NULL;
    void *to = calloc(count, size);
    live += to != NULL;
    return to;
}

static void test_free(void *at) {
    live -= at != NULL;
    free(at);
}

#define malloc test_malloc
#define realloc test_realloc
#define calloc test_calloc
#define free test_free
#include "../../pipeline/pages/cleanse/native/score.h"
#undef malloc
#undef realloc
#undef calloc
#undef free

static void die(const char *why) {
    fprintf(stderr, "fuzz_blocks: %s\n", why);
    exit(3);
}

static void answer_one(int64_t value) {
    if (fwrite(&value, sizeof value, 1, stdout) != 1) die("no output");
}

static char *input(int64_t size) { /* of exactly this size, so that one byte too far is noticed */
    char *buffer = malloc((size_t)size + !size);
    if (!buffer || fread(buffer, 1, (size_t)size, stdin) != (size_t)size) die("no input");
    return buffer;
}

/* What holds of every page: all that is later taken for granted. */
static void check(const Scored *scored, int64_t size) {
    const Page *page = &scored->page;
    int32_t at = 0;
    if (page->size > size + 1) die("more text than markup");
    for (int32_t b = 0; b < page->block_count; b++) {
        const Block *block = &page->blocks[b];
        if (block->start < at || block->end <= block->start || block->end > page->size)
            die("blocks overlap");
        if (block->words < 1 || block->linked < 0 || block->linked > block->words)
            die("words are wrong");
        if (block->element < 0 || block->element >= page->element_count) die("no such element");
        at = block->end;
    }
    for (int32_t e = 1; e < page->element_count; e++)
        if (page->elements[e].parent < 0 || page->elements[e].parent >= e) die("a parent is late");
    if (scored->container < 0 || scored->container >= page->element_count) die("no container");
}

static void answer_page(const Model *model, const char *s, int64_t size) {
    Scored scored;
    int64_t words = 0, kept = 0;
    if (!scored_read(&scored, model, s, size)) die("no memory");
    check(&scored, size);
    for (int32_t b = 0; b < scored.page.block_count; b++) {
        double score = score_of(&scored, model, b);
        if (!isfinite(score)) die("no score");
        if (!score_keeps(score)) continue;
        words += scored.page.blocks[b].words;
        kept += kept > 0;
        kept += scored.page.blocks[b].end - scored.page.blocks[b].start;
    }
    answer_one(scored.page.block_count);
    answer_one(words);
    answer_one(kept);
    int first = 1;
    for (int32_t b = 0; b < scored.page.block_count; b++) {
        const Block *block = &scored.page.blocks[b];
        if (!score_keeps(score_of(&scored, model, b))) continue;
        if (!first) fputc('\n', stdout);
        first = 0;
        fwrite(scored.page.text + block->start, 1, (size_t)(block->end - block->start), stdout);
    }
    scored_free(&scored);
}

/* A page that finds no memory leaks nothing. */
static int64_t without_memory(const Model *model, const char *s, int64_t size) {
    for (int64_t at = 0;; at++) {
        Scored scored;
        int64_t before = live;
        made = 0;
        fails_at = at;
        int done = scored_read(&scored, model, s, size), enough = made <= at;
        fails_at = -1;
        scored_free(&scored);
        if (live != before) die("a page leaks");
        if (done != enough) die("a failed allocation went unnoticed");
        if (enough) return at;
    }
}

int main(void) {
    static Model model;
    char command[128], word[64];
    while (fgets(command, sizeof command, stdin)) {
        long long size = 0;
        int group, negative;
        if (sscanf(command, "hint %d %d %63s", &group, &negative, word) == 3) {
            if (!hint_add(&model.hints, word, (int64_t)strlen(word), group)) die("no hint");
            if (negative) model.negative |= 1u << group;
            if (group >= model.groups) model.groups = group + 1;
        } else if (sscanf(command, "weights %lld", &size) == 1) {
            if (size != FIXED_FEATURES + model.groups) die("other features");
            if (fread(model.weights, sizeof(double), (size_t)size, stdin) != (size_t)size)
                die("no weights");
            for (int tag = 1; tag < TAG_COUNT; tag++)
                model.tag_hints[tag] =
                    hint_names(&model.hints, TAG_ROWS[tag].name, TAG_ROWS[tag].size);
            model.hidden = hint_names(&model.hints, "hidden", 6);
        } else if (sscanf(command, "page %lld", &size) == 1) {
            char *s = input(size);
            answer_page(&model, s, size);
            free(s);
        } else if (sscanf(command, "memory %lld", &size) == 1) {
            char *s = input(size);
            answer_one(without_memory(&model, s, size));
            free(s);
        } else {
            die("an unknown command");
        }
        if (live) die("a page leaks");
        fflush(stdout);
    }
    return 0;
}
