// The postings of a term are its chunks in the store, merged with the segments of the write buffer,
// oldest first:
//
// store      chunk 0: docs 3 5 9      chunk 2: doc 40000
// segment 0  chunk 0: - 5             (a removal)
// segment 1  chunk 0: + 7             chunk 3: + 50001
// read       3 7 9  40000  50001
//
// Store and segments are of the same snapshot. The result is cached for all readers of the newest
// commit.
#include "engine/fulltext/text_reader.hpp"

#include "codec/keys.hpp"
#include "codec/text_segment.hpp"

namespace cairn::engine {
namespace {

using Chunks = TermPostings::Chunks;

/// Applies the changes of one chunk, oldest first, to its stored form.
Status lay_over(std::span<const std::string_view> operands, std::string& bytes) {
  CAIRN_ASSIGN(const auto changes, codec::join_text_operands(operands));
  CAIRN_ASSIGN(const auto stored, codec::decode_text_chunk(bytes));
  bytes = codec::encode_text_chunk(codec::apply_text_changes(stored, changes, false));
  return {};
}

// The name of a term in keys and segments.
std::string name_of(std::uint8_t field, std::string_view term) {
  std::string name(1, static_cast<char>(field));
  name += term;
  return name;
}

}  // namespace

// A term that the transaction has changed must neither be found in the cache nor be added to it.
bool TextReader::is_own(std::string_view name) const {
  if (!sources_.has_own) return false;
  const codec::TextSegment& own = *sources_.log.back();
  const std::size_t at = own.lower_bound(name);
  return at < own.size() && own[at].name == name;
}

Result<TermPostingsPtr> TextReader::postings(std::uint8_t field, std::string_view term) const {
  const std::string name = name_of(field, term);
  if (sources_.cache == nullptr || is_own(name)) return read(name);
  const std::string prefix = codec::text_term_prefix(sources_.id, field, term);
  if (auto known = sources_.cache->find(prefix, sources_.commit)) return known;
  CAIRN_ASSIGN(auto postings, read(name));
  sources_.cache->insert(prefix, sources_.commit, postings);
  return postings;
}

Result<TermPostingsPtr> TextReader::read(std::string_view name) const {
  Chunks chunks;
  std::string prefix = codec::text_index_prefix(sources_.id);
  prefix += name;
  prefix.push_back('\0');
  Cursor cursor = sources_.store.scan(Family::text, range_of_prefix(prefix), &sources_.snapshot);
  for (; cursor.valid(); cursor.next()) {
    CAIRN_ASSIGN(const codec::TextKey key, codec::decode_text_key(cursor.key()));
    chunks.emplace_hint(chunks.end(), key.chunk, std::string(cursor.value()));
  }
  CAIRN_TRY(cursor.status());
  for (SegmentMerge log(sources_.log, name); log.valid() && log.name() == name; log.next())
    // A chunk that is only in the segments starts empty.
    CAIRN_TRY(lay_over(log.operands(), chunks[log.chunk()]));
  return TermPostings::make(std::move(chunks));
}

Result<std::uint64_t> TextReader::documents(const TermPostings& postings) const {
  if (sources_.members == nullptr) return postings.documents();
  return postings.count_among(sources_.name_spaces, *sources_.members);
}

// Merges two ascending lists, the terms of the segments and those of the store.
Status TextReader::for_each_term(std::uint8_t field, std::string_view beginning,
                                 const std::function<bool(std::string_view)>& visit) const {
  const std::string first = name_of(field, beginning);
  SegmentMerge log(sources_.log, first);
  const auto has_more = [&] { return log.valid() && log.name().starts_with(first); };
  Cursor cursor = sources_.store.scan(
      Family::text, range_of_prefix(codec::text_terms_prefix(sources_.id, field, beginning)),
      &sources_.snapshot);
  while (cursor.valid()) {
    CAIRN_ASSIGN(const codec::TextKey key, codec::decode_text_key(cursor.key()));
    const std::string term(key.term);
    const std::string behind = codec::prefix_end(std::string(key.name));
    for (; has_more() && log.name().substr(1) < term; log.next_name())
      if (!visit(log.name().substr(1))) return {};
    if (has_more() && log.name().substr(1) == term) log.next_name();
    if (!visit(term)) return {};
    // Seeks from term to term, so that the chunks of a frequent term are skipped at once.
    cursor.seek(behind);
  }
  CAIRN_TRY(cursor.status());
  for (; has_more(); log.next_name())
    if (!visit(log.name().substr(1))) return {};
  return {};
}

}  // namespace cairn::engine
