// The postings of one term in one field, shared by all users of the cache. Chunks stay encoded.
// Blocks of up to 128 documents are decoded when a cursor stops in them, once for everyone:
//
//   decoded_[i]   null -> entries, set once by compare-and-exchange, never changed again
//
// A release store, paired with the acquire load in the header, makes the entries visible together
// with the pointer. A thread that loses the race frees its own copy. No lock is taken.
//
// Memory is accounted as if every block were decoded (most_memory_bytes()), since the cache cannot
// see the memory grow.
#include "engine/fulltext/term_postings.hpp"

#include "codec/byte_io.hpp"
#include "codec/sorted_ids.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

/// The first block from `begin` on whose last id is at least `id`.
std::size_t find_block(const std::vector<TermPostings::Block>& blocks, std::size_t begin,
                       std::uint64_t id) {
  // Galloping search, because the target is usually near.
  std::size_t step = 1;
  while (begin + step < blocks.size() && blocks[begin + step].last < id) {
    begin += step;
    step *= 2;
  }
  const auto last =
      blocks.begin() + static_cast<std::ptrdiff_t>(std::min(begin + step + 1, blocks.size()));
  const auto found = std::lower_bound(
      blocks.begin() + static_cast<std::ptrdiff_t>(std::min(begin, blocks.size())), last, id,
      [](const TermPostings::Block& block, std::uint64_t wanted) { return block.last < wanted; });
  return static_cast<std::size_t>(found - blocks.begin());
}

}  // namespace

Result<TermPostingsPtr> TermPostings::make(Chunks chunks) {
  const std::shared_ptr<TermPostings> made(new TermPostings);
  made->chunks_ = std::move(chunks);
  made->most_memory_bytes_ = sizeof(TermPostings);
  for (const auto& [chunk, bytes] : made->chunks_) CAIRN_TRY(made->add_chunk(chunk, bytes));
  made->decoded_ = std::make_unique<std::atomic<const Entries*>[]>(made->blocks_.size());
  return TermPostingsPtr(made);
}

TermPostings::~TermPostings() {
  for (std::size_t i = 0; decoded_ && i < blocks_.size(); ++i)
    // Relaxed suffices, because the destructor runs after all uses: the reference count of the
    // shared_ptr orders them.
    delete decoded_[i].load(std::memory_order_relaxed);
}

Status TermPostings::add_chunk(std::uint64_t chunk, std::string_view bytes) {
  CAIRN_ASSIGN(const auto blocks, codec::read_text_blocks(bytes));
  const std::uint64_t base = chunk << codec::text_chunk_bits;
  for (const codec::TextBlock& block : blocks) {
    blocks_.push_back({base, base | block.last, block});
    documents_ += block.count;
    most_memory_bytes_ +=
        sizeof(Block) + sizeof(Entries) + sizeof(void*) + block.count * sizeof(codec::TextEntry);
  }
  most_memory_bytes_ += sizeof(Chunks::value_type) + bytes.size();
  return {};
}

// If two threads decode a block at the same time, the second one drops its copy.
const TermPostings::Entries* TermPostings::decode(std::size_t i) const {
  auto made = std::make_unique<Entries>();
  made->reserve(blocks_[i].block.count);
  if (!codec::read_text_entries(blocks_[i].block, *made)) return nullptr;
  const Entries* known = nullptr;
  if (decoded_[i].compare_exchange_strong(known, made.get(), std::memory_order_acq_rel))
    return made.release();
  return known;
}

namespace {

/// The number of documents of the postings that are in a set. Skips whole blocks without such
/// documents. Errors: corruption.
Result<std::uint64_t> count_in(const TermPostingsPtr& postings, const codec::Bitmap& ids) {
  codec::IdSeeker seeker(ids);
  TermCursor cursor(postings);
  std::uint64_t count = 0;
  while (cursor.id() != TermCursor::end) {
    const std::uint64_t next = seeker.seek(cursor.id());
    if (next == TermCursor::end) break;
    if (next == cursor.id()) {
      ++count;
      cursor.next();
    } else {
      cursor.advance(next);
    }
  }
  if (cursor.is_damaged()) return codec::corruption("postings of a full-text index are damaged");
  return count;
}

}  // namespace

Result<std::uint64_t> TermPostings::count_among(std::span<const std::uint32_t> name_spaces,
                                                const codec::Bitmap& members) const {
  // Number of cached results, for tenants that search for the same word.
  constexpr std::size_t most_counts = 16;
  {
    const std::lock_guard lock(counts_mutex_);
    for (const Count& known : counts_)
      if (std::ranges::equal(known.name_spaces, name_spaces)) return known.documents;
  }
  CAIRN_ASSIGN(const std::uint64_t count, count_in(shared_from_this(), members));
  const std::lock_guard lock(counts_mutex_);
  if (counts_.size() == most_counts) counts_.erase(counts_.begin());
  counts_.push_back({{name_spaces.begin(), name_spaces.end()}, count});
  return count;
}

void TermCursor::load() {
  // A damaged block ends the cursor. A search must check is_damaged() before it returns hits.
  id_ = end;
  if (block_ >= postings_->blocks().size()) return;
  const TermPostings::Entries* entries = postings_->entries(block_);
  damaged_ = entries == nullptr;
  if (damaged_) return;
  entry_ = entries->data();
  entries_end_ = entry_ + entries->size();
  base_ = postings_->blocks()[block_].base;
  id_ = base_ | entry_->low;
}

void TermCursor::advance_further(std::uint64_t id) {
  const auto& blocks = postings_->blocks();
  // Skips whole blocks by their headers, including blocks that block_of() skipped before.
  if (blocks[block_].last < id) {
    block_ = find_block(blocks, std::max(block_ + 1, std::min(shallow_, blocks.size())), id);
    load();
    if (id_ >= id) return;
  }
  // The entry is in this block, because the last id of the block is at least `id`.
  const auto low = static_cast<std::uint16_t>(id - base_);
  if ((++entry_)->low < low)
    entry_ = std::lower_bound(
        entry_ + 1, entries_end_, low,
        [](const codec::TextEntry& entry, std::uint16_t wanted) { return entry.low < wanted; });
  id_ = base_ | entry_->low;
}

const TermPostings::Block* TermCursor::block_of(std::uint64_t id) {
  const auto& blocks = postings_->blocks();
  shallow_ = std::max(shallow_, block_);
  if (shallow_ < blocks.size() && blocks[shallow_].last < id)
    shallow_ = find_block(blocks, shallow_ + 1, id);
  return shallow_ < blocks.size() ? &blocks[shallow_] : nullptr;
}

}  // namespace cairn::engine
