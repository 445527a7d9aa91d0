// Slots are in build order: ascending by id at first; entities added later are appended. So two parallel lists contain
// the live entities, sorted, and their slots. An index into these lists is a rank. While slots ascend with ids and none
// is dead, the rank of an entity is its slot, and both lists stay empty.
#include "engine/vector/internal_ids.hpp"

#include "codec/id_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace cairn::engine {

InternalIds::InternalIds(std::vector<std::uint64_t> entities, SlotBits dead)
    : entities_(std::move(entities)), dead_(std::move(dead)) {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 0; slot < entities_.size(); ++slot)
    if (!is_dead(slot)) slots.push_back(slot);
  live_ = slots.size();
  // No slot is dead and ids ascend: the rank of an entity is its slot.
  if (live_ == entities_.size() && std::ranges::is_sorted(entities_)) {
    dense_ordinals_ = DenseOrdinals(ranked_entities());
    return;
  }
  std::ranges::sort(slots, {}, [&](std::uint32_t slot) { return entities_[slot]; });
  ranked_slots_ = std::move(slots);
  ranked_entities_.reserve(live_);
  for (const std::uint32_t slot : ranked_slots_) ranked_entities_.push_back(entities_[slot]);
  dense_ordinals_ = DenseOrdinals(ranked_entities());
}

std::optional<std::uint32_t> InternalIds::find(std::uint64_t entity) const noexcept {
  const auto rank = dense_ordinals_.find(entity);
  if (!rank) return std::nullopt;
  return slot_at(*rank);
}

bool InternalIds::is_unambiguous() const noexcept {
  const auto ranked = ranked_entities();
  return std::ranges::adjacent_find(ranked) == ranked.end();
}

std::size_t InternalIds::memory_bytes() const noexcept {
  return (entities_.size() + dead_.size() + ranked_entities_.size()) * sizeof(std::uint64_t) +
         ranked_slots_.size() * sizeof(std::uint32_t) + dense_ordinals_.memory_bytes();
}

std::size_t InternalIds::first_not_below(std::size_t rank, std::size_t end,
                                         std::uint16_t value) const noexcept {
  const auto ranked = ranked_entities();
  const auto is_below = [&](std::size_t at) {
    return static_cast<std::uint16_t>(ranked[at]) < value;
  };
  std::size_t step = 1;
  while (rank + step < end && is_below(rank + step)) {
    rank += step;
    step *= 2;
  }
  std::size_t last = std::min(rank + step, end);
  while (rank < last) {
    const std::size_t middle = rank + (last - rank) / 2;
    if (is_below(middle)) {
      rank = middle + 1;
    } else {
      last = middle;
    }
  }
  return rank;
}

// Conversion of ids to ranks, in chunks of 65,536 ids. Three kinds of chunk, from the cheapest:
//
// whole    no gap: rank = first + id - lowest       a bitmap of ids is shifted by words
// table    1,024 ids or more: a bitmap, and the number of ids before each of its words
// list     fewer: binary search
//
// If the set is a bitmap too, 64 ids are converted at a time: the common bits of both words are
// compacted to the positions of existing ids (like the instruction pext) and stored at the rank of
// the word. Only words with gaps cost work for each id.

namespace {

// From this number of ids on, a chunk gets a table. It takes 12 KiB, at most half more than the ids.
constexpr std::size_t least_of_table = 1'024;

// Compacts `some`: its bit at the nth set bit of `all` becomes bit n of the result.
std::uint64_t pack(std::uint64_t some, std::uint64_t all) {
  const int lowest = std::countr_zero(all);
  // If the set bits of `all` have no gap, this is a power of two, or 0 on overflow.
  const std::uint64_t above = (all >> lowest) + 1;
  // The ids of a word mostly form one run; then a shift suffices. Otherwise the place of each set
  // bit is the number of ids below it.
  if ((above & (above - 1)) == 0) return some >> lowest;
  std::uint64_t packed = 0;
  for (; some != 0; some &= some - 1) {
    const std::uint64_t below = (some & (~some + 1)) - 1;
    packed |= std::uint64_t{1} << std::popcount(all & below);
  }
  return packed;
}

// Ors `word` into `bits` from bit `at` on.
void put_bits(std::span<std::uint64_t> bits, std::size_t at, std::uint64_t word) {
  if (word == 0) return;
  bits[at / 64] |= word << (at % 64);
  // Shifting by 64 is undefined, so `at % 64` is tested first. If nothing spills over, the next
  // word is not touched: it may be beyond the end.
  if (at % 64 != 0 && word >> (64 - at % 64) != 0) bits[at / 64 + 1] |= word >> (64 - at % 64);
}

// Ors `count` bits of `from`, starting at bit `at`, into `to`, starting at bit `first`. All words
// are shifted by the same distance, and bits shifted out of one are carried to the next.
void shift_words(std::span<const std::uint64_t> from, std::size_t at, std::size_t count,
                 std::span<std::uint64_t> to, std::size_t first) {
  const auto ones_below = [](std::size_t bit) { return (std::uint64_t{1} << bit) - 1; };
  const std::size_t last = (at + count - 1) / 64, by = (first - at) % 64;
  // Minus 1, because the upper part goes to the next word.
  std::size_t out = (first + 64 - at % 64) / 64 - 1;
  std::uint64_t carried = 0;
  for (std::size_t w = at / 64; w <= last; ++w, ++out) {
    std::uint64_t some = from[w];
    if (w == at / 64) some &= ~ones_below(at % 64);
    if (w == last && (at + count) % 64 != 0) some &= ones_below((at + count) % 64);
    const std::uint64_t low = some << by | carried;
    carried = by == 0 ? 0 : some >> (64 - by);
    if (low != 0) to[out] |= low;
  }
  if (carried != 0) to[out] |= carried;
}

// Sets the bits of a run of ids.
void set_run(std::span<std::uint64_t> words, const codec::Container::Run& run) {
  for (std::uint32_t at = run.first; at <= run.last;) {
    const std::uint32_t end = std::min<std::uint32_t>(run.last, at | 63);
    const std::uint64_t ones = ~std::uint64_t{0} >> (63 - (end - at));
    words[at / 64] |= ones << (at % 64);
    at = end + 1;
  }
}

}  // namespace

DenseOrdinals::DenseOrdinals(std::span<const std::uint64_t> ids) : ids_(ids) {
  for (std::size_t first = 0; first < ids.size();) {
    std::size_t last = first + 1;
    while (last < ids.size() && ids[last] >> 16 == ids[first] >> 16) ++last;
    add_chunk(first, last);
    first = last;
  }
}

// Adds the ids [first, last), which have the same upper bits.
void DenseOrdinals::add_chunk(std::size_t first, std::size_t last) {
  Chunk chunk{ids_[first] >> 16, static_cast<std::uint32_t>(first),
              static_cast<std::uint32_t>(last - first),
              ids_[last - 1] - ids_[first] == last - first - 1, nullptr};
  if (last - first >= least_of_table) {
    chunk.table = std::make_unique<Table>();
    for (std::size_t rank = first; rank < last; ++rank)
      chunk.table->present[(ids_[rank] & 0xFFFF) >> 6] |= std::uint64_t{1} << (ids_[rank] & 63);
    std::uint32_t before = 0;
    for (std::size_t w = 0; w < words; ++w) {
      chunk.table->before[w] = before;
      before += static_cast<std::uint32_t>(std::popcount(chunk.table->present[w]));
    }
  }
  chunks_.push_back(std::move(chunk));
}

std::optional<std::uint32_t> DenseOrdinals::find(const Chunk& chunk,
                                                 std::uint16_t low) const noexcept {
  if (chunk.table) {
    const std::uint64_t word = chunk.table->present[low >> 6];
    const std::uint64_t bit = std::uint64_t{1} << (low & 63);
    if ((word & bit) == 0) return std::nullopt;
    return chunk.first + chunk.table->before[low >> 6] +
           static_cast<std::uint32_t>(std::popcount(word & (bit - 1)));
  }
  const auto ids = ids_.subspan(chunk.first, chunk.count);
  const std::uint64_t id = chunk.key << 16 | low;
  const auto found = std::ranges::lower_bound(ids, id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return chunk.first + static_cast<std::uint32_t>(found - ids.begin());
}

std::optional<std::uint32_t> DenseOrdinals::find(std::uint64_t id) const noexcept {
  const auto chunk = std::ranges::lower_bound(chunks_, id >> 16, {}, &Chunk::key);
  if (chunk == chunks_.end() || chunk->key != id >> 16) return std::nullopt;
  return find(*chunk, static_cast<std::uint16_t>(id));
}

// Calls `visit` for each chunk of ids that both sides have.
template <class Visit>
void DenseOrdinals::for_each_pair(const codec::Bitmap& set, Visit&& visit) const {
  auto chunk = chunks_.begin();
  for (const codec::Bitmap::Chunk& other : set.chunks()) {
    chunk = std::lower_bound(chunk, chunks_.end(), other.key,
                             [](const Chunk& a, std::uint64_t key) { return a.key < key; });
    if (chunk == chunks_.end()) return;
    if (chunk->key == other.key) visit(*chunk, *other.container);
  }
}

// Calls `visit(rank)` for each value that the chunk has. Looks up the smaller side in the larger
// one.
template <class Visit>
void DenseOrdinals::for_each_rank(const Chunk& chunk, const codec::Container& values,
                                  Visit&& visit) const {
  if (chunk.is_whole) {
    const auto lowest = static_cast<std::uint16_t>(ids_[chunk.first]);
    values.for_each([&](std::uint16_t low) {
      if (low >= lowest && low - std::uint32_t{lowest} < chunk.count)
        visit(chunk.first + (low - std::uint32_t{lowest}));
    });
    return;
  }
  if (values.cardinality() <= chunk.count) {
    values.for_each([&](std::uint16_t low) {
      if (const auto rank = find(chunk, low)) visit(*rank);
    });
    return;
  }
  for (std::uint32_t rank = chunk.first; rank < chunk.first + chunk.count; ++rank)
    if (values.contains(static_cast<std::uint16_t>(ids_[rank]))) visit(rank);
}

// Marks the ranks of a bitmap of ids of one chunk. The chunk must have a table.
std::size_t DenseOrdinals::mark_words(const Chunk& chunk, std::span<const std::uint64_t> allowed,
                                      std::span<std::uint64_t> bits) const {
  const Table& table = *chunk.table;
  const std::size_t lowest = ids_[chunk.first] & 0xFFFF;
  if (chunk.is_whole) {
    shift_words(allowed, lowest, chunk.count, bits, chunk.first);
    return codec::kernels::count_and_words(allowed.data(), table.present);
  }
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t some = allowed[w] & table.present[w];
    if (some == 0) continue;
    put_bits(bits, chunk.first + table.before[w], pack(some, table.present[w]));
  }
  return codec::kernels::count_and_words(allowed.data(), table.present);
}

std::size_t DenseOrdinals::mark(const codec::Bitmap& set, std::span<std::uint64_t> bits) const {
  std::size_t count = 0;
  for_each_pair(set, [&](const Chunk& chunk, const codec::Container& values) {
    if (chunk.table && values.form() == codec::Container::Form::bitmap) {
      count += mark_words(chunk, values.words(), bits);
    } else if (chunk.table && values.form() == codec::Container::Form::runs) {
      std::array<std::uint64_t, words> expanded{};
      for (const auto& run : values.runs()) set_run(expanded, run);
      count += mark_words(chunk, expanded, bits);
    } else {
      for_each_rank(chunk, values, [&](std::uint32_t rank) {
        bits[rank / 64] |= std::uint64_t{1} << (rank % 64);
        ++count;
      });
    }
  });
  return count;
}

std::vector<std::uint32_t> DenseOrdinals::list(const codec::Bitmap& set) const {
  std::vector<std::uint32_t> ranks;
  ranks.reserve(std::min<std::size_t>(set.cardinality(), ids_.size()) +
                codec::kernels::array_slack);
  for_each_pair(set, [&](const Chunk& chunk, const codec::Container& values) {
    if (chunk.is_whole && values.form() == codec::Container::Form::array)
      shift_array(chunk, values.array(), ranks);
    else
      for_each_rank(chunk, values, [&](std::uint32_t rank) { ranks.push_back(rank); });
  });
  return ranks;
}

// Without gaps, id and rank differ by a constant.
void DenseOrdinals::shift_array(const Chunk& chunk, std::span<const std::uint16_t> values,
                                std::vector<std::uint32_t>& ranks) const {
  const std::uint32_t lowest = ids_[chunk.first] & 0xFFFF;
  const auto begin = std::ranges::lower_bound(values, lowest);
  const auto end = std::ranges::lower_bound(values, lowest + chunk.count);
  const std::span<const std::uint16_t> inside(begin, end);
  const std::size_t before = ranks.size();
  ranks.resize(before + inside.size());
  codec::kernels::widen_array(inside, chunk.first - lowest, ranks.data() + before);
}

std::size_t DenseOrdinals::memory_bytes() const noexcept {
  std::size_t bytes = chunks_.size() * sizeof(Chunk);
  for (const Chunk& chunk : chunks_) bytes += chunk.table ? sizeof(Table) : 0;
  return bytes;
}

}  // namespace cairn::engine
