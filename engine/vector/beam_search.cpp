// Best-first search over level 0 of a graph: the steps of hnswlib's searchBaseLayerST() with other
// bookkeeping. Memory latency dominates: each neighbour costs a cache line for its code and some
// for its links, at random addresses. Therefore:
//
// - The codes of all new neighbours of a slot are prefetched before the first one is compared.
// - The links of a slot are prefetched as soon as the slot becomes a candidate.
// - Visited slots are marked by one bit each (42 KB for 340,000 slots); hnswlib uses two bytes. The
//   end of a search clears only the words that it touched, so the cost does not depend on the
//   graph's size.
// - A distance and its slot are packed into one 64-bit key, so heaps compare and move one word.
//
// Results equal those of hnswlib except for ties, which are ordered by slot here. Searches share
// nothing but the buffers of their thread.
#include "engine/vector/beam_search.hpp"

#include "engine/vector/huge_memory.hpp"
#include "engine/vector/serialized_segment.hpp"
#include "engine/vector/sq8_codes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>

namespace cairn::engine {
namespace {

/// A distance and its slot packed into one integer. The smaller key is the nearer slot.
using Key = std::uint64_t;

Key key_of(float distance, std::uint32_t slot) {
  const auto bits = std::bit_cast<std::uint32_t>(distance);
  // Maps floats to unsigned integers of the same order: inverts negative numbers and sets the top
  // bit of the others. No distance is NaN, because stored vectors and queries were checked.
  const std::uint32_t ordered = (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
  return Key{ordered} << 32 | slot;
}

std::uint32_t slot_of(Key key) { return static_cast<std::uint32_t>(key); }

float distance_of(Key key) {
  const auto ordered = static_cast<std::uint32_t>(key >> 32);
  return std::bit_cast<float>((ordered >> 31) != 0 ? ordered & 0x7FFFFFFFU : ~ordered);
}

void fetch_links(const char* record, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += cache_line_bytes) __builtin_prefetch(record + at);
}

/// Buffers of a search. Each thread reuses its own, so that a search allocates little.
struct Scratch {
  // Bit i of word i / 64 marks slot i as visited; all zero between two searches.
  std::vector<std::uint64_t> seen;
  // The visited slots, whose words the destructor of Walk clears.
  std::vector<std::uint32_t> touched;
  std::vector<Key> open;  // candidates whose neighbours are still unvisited: a heap, nearest first
  std::vector<Key> best;  // the best selected slots so far, at most ef: a heap, farthest first
  // The new neighbours of the slot that is being visited, in parallel arrays.
  std::array<std::uint32_t, 2 * std::size_t{max_m}> slots;
  std::array<const char*, 2 * std::size_t{max_m}> elements;
  std::array<float, 2 * std::size_t{max_m}> distances;
};

/// One search over the graph. Clears its marks in the thread's buffers when it is destroyed.
class Walk {
 public:
  Walk(const WalkedGraph& graph, const BeamQuery& query, const char* point, Scratch& scratch)
      : graph_(graph), query_(query), point_(point), seen_(scratch.seen), scratch_(scratch) {
    // Never shrinks the bitmap: the thread may search a smaller graph next and a larger one after
    // it.
    seen_.resize(std::max(seen_.size(), (graph.slots + 63) / 64));
    scratch.open.clear();
    scratch.best.clear();
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  ~Walk() {
    for (const std::uint32_t slot : scratch_.touched) seen_[slot >> 6] = 0;
    scratch_.touched.clear();
  }

  /// Runs the search. Returns false if the budget was exceeded.
  bool run(SlotDistance entry) {
    see(entry.slot);
    if (query_.without < graph_.slots) see(query_.without);
    // As in hnswlib, an entry slot that is not selected gets the largest distance. Its neighbours
    // are visited first nevertheless, because no other slot is open yet.
    if (entry.slot != query_.without && offer(key_of(entry.distance, entry.slot)))
      push_open(key_of(entry.distance, entry.slot));
    else
      push_open(key_of(std::numeric_limits<float>::max(), entry.slot));
    while (!scratch_.open.empty() && !is_spent_) {
      const Key nearest = pop_open();
      // Compares distances only, as hnswlib does: a candidate as far as the worst result is still
      // visited.
      if (nearest >> 32 > farthest() >> 32 && scratch_.best.size() == query_.ef) break;
      visit(slot_of(nearest));
    }
    return !is_spent_;
  }

 private:
  // Marks a slot as visited.
  void see(std::uint32_t slot) {
    // Appended before the bit is set: otherwise a failed allocation would leave a bit that is never
    // cleared.
    scratch_.touched.push_back(slot);
    seen_[slot >> 6] |= std::uint64_t{1} << (slot & 63);
  }
  void push_open(Key key) {
    scratch_.open.push_back(key);
    std::ranges::push_heap(scratch_.open, std::greater());
  }
  Key pop_open() {
    std::ranges::pop_heap(scratch_.open, std::greater());
    const Key key = scratch_.open.back();
    scratch_.open.pop_back();
    return key;
  }
  /// The key of the worst result so far, or the greatest key before the first result.
  [[nodiscard]] Key farthest() const {
    return scratch_.best.empty() ? std::numeric_limits<Key>::max() : scratch_.best.front();
  }

  // Collects the unvisited neighbours of `slot` into the buffers, prefetches their codes and
  // returns their number.
  std::size_t collect(std::uint32_t slot) {
    std::array<std::uint32_t, 1 + 2 * std::size_t{max_m}> links;
    const char* record = graph_.record(slot);
    // Copies by memcpy: records are raw bytes, which hnswlib accesses as its own types.
    std::memcpy(links.data(), record, sizeof links[0]);
    const std::size_t count = links[0];
    std::memcpy(links.data(), record, (1 + count) * sizeof links[0]);
    std::size_t found = 0;
    for (std::size_t i = 1; i <= count; ++i) {
      const std::uint32_t target = links[i];
      if ((seen_[target >> 6] >> (target & 63) & 1) != 0) continue;
      see(target);
      scratch_.slots[found] = target;
      scratch_.elements[found++] = graph_.element(target);
      graph_.codes.fetch(graph_.element(target));
    }
    return found;
  }

  // Compares the unvisited neighbours of `slot` with the query and adds the near ones to both
  // heaps.
  void visit(std::uint32_t slot) {
    const std::size_t count = collect(slot);
    const auto elements = std::span<const char* const>(scratch_.elements).first(count);
    graph_.codes.distances(point_, elements, scratch_.distances.data());
    for (std::size_t i = 0; i < count; ++i) {
      const Key key = key_of(scratch_.distances[i], scratch_.slots[i]);
      if (scratch_.best.size() == query_.ef && key >> 32 >= farthest() >> 32) continue;
      fetch_links(graph_.record(scratch_.slots[i]), graph_.vector_offset);
      push_open(key);
      offer(key);
    }
  }

  // Adds a slot to the results if it is selected, and drops the farthest result if there are more
  // than ef. Returns whether the slot is selected.
  bool offer(Key key) {
    if (query_.selection != nullptr) {
      // run() checks is_spent_ between two visits, so the neighbours of one slot may exceed the
      // budget.
      if (++asked_ > query_.budget) is_spent_ = true;
      if (!query_.selection->contains(slot_of(key))) return false;
    }
    scratch_.best.push_back(key);
    std::ranges::push_heap(scratch_.best);
    if (scratch_.best.size() > query_.ef) {
      std::ranges::pop_heap(scratch_.best);
      scratch_.best.pop_back();
    }
    return true;
  }

  const WalkedGraph& graph_;
  const BeamQuery& query_;
  const char* point_;
  std::vector<std::uint64_t>& seen_;
  Scratch& scratch_;
  std::size_t asked_ = 0;  // slots tested against the selection
  bool is_spent_ = false;
};

}  // namespace

std::optional<std::vector<SlotDistance>> walk_level0(const WalkedGraph& graph,
                                                     const BeamQuery& query, const char* point,
                                                     SlotDistance entry) {
  // Allocated on the heap: in thread-local storage the arrays would take memory in every thread of
  // the program.
  thread_local const auto scratch = std::make_unique<Scratch>();
  Walk walk(graph, query, point, *scratch);
  if (!walk.run(entry)) return std::nullopt;
  std::vector<SlotDistance> found;
  found.reserve(scratch->best.size());
  for (const Key key : scratch->best) found.push_back({slot_of(key), distance_of(key)});
  return found;
}

}  // namespace cairn::engine
