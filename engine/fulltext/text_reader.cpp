#include "engine/fulltext/text_reader.hpp"

#include "codec/keys.hpp"

#include <set>

namespace cairn::engine {
namespace {

using Chunks = TermPostings::Chunks;

Status lay_over(const std::vector<TextChunkChange>& changes, Chunks& chunks) {
  for (const TextChunkChange& change : changes) {
    std::string& bytes = chunks[change.chunk];
    CAIRN_ASSIGN(const auto stored, codec::decode_text_chunk(bytes));
    bytes = codec::encode_text_chunk(codec::apply_text_changes(stored, change.changes, false));
  }
  return {};
}

}  // namespace

// A term that the transaction itself changed is nobody else's.
Result<TermPostingsPtr> TextReader::postings(std::uint8_t field, std::string_view term) const {
  const std::string name = codec::text_term_prefix(sources_.id, field, term);
  if (sources_.own != nullptr) {
    const auto own = sources_.own->find(name);
    if (own != sources_.own->end()) return read(name, &own->second);
  }
  if (sources_.cache == nullptr) return read(name, nullptr);
  if (auto known = sources_.cache->find(name, sources_.commit)) return known;
  CAIRN_ASSIGN(auto postings, read(name, nullptr));
  sources_.cache->insert(name, sources_.commit, postings);
  return postings;
}

Result<TermPostingsPtr> TextReader::read(const std::string& name,
                                         const std::vector<TextChunkChange>* own) const {
  Chunks chunks;
  Cursor cursor = sources_.store.scan(Family::text, range_of_prefix(name), &sources_.snapshot);
  for (; cursor.valid(); cursor.next()) {
    CAIRN_ASSIGN(const codec::TextKey key, codec::decode_text_key(cursor.key()));
    chunks.emplace_hint(chunks.end(), key.chunk, std::string(cursor.value()));
  }
  CAIRN_TRY(cursor.status());
  if (own != nullptr) CAIRN_TRY(lay_over(*own, chunks));
  return TermPostings::make(std::move(chunks));
}

Status TextReader::for_each_term(std::uint8_t field, std::string_view beginning,
                                 const std::function<bool(std::string_view)>& visit) const {
  const KeyRange range = range_of_prefix(codec::text_terms_prefix(sources_.id, field, beginning));
  std::set<std::string> own;
  if (sources_.own != nullptr) {
    const auto& changed = *sources_.own;
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

}  // namespace cairn::engine
