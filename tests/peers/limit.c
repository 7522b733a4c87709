/* Random games of two players by the base box, written by hand for AVX-512: tiles, cards, scoring.

   It says how fast a machine could be, and is nothing to build on. The numbers of hexes, tiles and
   cards are those of the catalog of the box.

       limit TABLES GAMES    plays so many games on each table of a file, which
                             benchmarks/peers.py writes; prints games, decisions, gold */

#if !defined(__AVX512F__) || !defined(__AVX512VPOPCNTDQ__) || !defined(__BMI2__)
#error the program in C needs AVX-512 with VPOPCNTDQ
#endif

#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE = 22, ROWS = 20, SECTORS = 4, PLACES = 8, TILES = 16, CARDS = 3, TERRAINS = 5 };
enum { GRASS, CANYON, DESERT, FLOWER, FOREST, WATER, MOUNTAIN, CASTLE, KINDS };
enum { ORACLE, FARM, OASIS, TOWER, TAVERN, BARN, HARBOR, PADDOCK };
enum {
    FISHERMEN, MERCHANTS, DISCOVERERS, HERMITS, CITIZENS, MINERS, WORKERS, KNIGHTS, LORDS, FARMERS
};
enum { ANEW, READY, USED }; /* a tile that was just taken waits for the next turn */
enum { PIECES = 40, BUILDS = 3, COPIES = 5, EACH = 2, BUILDING = -1 };

/* Sets of hexes: 512 bits. A hex and those of the rows beside it are 1, 21 and 22 apart. */

typedef __m512i Set;
typedef uint64_t Word;
#define AND _mm512_and_si512
#define OR _mm512_or_si512
#define LESS(a, b) _mm512_andnot_si512(b, a)
#define NONE _mm512_setzero_si512()

static inline Set left(Set x, int k) {
    Set low = _mm512_alignr_epi64(x, NONE, 7);
    return OR(_mm512_slli_epi64(x, k), _mm512_srli_epi64(low, 64 - k));
}

static inline Set right(Set x, int k) {
    Set high = _mm512_alignr_epi64(NONE, x, 1);
    return OR(_mm512_srli_epi64(x, k), _mm512_slli_epi64(high, 64 - k));
}

static inline int some(Set x) { return _mm512_test_epi64_mask(x, x) != 0; }

static inline int count(Set x) {
    return (int)_mm512_reduce_add_epi64(_mm512_popcnt_epi64(x));
}

static inline Set hex(int at) {
    __mmask8 word = (__mmask8)(1u << (at >> 6));
    return _mm512_mask_set1_epi64(NONE, word, (long long)(1ull << (at & 63)));
}

static inline Set neighbours(Set x) {
    Set beside = OR(left(x, 1), right(x, 1));
    Set above = left(OR(x, right(x, 1)), STRIDE), below = right(OR(x, left(x, 1)), STRIDE);
    return OR(beside, OR(above, below));
}

static inline int nth(Set x, int k) {
    Word words[8] __attribute__((aligned(64)));
    _mm512_store_si512(words, x);
    for (int i = 0; i < 8; i++) {
        int here = __builtin_popcountll(words[i]);
        if (k < here) return i * 64 + (int)__builtin_ctzll(_pdep_u64(1ull << k, words[i]));
        k -= here;
    }
    return -1;
}

static inline int lowest(Set x) {
    Word words[8] __attribute__((aligned(64)));
    _mm512_store_si512(words, x);
    for (int i = 0; i < 8; i++)
        if (words[i]) return i * 64 + (int)__builtin_ctzll(words[i]);
    return -1;
}

static Set flood(Set x, Set in) {
    for (;;) {
        Set more = OR(x, AND(neighbours(x), in));
        if (!_mm512_cmpneq_epi64_mask(more, x)) return x;
        x = more;
    }
}

static inline Set ends_along(Set x, int k) {
    Set three = AND(x, AND(right(x, k), right(right(x, k), k)));
    return OR(right(three, k), left(left(left(three, k), k), k));
}

static Set ends_of_lines(Set x) {
    return OR(ends_along(x, 1), OR(ends_along(x, STRIDE), ends_along(x, STRIDE - 1)));
}

static inline Set two_away(Set x) {
    Set beside = OR(left(x, 2), right(x, 2));
    Set one = OR(left(x, 2 * STRIDE), right(x, 2 * STRIDE));
    return OR(beside, OR(one, OR(left(x, 2 * STRIDE - 2), right(x, 2 * STRIDE - 2))));
}

/* Chance: splitmix64. */

static Word position = 1;

static inline int below(int n) {
    Word z = (position += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return (int)(((unsigned __int128)z * (unsigned)n) >> 64);
}

/* The table, as it lies in the file, and the game that is played on it. */

typedef struct {
    Set full, kinds[KINDS], edge, sectors[SECTORS], rows[ROWS];
    int places;
    struct { int hex, tile; } place[PLACES];
    int cards[CARDS];
} Table;

typedef struct {
    Set own, near; /* hexes with a piece of the player, and those beside one */
    int supply, hand;
    int tiles, kind[TILES], origin[TILES], state[TILES];
    Word visited; /* places from which the player had a tile */
} Player;

static long games, decisions, gold;
static Set land, unbuilt;
static Set beside[PLACES], beside_any;
static int stock[PLACES], deck[TERRAINS], discarded[TERRAINS], in_deck;

static int drawn(void) {
    if (!in_deck)
        for (int i = 0; i < TERRAINS; i++) {
            in_deck += deck[i] = discarded[i];
            discarded[i] = 0;
        }
    if (!in_deck) return -1;
    int k = below(in_deck), i = 0;
    for (; k >= deck[i]; i++) k -= deck[i];
    deck[i]--;
    in_deck--;
    return i;
}

static inline void take_tiles(const Table *t, Player *p, Set at) {
    if (!some(AND(beside_any, at))) return;
    for (int i = 0; i < t->places; i++)
        if (stock[i] && !(p->visited >> i & 1) && some(AND(beside[i], at))) {
            p->visited |= 1ull << i;
            stock[i]--;
            p->kind[p->tiles] = t->place[i].tile;
            p->origin[p->tiles] = i;
            p->state[p->tiles++] = ANEW;
        }
}

static void lose_tiles(Player *p) {
    int kept = 0;
    for (int i = 0; i < p->tiles; i++)
        if (some(AND(beside[p->origin[i]], p->own))) {
            p->kind[kept] = p->kind[i];
            p->origin[kept] = p->origin[i];
            p->state[kept++] = p->state[i];
        }
    p->tiles = kept;
}

static inline void build(const Table *t, Player *p, int to) {
    Set at = hex(to);
    p->own = OR(p->own, at);
    p->near = OR(p->near, neighbours(at));
    unbuilt = LESS(unbuilt, at);
    p->supply--;
    take_tiles(t, p, at);
}

static void move(const Table *t, Player *p, int from, int to) {
    Set left_one = hex(from), at = hex(to);
    p->own = OR(LESS(p->own, left_one), at);
    p->near = neighbours(p->own);
    unbuilt = LESS(OR(unbuilt, left_one), at);
    lose_tiles(p);
    take_tiles(t, p, at);
}

static inline Set preferred(Set hexes, Set near) {
    Set best = AND(hexes, near);
    return some(best) ? best : hexes;
}

/* Where a tile lets one build, or what it lets one move; nothing if it cannot be used. */
static inline Set offered(const Table *t, const Player *p, int tile, Set played) {
    Set where;
    switch (tile) {
        case ORACLE: where = AND(unbuilt, played); break;
        case FARM: where = AND(unbuilt, t->kinds[GRASS]); break;
        case OASIS: where = AND(unbuilt, t->kinds[DESERT]); break;
        case TOWER: where = AND(unbuilt, t->edge); break;
        case TAVERN: where = AND(unbuilt, ends_of_lines(p->own)); break;
        case BARN: return some(AND(unbuilt, played)) ? p->own : NONE;
        case HARBOR: return some(AND(unbuilt, t->kinds[WATER])) ? p->own : NONE;
        default: return AND(p->own, two_away(AND(unbuilt, land)));
    }
    return p->supply ? preferred(AND(where, land), p->near) : NONE;
}

static void use(const Table *t, Player *p, int tile, Set played, int at) {
    if (tile < BARN) {
        build(t, p, at);
        return;
    }
    Set from = hex(at), free = OR(unbuilt, from), to;
    if (tile == PADDOCK)
        to = AND(AND(free, land), two_away(from));
    else
        to = preferred(AND(free, tile == BARN ? played : t->kinds[WATER]),
                       neighbours(LESS(p->own, from)));
    int sum = count(to);
    if (!sum) return;
    decisions++;
    move(t, p, at, nth(to, below(sum)));
}

static void turn(const Table *t, Player *p) {
    for (int i = 0; i < p->tiles; i++) p->state[i] = READY;
    int card = p->hand, begun = 0;
    while (card >= 0 && p->supply > 0 && !some(AND(unbuilt, t->kinds[card]))) card = drawn();
    Set played = card >= 0 ? t->kinds[card] : NONE;
    int due = card < 0 ? 0 : p->supply < BUILDS ? p->supply : BUILDS;
    for (;;) {
        Set group[TILES + 1];
        int by[TILES + 1], size[TILES + 1], groups = 0, sum = 0;
        if (due > 0) {
            Set where = AND(unbuilt, played);
            if (some(where)) {
                group[groups] = preferred(where, p->near);
                by[groups++] = BUILDING;
            } else
                due = 0;
        }
        if (!begun || !due) {
            unsigned seen = 0; /* of two tiles of a kind, one is enough to be asked */
            for (int i = 0; i < p->tiles; i++) {
                if (p->state[i] != READY || seen >> p->kind[i] & 1) continue;
                seen |= 1u << p->kind[i];
                Set hexes = offered(t, p, p->kind[i], played);
                if (!some(hexes)) continue;
                group[groups] = hexes;
                by[groups++] = i;
            }
        }
        if (!groups) return;
        for (int i = 0; i < groups; i++) sum += size[i] = count(group[i]);
        int k = below(sum + !due), i = 0; /* one may end the turn when nothing is due */
        decisions++;
        for (; i < groups && k >= size[i]; i++) k -= size[i];
        if (i == groups) return;
        int at = nth(group[i], k);
        if (by[i] == BUILDING) {
            begun = 1;
            due--;
            build(t, p, at);
        } else {
            p->state[by[i]] = USED;
            use(t, p, p->kind[by[i]], played, at);
        }
        if (due > p->supply) due = p->supply;
    }
}

/* Scoring. */

static Set special_places(const Table *t) {
    Set found = t->kinds[CASTLE];
    for (int i = 0; i < t->places; i++) found = OR(found, hex(t->place[i].hex));
    return found;
}

static int linked_by_merchants(const Table *t, Set own) {
    Set places = special_places(t), linked = NONE;
    for (Set rest = own, area; some(rest); rest = LESS(rest, area)) {
        area = flood(hex(lowest(rest)), own);
        Set touched = AND(places, neighbours(area));
        if (count(touched) > 1) linked = OR(linked, touched);
    }
    return count(linked);
}

static int areas(Set own, int *largest) {
    int number = 0;
    *largest = 0;
    for (Set rest = own, area; some(rest); rest = LESS(rest, area), number++) {
        area = flood(hex(lowest(rest)), own);
        int size = count(area);
        if (size > *largest) *largest = size;
    }
    return number;
}

static int paid(const Table *t, int card, Set own, Set other) {
    int found = 0, most;
    switch (card) {
        case FISHERMEN: return count(LESS(AND(own, neighbours(t->kinds[WATER])), t->kinds[WATER]));
        case MERCHANTS: return 4 * linked_by_merchants(t, own);
        case DISCOVERERS:
            for (int i = 0; i < ROWS; i++) found += some(AND(own, t->rows[i]));
            return found;
        case HERMITS: return areas(own, &most);
        case CITIZENS: areas(own, &most); return most / 2;
        case MINERS:
            return count(LESS(AND(own, neighbours(t->kinds[MOUNTAIN])), t->kinds[MOUNTAIN]));
        case WORKERS: return count(AND(own, neighbours(special_places(t))));
        case KNIGHTS:
            for (int i = 0; i < ROWS; i++) {
                int here = count(AND(own, t->rows[i]));
                if (here > found) found = here;
            }
            return 2 * found;
        case LORDS:
            for (int i = 0; i < SECTORS; i++) {
                int mine = count(AND(own, t->sectors[i]));
                found += mine >= count(AND(other, t->sectors[i])) ? 12 : 6;
            }
            return found;
        default: /* FARMERS */
            found = PIECES;
            for (int i = 0; i < SECTORS; i++) {
                int here = count(AND(own, t->sectors[i]));
                if (here < found) found = here;
            }
            return 3 * found;
    }
}

static int score(const Table *t, const Player *p, const Player *other) {
    int found = 3 * count(AND(t->kinds[CASTLE], p->near));
    for (int i = 0; i < CARDS; i++) found += paid(t, t->cards[i], p->own, other->own);
    return found;
}

/* Games. */

static void lay(const Table *t) {
    land = OR(OR(OR(t->kinds[GRASS], t->kinds[CANYON]), OR(t->kinds[DESERT], t->kinds[FLOWER])),
              t->kinds[FOREST]);
    unbuilt = OR(land, t->kinds[WATER]);
    in_deck = TERRAINS * COPIES;
    for (int i = 0; i < TERRAINS; i++) {
        deck[i] = COPIES;
        discarded[i] = 0;
    }
    beside_any = NONE;
    for (int i = 0; i < t->places; i++) {
        stock[i] = EACH;
        beside[i] = AND(neighbours(hex(t->place[i].hex)), t->full);
        beside_any = OR(beside_any, beside[i]);
    }
}

static void play(const Table *t) {
    static Player players[2];
    memset(players, 0, sizeof players);
    lay(t);
    for (int i = 0; i < 2; i++) {
        players[i].supply = PIECES;
        players[i].hand = drawn();
    }
    for (int is_over = 0; !is_over;)
        for (int i = 0; i < 2; i++) {
            Player *p = &players[i];
            turn(t, p);
            if (p->hand >= 0) discarded[p->hand]++;
            p->hand = drawn();
            is_over |= p->supply <= 0;
        }
    games++;
    for (int i = 0; i < 2; i++) gold += score(t, &players[i], &players[1 - i]);
}

int main(int words, char **word) {
    static Table table;
    FILE *file = words == 3 ? fopen(word[1], "rb") : NULL;
    if (!file) return 1;
    while (fread(&table, sizeof table, 1, file) == 1)
        for (int i = atoi(word[2]); i > 0; i--) play(&table);
    printf("%ld %ld %ld\n", games, decisions, gold);
    return 0;
}
