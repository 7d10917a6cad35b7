/* The counter without Python, for sanitizers: commands on standard input, results in binary.
 *
 *   kinds SIZE            SIZE bytes follow: what each character is, by its number
 *   dictionary SIZE       SIZE bytes follow, as the file has them
 *   easy SIZE             SIZE bytes follow, a word a line
 *   ending A B            an ending, and what stands instead of it (- for nothing)
 *   abbreviation ROLE A   an abbreviation before its full stop
 *   text SIZE             SIZE bytes of UTF-8 follow; answers the six counts, the number of pieces
 *                         handed back, and each as its size with its bytes
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../pipeline/pages/readability/native/counting.h"

static uint8_t *kinds;
static long long kinds_size;
static int64_t pieces;
static char *kept;
static int64_t kept_size;

static void die(const char *why) {
    fprintf(stderr, "fuzz_counting: %s\n", why);
    exit(3);
}

static void answer_one(int64_t value) {
    if (fwrite(&value, sizeof value, 1, stdout) != 1) die("no output");
}

static char *input(int64_t size, int zero) { /* of exactly this size, so that a byte too far is noticed */
    char *buffer = malloc((size_t)(size + zero + !size));
    if (!buffer || fread(buffer, 1, (size_t)size, stdin) != (size_t)size) die("no input");
    if (zero) buffer[size] = 0;
    return buffer;
}

static uint8_t kind(uint32_t c, const void *tables) {
    (void)tables;
    if (c < 128 && !kinds) die("no kinds");
    if (c >= kinds_size) die("no such character");
    return kinds[c];
}

static int hand_back(void *to, const char *piece, int64_t size) {
    (void)to;
    char *more = realloc(kept, (size_t)(kept_size + size + (int64_t)sizeof size));
    if (!more) die("no memory");
    memcpy(more + kept_size, &size, sizeof size);
    memcpy(more + kept_size + sizeof size, piece, (size_t)size);
    kept = more;
    kept_size += size + (int64_t)sizeof size;
    pieces++;
    return 1;
}

static void answer_text(Counter *counter, const char *s, int64_t size) {
    Counted sum = {0};
    pieces = kept_size = 0;
    if (!add_words(counter, s, size, &sum, hand_back, NULL)) die("a piece is lost");
    sum.sentences = sentences(counter, s, size);
    answer_one(sum.words);
    answer_one(sum.sentences);
    answer_one(sum.syllables);
    answer_one(sum.complex_words);
    answer_one(sum.characters);
    answer_one(sum.difficult_words);
    answer_one(pieces);
    if (kept_size) fwrite(kept, 1, (size_t)kept_size, stdout);
}

int main(void) {
    static Counter counter;
    char command[128], a[64], b[64], *dictionary = NULL, *easy = NULL;
    counter.kind = kind;
    counter.lexicon.most = 127;
    while (fgets(command, sizeof command, stdin)) {
        long long size = 0;
        int role;
        if (sscanf(command, "kinds %lld", &size) == 1) {
            kinds = (uint8_t *)input(size, 0);
            kinds_size = size;
            memcpy(counter.ascii, kinds, sizeof counter.ascii);
        } else if (sscanf(command, "dictionary %lld", &size) == 1) {
            dictionary = input(size, 1);
            if (!words_index(&counter.lexicon.dictionary, dictionary, size, ' ')) die("no memory");
        } else if (sscanf(command, "easy %lld", &size) == 1) {
            easy = input(size, 1);
            if (!words_index(&counter.lexicon.easy, easy, size, '\n')) die("no memory");
        } else if (sscanf(command, "ending %63s %63s", a, b) == 2) {
            if (!lexicon_add_ending(&counter.lexicon, a, strcmp(b, "-") ? b : "")) die("no ending");
        } else if (sscanf(command, "abbreviation %d %63s", &role, a) == 2) {
            if (!counter_add_abbreviation(&counter, a, (int64_t)strlen(a), role)) die("no abbreviation");
        } else if (sscanf(command, "text %lld", &size) == 1) {
            char *s = input(size, 0);
            answer_text(&counter, s, size);
            free(s);
        } else {
            die("an unknown command");
        }
        fflush(stdout);
    }
    lexicon_free(&counter.lexicon);
    free(dictionary);
    free(easy);
    free(kinds);
    free(kept);
    return 0;
}
