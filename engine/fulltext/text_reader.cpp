#include "engine/fulltext/text_reader.hpp"

#include "codec/keys.hpp"

#include <algorithm>
#include <set>

namespace cairn::engine {
namespace {

Status add_chunk(TermPostings& postings, std::uint64_t chunk, std::string bytes) {
  postings.chunks.push_back(std::make_unique<std::string>(std::move(bytes)));
  CAIRN_ASSIGN(const auto blocks, codec::read_text_blocks(*postings.chunks.back()));
  const std::uint64_t base = chunk << codec::text_chunk_bits;
  for (const codec::TextBlock& block : blocks) {
    postings.blocks.push_back({base, base | block.last, block});
    postings.documents += block.count;
  }
  return {};
}

using Chunks = std::map<std::uint64_t, std::string>;

Status lay_over(const std::vector<TextChange>& changes, Chunks& chunks) {
  for (const TextChunkChange& change : to_text_chunks(changes)) {
    std::string& bytes = chunks[change.chunk];
    CAIRN_ASSIGN(const auto stored, codec::decode_text_chunk(bytes));
    bytes = codec::encode_text_chunk(codec::apply_text_changes(stored, change.changes, false));
  }
  return {};
}

}  // namespace

Result<TermPostingsPtr> TextReader::postings(std::uint8_t field, std::string_view term) const {
  const std::string name = codec::text_term_prefix(sources_.id, field, term);
  Chunks chunks;
  Cursor cursor = sources_.store.scan(Family::text, range_of_prefix(name), &sources_.snapshot);
  for (; cursor.valid(); cursor.next()) {
    CAIRN_ASSIGN(const codec::TextKey key, codec::decode_text_key(cursor.key()));
    chunks.emplace_hint(chunks.end(), key.chunk, std::string(cursor.value()));
  }
  CAIRN_TRY(cursor.status());
  if (sources_.own != nullptr) {
    const auto own = sources_.own->postings().find(name);
    if (own != sources_.own->postings().end()) CAIRN_TRY(lay_over(own->second, chunks));
  }
  auto postings = std::make_shared<TermPostings>();
  for (auto& [chunk, bytes] : chunks) CAIRN_TRY(add_chunk(*postings, chunk, std::move(bytes)));
  return TermPostingsPtr(std::move(postings));
}

Status TextReader::for_each_term(std::uint8_t field, std::string_view beginning,
                                 const std::function<bool(std::string_view)>& visit) const {
  const KeyRange range = range_of_prefix(codec::text_terms_prefix(sources_.id, field, beginning));
  std::set<std::string> own;
  if (sources_.own != nullptr) {
    const auto& changed = sources_.own->postings();
    for (auto at = changed.lower_bound(range.first);
         at != changed.end() && range.contains(at->first); ++at)
      own.emplace(at->first.substr(5, at->first.size() - 6));
  }
  Cursor cursor = sources_.store.scan(Family::text, range, &sources_.snapshot);
  while (cursor.valid()) {
    CAIRN_ASSIGN(const codec::TextKey key, codec::decode_text_key(cursor.key()));
    const std::string term(key.term);
    const std::string behind = codec::prefix_end(std::string(key.name));
    while (!own.empty() && *own.begin() <= term) {
      if (*own.begin() < term && !visit(*own.begin())) return {};
      own.erase(own.begin());
    }
    if (!visit(term)) return {};
    cursor.seek(behind);
  }
  CAIRN_TRY(cursor.status());
  for (const std::string& term : own)
    if (!visit(term)) return {};
  return {};
}

void TermCursor::load() {
  if (block_ >= postings_->blocks.size()) {
    id_ = end;
    return;
  }
  entry_ = 0;
  if (codec::read_text_entries(postings_->blocks[block_].block, entries_)) {
    stand();
    return;
  }
  damaged_ = true;
  id_ = end;
}

void TermCursor::stand() { id_ = postings_->blocks[block_].base | entries_[entry_].low; }

void TermCursor::next() {
  if (id_ == end) return;
  if (++entry_ < entries_.size()) {
    stand();
    return;
  }
  ++block_;
  load();
}

void TermCursor::advance(std::uint64_t id) {
  if (id_ >= id) return;
  const auto& blocks = postings_->blocks;
  if (blocks[block_].last < id) {
    const auto first = blocks.begin() + static_cast<std::ptrdiff_t>(block_) + 1;
    const auto found = std::lower_bound(
        first, blocks.end(), id,
        [](const TermPostings::Block& block, std::uint64_t wanted) { return block.last < wanted; });
    block_ = static_cast<std::size_t>(found - blocks.begin());
    load();
    if (id_ >= id) return;
  }
  const std::uint64_t base = blocks[block_].base;
  const auto found =
      std::lower_bound(entries_.begin() + static_cast<std::ptrdiff_t>(entry_), entries_.end(), id,
                       [&](const codec::TextEntry& entry, std::uint64_t wanted) {
                         return (base | entry.low) < wanted;
                       });
  entry_ = static_cast<std::size_t>(found - entries_.begin());
  stand();
}

const TermPostings::Block* TermCursor::block_of(std::uint64_t id) {
  const auto& blocks = postings_->blocks;
  shallow_ = std::max(shallow_, block_);
  while (shallow_ < blocks.size() && blocks[shallow_].last < id) ++shallow_;
  return shallow_ < blocks.size() ? &blocks[shallow_] : nullptr;
}

}  // namespace cairn::engine
