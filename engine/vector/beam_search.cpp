// hnswlib's best-first walk over level 0, step by step, with other bookkeeping. A walk is bound by
// memory, a line for each neighbour's bytes and some for its links, all anywhere:
//
// - Bytes of all new neighbours are asked for before the first is compared.
// - Links of what may be visited are asked for as soon as that is known.
// - What was seen is a bit a slot (42 KB for 340,000), not two bytes as in hnswlib; the words
//   that a walk touched are cleared at its end, so no walk pays for the size of the graph.
// - A distance and its slot are one number of 64 bits: heaps compare and move one word.
//
// The same results as hnswlib's but for ties, which here go by slot. The thread's scratch makes it
// reentrant by thread; nothing is shared between walks.
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

/// A distance and its slot as one number: of two, the smaller is nearer.
using Key = std::uint64_t;

Key key_of(float distance, std::uint32_t slot) {
  const auto bits = std::bit_cast<std::uint32_t>(distance);
  // The order of floats as unsigned numbers: negative ones inverted, positive ones above them. No
  // distance is NaN: what is stored and what is asked were checked.
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

/// What a walk needs, reused by its thread so that no walk pays for it again.
struct Scratch {
  std::vector<std::uint64_t> seen;  // a bit a slot; none is set between two walks
  std::vector<std::uint32_t> touched;
  std::vector<Key> open;  // a heap, the nearest first
  std::vector<Key> best;  // a heap, the farthest first
  std::array<std::uint32_t, 2 * std::size_t{max_m}> slots;
  std::array<const char*, 2 * std::size_t{max_m}> elements;
  std::array<float, 2 * std::size_t{max_m}> distances;
};

class Walk {
 public:
  Walk(const WalkedGraph& graph, const BeamQuery& query, const char* point, Scratch& scratch)
      : graph_(graph), query_(query), point_(point), seen_(scratch.seen), scratch_(scratch) {
    // Never smaller: the thread may walk a smaller graph next, and a larger one after it.
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

  /// Whether the budget sufficed.
  bool run(SlotDistance entry) {
    see(entry.slot);
    if (query_.without < graph_.slots) see(query_.without);
    // hnswlib looks at the neighbours of an entry that is not selected before all others.
    if (entry.slot != query_.without && offer(key_of(entry.distance, entry.slot)))
      push_open(key_of(entry.distance, entry.slot));
    else
      push_open(key_of(std::numeric_limits<float>::max(), entry.slot));
    while (!scratch_.open.empty() && !is_spent_) {
      const Key nearest = pop_open();
      // By distance alone, as hnswlib compares: of equal distances the walk goes on.
      if (nearest >> 32 > farthest() >> 32 && scratch_.best.size() == query_.ef) break;
      visit(slot_of(nearest));
    }
    return !is_spent_;
  }

 private:
  void see(std::uint32_t slot) {
    scratch_.touched.push_back(slot);  // first: what is not noted would stay seen for ever
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
  /// The key of the farthest of the best; above all keys if there is none.
  [[nodiscard]] Key farthest() const {
    return scratch_.best.empty() ? std::numeric_limits<Key>::max() : scratch_.best.front();
  }

  // Collects the neighbours not seen before, and prefetches their bytes.
  std::size_t collect(std::uint32_t slot) {
    std::array<std::uint32_t, 1 + 2 * std::size_t{max_m}> links;
    const char* record = graph_.record(slot);
    // Through memcpy: records are bytes, and hnswlib reads them as its own types.
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

  // Whether it is selected; of these the nearest stay.
  bool offer(Key key) {
    if (query_.selection != nullptr) {
      // Checked between two visits: a budget may be exceeded by the neighbours of one slot.
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
  std::size_t asked_ = 0;
  bool is_spent_ = false;
};

}  // namespace

std::optional<std::vector<SlotDistance>> walk_level0(const WalkedGraph& graph,
                                                     const BeamQuery& query, const char* point,
                                                     SlotDistance entry) {
  // Not in the thread's own block, which every thread of the program would pay for.
  thread_local const auto scratch = std::make_unique<Scratch>();
  Walk walk(graph, query, point, *scratch);
  if (!walk.run(entry)) return std::nullopt;
  std::vector<SlotDistance> found;
  found.reserve(scratch->best.size());
  for (const Key key : scratch->best) found.push_back({slot_of(key), distance_of(key)});
  return found;
}

}  // namespace cairn::engine
