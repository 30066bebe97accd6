/* Strategy "lanes": exact betweenness of a batch of roots, one lane of a tile each.
 *
 * A tile is LANES roots searched side by side; a launch works on many tiles (dimension 1 of the
 * grid), so that small levels still fill the device. Per tile, row-major by vertex:
 *   sigma[v][LANES]   number of shortest paths          coef[v][LANES]   (omega + delta) / sigma
 *   masks[v][WORDS]   one bit per lane; one plane per level ("root reaches v at this level"), and
 *                     the plane `todo` of lanes that have not reached v yet.
 * Both directions pull: a vertex adds what its neighbours hold, so no sum needs an atomic.
 *
 * Work is cut into chunks of at most D consecutive arcs: either some whole vertices, or one piece
 * (a virtual vertex) of a vertex with more than D arcs. Pieces write partial sums, which a reduction
 * kernel adds per vertex in a fixed order. One work-group takes one chunk of one tile, in stages:
 *   scan:   each work-item looks at one arc for all lanes (mask AND mask); arcs with work to do
 *           are packed into local memory, in arc order;
 *   gather: each work-item takes ITEM_LANES lanes through all packed arcs, so rows are read whole
 *           and coalesced, and only where the mask asks for it.
 *
 * Macros from the host, beside those of common.cl: LANES (32, 64, 128, 256 or 512) and ITEM_LANES (2 or
 * 4). A work-group has LANES / ITEM_LANES work-items.
 */
#ifndef LANES
#define LANES 128
#endif
#ifndef ITEM_LANES
#define ITEM_LANES 2
#endif
#ifndef UNROLL             /* packed arcs whose rows are requested together */
#define UNROLL 4
#endif
#ifndef SCORE_ROWS         /* vertices whose scores are added up across the work-group together */
#define SCORE_ROWS 8
#endif

/* With EXACT_ACCESS (common.cl) the lanes of a row are loaded one by one, and only those that are used.
 * What is shipped loads the whole vector of a work-item if it uses any lane of it. Formally that is a
 * race: while one work-group reads a lane of row u that an earlier level settled, the work-group that has
 * u may store another lane of the same vector, which is settled in this launch. No lane that is used can
 * change: those are in the mask of a level that earlier launches completed, stores go to lanes that are
 * on no such level yet, and each lane is stored by itself (store_real). Lanes read in vain are dropped
 * (add_picked, settle_backward), whatever they hold. */

#define GROUP (LANES / ITEM_LANES)   /* work-items per work-group, arcs per stage */
/* A literal, because it is pasted into type names. */
#if LANES == 32
#define WORDS 1
#elif LANES == 64
#define WORDS 2
#elif LANES == 128
#define WORDS 4
#elif LANES == 256
#define WORDS 8
#elif LANES == 512
#define WORDS 16
#endif
#define BALLOTS ((GROUP + 31) / 32)

/* After a scan, `todo` words that it read may be written by other items of the group. */
#ifndef SCAN_FENCE
#define SCAN_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

#define NONE 0xffffffffu
#define FIRST_ARC 0x80000000u        /* flag in `owners`: first arc of its vertex */
#define STATUS_OVERFLOW 1u
/* Bits of chunk_levels[tile][chunk]: bit L, a vertex of the chunk is at level L (levels from 31 on
 * share a bit); bit 0, which no level needs, says that the chunk has no lane left to reach. */
#define CHUNK_DONE 1u
#define LEVEL_BIT(level) (1u << min((uint)(level), 31u))

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(REAL, ITEM_LANES) reals;
/* Rows are aligned to whole vectors, which vload and vstore may not assume: they would be taken apart. */
#define LOAD_LANES(type, row) (*(__global const type *)(row))
#define STORE_LANES(x, type, row) (*(__global type *)(row) = (x))

#if WORDS == 1
typedef uint mask;
#define NONEMPTY(m) ((m) != 0)
#else
typedef JOIN(uint, WORDS) mask;
#define NONEMPTY(m) any((m) != (mask)(0))
#endif

#if ITEM_LANES == 2
#define EACH_LANE(DO) DO(0, s0) DO(1, s1)
#else
#define EACH_LANE(DO) DO(0, s0) DO(1, s1) DO(2, s2) DO(3, s3)
#endif
#define ALL_LANES ((1u << ITEM_LANES) - 1u)

static inline void add_picked(reals *sum, reals x, uint pick) {
#define ADD(i, s) if (pick & (1u << i)) sum->s += x.s;
  EACH_LANE(ADD)
#undef ADD
}

static inline reals load_real(__global const real *row, uint pick) {
  reals x = (reals)(0);
#if EXACT_ACCESS
#define LOAD(i, s) if (pick & (1u << i)) x.s = row[i];
  EACH_LANE(LOAD)
#undef LOAD
#else
  if (pick) x = LOAD_LANES(reals, row);
#endif
  return x;
}

/* Other lanes of the row keep what an earlier level wrote. */
static inline void store_real(__global real *row, reals x, uint pick) {
  if (pick == ALL_LANES) STORE_LANES(x, reals, row);
  else {
#define STORE(i, s) if (pick & (1u << i)) row[i] = x.s;
    EACH_LANE(STORE)
#undef STORE
  }
}

/* ---- a batch begins ---------------------------------------------------------------------- */

/* One work-item per (tile, vertex), or per (tile, chunk) or (tile, plane) if those are more: nothing
 * reached, every lane in use still to do. */
__kernel GROUP_OF_ITEMS void lanes_clear(uint planes, uint n, uint tiles, uint chunks,
                          __global const mask *lanes_in_use, __global mask *todo,
                          __global mask *levels, __global uint *alive, __global uint *chunk_levels) {
  const size_t i = get_global_id(0);
  const size_t plane = (size_t)n * tiles;
  if (i < tiles * planes) alive[i] = 0;
  if (i < (size_t)tiles * chunks) chunk_levels[i] = 0;
  if (i >= plane) return;
  todo[i] = lanes_in_use[i / n];
  for (uint p = 0; p < planes; p++) levels[p * plane + i] = (mask)(0);
}

/* One work-group per lane: the root is level 0, its out-neighbours are level 1. Here lanes of one
 * word may meet in one vertex, so the bits are set by integer atomics. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lanes_start(__global const uint *offsets, __global const uint *targets, uint n, uint tiles,
                 __global const uint *roots, __global uint *todo, __global uint *levels,
                 __global real *sigma, __global uint *alive) {
  const uint lane = get_group_id(0) % LANES, tile = get_group_id(0) / LANES;
  const uint root = roots[get_group_id(0)];
  if (root == NONE) return;
  const uint word = lane / 32, bit = 1u << (lane % 32);
  const size_t rows = (size_t)tile * n;
  const uint first = offsets[root], end = offsets[root + 1];
  __global uint *level1 = levels + (size_t)n * tiles * WORDS;
  if (get_local_id(0) == 0) {
    atomic_or(&levels[(rows + root) * WORDS + word], bit);
    atomic_and(&todo[(rows + root) * WORDS + word], ~bit);
    sigma[(rows + root) * LANES + lane] = 1;
    atomic_or(&alive[tile], 1u);
    if (end > first) atomic_or(&alive[tiles + tile], 1u);
  }
  for (uint arc = first + get_local_id(0); arc < end; arc += GROUP) {
    const size_t row = rows + targets[arc];
    atomic_or(&level1[row * WORDS + word], bit);
    atomic_and(&todo[row * WORDS + word], ~bit);
    sigma[row * LANES + lane] = 1;
  }
}

/* ---- what both directions share ---------------------------------------------------------- */

/* Where a work-item stands: its tile's rows and its own lanes in them. */
typedef struct {
  uint item, lane, word, shift;
  size_t rows;               /* first row of the tile */
} place;

static inline place find_place(uint n, uint tile) {
  place p;
  p.item = get_local_id(0);
  p.lane = p.item * ITEM_LANES;
  p.word = p.lane / 32;
  p.shift = p.lane % 32;
  p.rows = (size_t)tile * n;
  return p;
}

typedef struct {
  __local uint *ballots;     /* [BALLOTS]: written by atomics of all items */
  __local uint *owner;       /* [GROUP + UNROLL] */
  __local uint *target;      /* [GROUP + UNROLL] */
  __local uint *mask_words;  /* [(GROUP + UNROLL) * WORDS]: lanes that the arc serves */
  __local uint *own_words;   /* [GROUP * WORDS]: the owner's mask */
} packed;

/* Packs the arcs of this stage that have lanes to work on, in arc order, and returns their number.
 * With `keep_owners` the first arc of each vertex with any lane in `own` is packed too (with target
 * NONE and an empty mask), so that such a vertex is met even if none of its arcs is. The list is
 * padded with UNROLL empty entries of the last owner. `flagged`: this item's word of `owners`, or
 * NONE; `open` is set if its vertex has any lane in `own`. Ends with a barrier. */
static inline uint scan(packed list, uint item, uint flagged, uint target, bool keep_owners,
                 __global const mask *own, __global const mask *neighbours, bool *open) {
  bool hit = false, keep = false;
  const uint owner = flagged & ~FIRST_ARC;
  mask both = (mask)(0), mine = (mask)(0);
  if (flagged != NONE) {
    mine = own[owner];
    if (NONEMPTY(mine)) {
      *open = true;
      both = mine & neighbours[target];
      hit = NONEMPTY(both);
      keep = keep_owners && (flagged & FIRST_ARC);
    }
  }
  if (hit || keep) atomic_or(&list.ballots[item / 32], 1u << (item % 32));
  barrier(SCAN_FENCE);
  uint before = 0, count = 0;
  for (uint b = 0; b < BALLOTS; b++) {
    if (b < item / 32) before += popcount(list.ballots[b]);
    if (b == item / 32) before += popcount(list.ballots[b] & ((1u << (item % 32)) - 1u));
    count += popcount(list.ballots[b]);
  }
  if (hit || keep) {
    list.owner[before] = owner;
    list.target[before] = hit ? target : NONE;
    ((__local mask *)list.mask_words)[before] = both;
    ((__local mask *)list.own_words)[before] = mine;
    if (before == count - 1)
      for (uint i = count; i < count + UNROLL; i++) {
        list.owner[i] = owner;
        list.target[i] = NONE;
        ((__local mask *)list.mask_words)[i] = (mask)(0);
      }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < BALLOTS) list.ballots[item] = 0;   /* for the next stage; read again after a barrier */
  return count;
}

/* Arcs of the next stage are requested before the gather of this one. */
#define LOAD_ARC(from)                                                           \
  uint flagged = NONE, target = NONE;                                            \
  NEXT_ARC(from)
#define NEXT_ARC(from)                                                           \
  do {                                                                           \
    const uint arc_ = (from) + p.item;                                           \
    flagged = arc_ < end ? owners[arc_] : NONE;                                  \
    target = arc_ < end ? targets[arc_] : NONE;                                  \
  } while (0)

/* Declares m[] and x[]: mask words and rows of UNROLL packed arcs, all requested before one is used. */
#define GATHER_ROWS(k, load, from)                                               \
  uint m[UNROLL];                                                                \
  reals x[UNROLL];                                                               \
  _Pragma("unroll") for (uint j = 0; j < UNROLL; j++) {                          \
    m[j] = list.mask_words[((k) + j) * WORDS + p.word];                          \
    x[j] = load(from + (size_t)list.target[(k) + j] * LANES + p.lane,            \
                (m[j] >> p.shift) & ALL_LANES);                                  \
  }

/* The kernels below are the same loop with other ends; PACKED_LISTS declares its local memory. */
#define PACKED_LISTS(list)                                                       \
  __local uint l_ballots[BALLOTS], l_owner[GROUP + UNROLL], l_target[GROUP + UNROLL]; \
  __local mask l_masks[GROUP + UNROLL], l_own[GROUP];                            \
  const packed list = {l_ballots, l_owner, l_target, (__local uint *)l_masks,    \
                       (__local uint *)l_own};                                   \
  if (get_local_id(0) < BALLOTS) l_ballots[get_local_id(0)] = 0;                 \
  barrier(CLK_LOCAL_MEM_FENCE)

/* ---- forward ----------------------------------------------------------------------------- */

/* Of the lanes `mine` still to do in this item's word, `seen` reach v now, with `sum` paths. */
static inline void settle_forward(place p, uint v, uint mine, uint seen, reals sum, __global real *sigma,
                           __global uint *todo, __global uint *next, uint *reached, uint *status) {
  const uint pick = (seen >> p.shift) & ALL_LANES;
  if (pick) {
    store_real(sigma + (size_t)v * LANES + p.lane, sum, pick);
#define CHECK(i, s) if (!(sum.s <= (real)SIGMA_LIMIT)) *status |= STATUS_OVERFLOW;
    EACH_LANE(CHECK)
#undef CHECK
  }
  if (p.shift == 0 && seen) {
    next[v * WORDS + p.word] = seen;
    todo[v * WORDS + p.word] = mine & ~seen;
    *reached = 1;
  }
}

/* Level + 1 from level. Grid: (chunks, tiles) work-groups. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lanes_forward(uint level, __global const uint *chunk_first, __global const uint *chunk_piece,
                   __global const uint *owners, __global const uint *targets,
                   uint n, uint tiles, uint pieces,
                   __global mask *todo, __global mask *levels, __global real *sigma,
                   __global real *partial, __global uint *partial_mask,
                   __global uint *alive, __global uint *status, __global uint *chunk_levels) {
  const uint tile = get_group_id(1);
  if (!alive[level * tiles + tile]) return;
  const place p = find_place(n, tile);
  const size_t plane = (size_t)n * tiles;
  todo += p.rows;
  levels += level * plane + p.rows;
  __global uint *next = (__global uint *)(levels + plane);
  sigma += p.rows * LANES;
  const uint chunk = get_group_id(0), first = chunk_first[chunk], end = chunk_first[chunk + 1];
  const uint piece = chunk_piece[chunk];
  chunk_levels += tile * get_num_groups(0) + chunk;
  if (piece == NONE) {
    if (*chunk_levels & CHUNK_DONE) return;
  } else if (!NONEMPTY(todo[owners[first] & ~FIRST_ARC])) {
    if (p.shift == 0) partial_mask[((size_t)tile * pieces + piece) * WORDS + p.word] = 0;
    return;
  }
  PACKED_LISTS(list);

  uint current = NONE, mine = 0, seen = 0, reached = 0, bad = 0;
  bool open = false;
  reals sum = (reals)(0);
  LOAD_ARC(first);
  for (uint base = first; base < end; base += GROUP) {
    const uint count = scan(list, p.item, flagged, target, false, todo, levels, &open);
    NEXT_ARC(base + GROUP);
    for (uint k = 0; k < count; k += UNROLL) {
      GATHER_ROWS(k, load_real, sigma);
      const bool one_owner = list.owner[k + UNROLL - 1] == current;   /* owners never fall */
#pragma unroll
      for (uint j = 0; j < UNROLL; j++) {
        if (!one_owner) {
          const uint owner = list.owner[k + j];
          if (owner != current) {
            if (current != NONE)
              settle_forward(p, current, mine, seen, sum, sigma, (__global uint *)todo, next, &reached, &bad);
            current = owner;
            mine = list.own_words[(k + j) * WORDS + p.word];
            seen = 0;
            sum = (reals)(0);
          }
        }
        seen |= m[j];
        add_picked(&sum, x[j], (m[j] >> p.shift) & ALL_LANES);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (piece != NONE) {
    const size_t slot = (size_t)tile * pieces + piece;
    const uint pick = (seen >> p.shift) & ALL_LANES;
    if (pick) store_real(partial + slot * LANES + p.lane, sum, pick);
    if (p.shift == 0) partial_mask[slot * WORDS + p.word] = seen;
  } else if (current != NONE)
    settle_forward(p, current, mine, seen, sum, sigma, (__global uint *)todo, next, &reached, &bad);
  if (reached) {
    atomic_or(&alive[(level + 1) * tiles + tile], 1u);
    atomic_or(chunk_levels, LEVEL_BIT(level + 1));
  }
  if (bad) atomic_or(status, bad);
  if (open) atomic_or(&list.ballots[0], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (p.item == 0 && !list.ballots[0]) atomic_or(chunk_levels, CHUNK_DONE);
}

/* Adds the pieces of a split vertex. Grid: (split vertices, tiles) work-groups. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lanes_forward_reduce(uint level, __global const uint *split_vertex, __global const uint *split_first,
                          uint n, uint tiles, uint pieces,
                          __global mask *todo, __global mask *levels, __global real *sigma,
                          __global const real *partial, __global const uint *partial_mask,
                          __global uint *alive, __global uint *status) {
  const uint tile = get_group_id(1);
  if (!alive[level * tiles + tile]) return;
  const place p = find_place(n, tile);
  const uint v = split_vertex[get_group_id(0)];
  uint seen = 0, reached = 0, bad = 0;
  reals sum = (reals)(0);
  for (uint i = split_first[get_group_id(0)]; i < split_first[get_group_id(0) + 1]; i++) {
    const size_t slot = (size_t)tile * pieces + i;
    const uint m = partial_mask[slot * WORDS + p.word], pick = (m >> p.shift) & ALL_LANES;
    add_picked(&sum, load_real(partial + slot * LANES + p.lane, pick), pick);
    seen |= m;
  }
  /* Only read by the item that may write it. */
  const uint mine = p.shift == 0 ? ((__global const uint *)(todo + p.rows))[v * WORDS + p.word] : 0;
  settle_forward(p, v, mine, seen, sum, sigma + p.rows * LANES, (__global uint *)(todo + p.rows),
                 (__global uint *)(levels + (level + 1) * (size_t)n * tiles + p.rows), &reached, &bad);
  if (reached) atomic_or(&alive[(level + 1) * tiles + tile], 1u);
  if (bad) atomic_or(status, bad);
}

/* ---- backward ---------------------------------------------------------------------------- */

/* Scores of SCORE_ROWS vertices wait in local memory and are then added up together: a sum over
 * the work-group per vertex would cost more barriers than the vertex itself. */
typedef struct {
  __local real *share;   /* [SCORE_ROWS][GROUP + PAD]: each item's part */
  __local uint *vertex;  /* [SCORE_ROWS] */
} score_rows;
#define PAD 2            /* rows start in different banks */
#define PARTS (GROUP / SCORE_ROWS)

#define SCORE_LISTS(rows)                                                      \
  __local real l_share[SCORE_ROWS * (GROUP + PAD)];                            \
  __local uint l_vertex[SCORE_ROWS];                                           \
  const score_rows rows = {l_share, l_vertex}

/* All items of the work-group come here together. Fixed order: the scores do not depend on timing. */
static inline void drain(score_rows rows, uint filled, uint item, __global real *tile_score) {
  barrier(CLK_LOCAL_MEM_FENCE);
  const real before = item < filled ? tile_score[rows.vertex[item]] : (real)0;   /* asked for early */
  const uint row = item / PARTS, part = item % PARTS;
  __local real *share = rows.share + row * (GROUP + PAD);
  real sum = 0;
  if (row < filled)
    for (uint i = part; i < GROUP; i += PARTS) sum += share[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (row < filled) share[part] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < filled) {
    share = rows.share + item * (GROUP + PAD);
    sum = before;
    for (uint i = 0; i < PARTS; i++) sum += share[i];
    tile_score[rows.vertex[item]] = sum;   /* v is met once per level and tile: no other writer */
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* Vertex v at this level for lanes `pick`, with its path counts: stores coef from the successors' sum
 * and returns this item's share of the score. */
static inline real settle_backward(place p, uint v, uint pick, reals paths, real own, reals sum,
                            __global real *coef, reals weight) {
  real share = 0;
  if (pick) {
    store_real(coef + (size_t)v * LANES + p.lane, (reals)(own) / paths + sum, pick);
#define SHARE(i, s) if (pick & (1u << i)) share += weight.s * paths.s * sum.s;
    EACH_LANE(SHARE)
#undef SHARE
  }
  return share;
}

/* coef of level from level + 1. Grid: (chunks, tiles) work-groups. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lanes_backward(uint level, __global const uint *chunk_first, __global const uint *chunk_piece,
                    __global const uint *owners, __global const uint *targets,
                    uint n, uint tiles, uint pieces,
                    __global const mask *levels, __global const real *sigma, __global real *coef,
                    __global const real *omega, __global const real *weights,
                    __global real *partial, __global uint *partial_mask,
                    __global real *tile_score, __global const uint *alive,
                    __global const uint *chunk_levels, uint chunks_match) {
  const uint tile = get_group_id(1);
  if (!alive[level * tiles + tile]) return;
  const place p = find_place(n, tile);
  const size_t plane = (size_t)n * tiles;
  levels += level * plane + p.rows;
  __global const mask *deeper = levels + plane;
  const uint chunk = get_group_id(0), first = chunk_first[chunk], end = chunk_first[chunk + 1];
  const uint piece = chunk_piece[chunk];
  if (piece != NONE) {
    if (!NONEMPTY(levels[owners[first] & ~FIRST_ARC])) {
      if (p.shift == 0) partial_mask[((size_t)tile * pieces + piece) * WORDS + p.word] = 0;
      return;
    }
  } else if (chunks_match && level > 1) {   /* same chunks both ways; lanes_start sets no bits */
    if (!(chunk_levels[tile * get_num_groups(0) + chunk] & LEVEL_BIT(level))) return;
  }
  sigma += p.rows * LANES;
  coef += p.rows * LANES;
  tile_score += p.rows;
  const reals weight = LOAD_LANES(reals, weights + (size_t)tile * LANES + p.lane);
  PACKED_LISTS(list);
  SCORE_LISTS(rows);

  uint current = NONE, mine = 0, seen = 0, filled = 0;
  bool any_hit = false;                        /* same for all items: has current a successor? */
  bool open = false;
  reals sum = (reals)(0), paths = (reals)(0);
  real own = 0;
  LOAD_ARC(first);
  for (uint base = first; base < end; base += GROUP) {
    const uint count = scan(list, p.item, flagged, target, true, levels, deeper, &open);
    NEXT_ARC(base + GROUP);
    for (uint k = 0; k < count; k += UNROLL) {
      GATHER_ROWS(k, load_real, coef);
      const bool one_owner = list.owner[k + UNROLL - 1] == current;   /* owners never fall */
#pragma unroll
      for (uint j = 0; j < UNROLL; j++) {
        if (!one_owner) {
          const uint owner = list.owner[k + j];
          if (owner != current) {
            if (current != NONE) {
              const real share = settle_backward(p, current, mine, paths, own, sum, coef, weight);
              if (any_hit) {
                rows.share[filled * (GROUP + PAD) + p.item] = share;
                if (p.item == 0) rows.vertex[filled] = current;
                if (++filled == SCORE_ROWS) {
                  drain(rows, filled, p.item, tile_score);
                  filled = 0;
                }
              }
            }
            current = owner;
            mine = (list.own_words[(k + j) * WORDS + p.word] >> p.shift) & ALL_LANES;
            if (piece == NONE) {               /* needed at the end: asked for now */
              paths = load_real(sigma + (size_t)owner * LANES + p.lane, mine);
              own = omega[owner];
            }
            seen = 0;
            any_hit = false;
            sum = (reals)(0);
          }
          any_hit |= list.target[k + j] != NONE;
        }
        seen |= m[j];
        add_picked(&sum, x[j], (m[j] >> p.shift) & ALL_LANES);
      }
      any_hit |= one_owner;   /* only the first entry of a vertex may have no hit */
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (piece != NONE) {
    const size_t slot = (size_t)tile * pieces + piece;
    const uint pick = (seen >> p.shift) & ALL_LANES;
    if (pick) store_real(partial + slot * LANES + p.lane, sum, pick);
    if (p.shift == 0) partial_mask[slot * WORDS + p.word] = seen;
  } else if (current != NONE) {
    const real share = settle_backward(p, current, mine, paths, own, sum, coef, weight);
    if (any_hit) {
      rows.share[filled * (GROUP + PAD) + p.item] = share;
      if (p.item == 0) rows.vertex[filled] = current;
      filled++;
    }
  }
  if (filled) drain(rows, filled, p.item, tile_score);
}

/* Grid: (split vertices, tiles) work-groups. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lanes_backward_reduce(uint level, __global const uint *split_vertex, __global const uint *split_first,
                           uint n, uint tiles, uint pieces,
                           __global const mask *levels, __global const real *sigma, __global real *coef,
                           __global const real *omega, __global const real *weights,
                           __global const real *partial, __global const uint *partial_mask,
                           __global real *tile_score, __global const uint *alive) {
  const uint tile = get_group_id(1);
  if (!alive[level * tiles + tile]) return;
  const place p = find_place(n, tile);
  const uint v = split_vertex[get_group_id(0)];
  const reals weight = LOAD_LANES(reals, weights + (size_t)tile * LANES + p.lane);
  SCORE_LISTS(rows);
  reals sum = (reals)(0);
  for (uint i = split_first[get_group_id(0)]; i < split_first[get_group_id(0) + 1]; i++) {
    const size_t slot = (size_t)tile * pieces + i;
    const uint pick = (partial_mask[slot * WORDS + p.word] >> p.shift) & ALL_LANES;
    add_picked(&sum, load_real(partial + slot * LANES + p.lane, pick), pick);
  }
  __global const uint *here = (__global const uint *)(levels + level * (size_t)n * tiles + p.rows);
  const uint mine = (here[v * WORDS + p.word] >> p.shift) & ALL_LANES;
  const reals paths = load_real(sigma + (p.rows + v) * LANES + p.lane, mine);
  rows.share[p.item] = settle_backward(p, v, mine, paths, omega[v], sum, coef + p.rows * LANES, weight);
  if (p.item == 0) rows.vertex[0] = v;
  drain(rows, 1, p.item, tile_score + p.rows);
}

/* ---- a batch ends ------------------------------------------------------------------------ */

/* One work-item per vertex: adds the tiles' scores in order, and clears them for the next batch. */
__kernel GROUP_OF_ITEMS void lanes_scores(uint n, uint tiles, __global real *tile_score, __global SCORE *score) {
  const uint v = get_global_id(0);
  if (v >= n) return;
  SCORE sum = 0;
  for (uint t = 0; t < tiles; t++) {
    sum += tile_score[(size_t)t * n + v];
    tile_score[(size_t)t * n + v] = 0;
  }
  score[v] += sum;
}

/* ---- path ends of directed graphs (--endpoints) ------------------------------------------- */

/* One work-item per (tile, vertex): v is met once by every root that reaches it. */
__kernel GROUP_OF_ITEMS
void lanes_met(uint n, uint tiles, __global const uint *lanes_in_use, __global const uint *todo,
               __global const uint *levels, __global const real *weights, __global real *tile_score) {
  const size_t i = get_global_id(0);
  if (i >= (size_t)n * tiles) return;
  const uint tile = i / n;
  real sum = 0;
  for (uint word = 0; word < WORDS; word++) {
    /* Level 0 is the root itself. */
    const uint met = lanes_in_use[tile * WORDS + word] & ~todo[i * WORDS + word] & ~levels[i * WORDS + word];
    for (uint bit = 0; bit < 32; bit++)
      if (met & (1u << bit)) sum += weights[tile * LANES + word * 32 + bit];
  }
  tile_score[i] += sum;
}

/* One work-item per lane: counts the vertices that its root reaches, itself not included. */
__kernel GROUP_OF_ITEMS
void lanes_reached(uint n, uint tiles, __global const uint *roots, __global const uint *todo,
                   __global uint *reached) {
  const uint lane = get_global_id(0);
  if (lane >= tiles * LANES || roots[lane] == NONE) return;
  __global const uint *mine = todo + (size_t)(lane / LANES) * n * WORDS + lane % LANES / 32;
  const uint bit = 1u << (lane % 32);
  uint count = 0;
  for (uint v = 0; v < n; v++) count += !(mine[(size_t)v * WORDS] & bit);
  reached[roots[lane]] += count - 1;   /* no root is in two lanes of a batch */
}
