// Distinct values of a path, read from the index. Values have their index form. Long texts are
// represented by a prefix and a hash and cannot be restored, so callers ask has_long_texts() first.
#include "engine/index/value_postings.hpp"

#include "codec/ordered_key.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace cairn::engine {

namespace {

Error no_index() {
  return {ErrorCode::unsupported,
          "values can only be counted by an index, and this view has no indexes", std::nullopt};
}

/// Visits a posting by its value, the name without its first `prefix` bytes. Empty postings, which
/// removals leave behind, are skipped.
PostingReader::VisitPosting visit_by_value(std::size_t prefix, const VisitPosting& visit) {
  return [prefix, &visit](std::string_view name, const codec::Bitmap& ids) {
    return ids.empty() ? Status() : visit(name.substr(prefix), ids);
  };
}

}  // namespace

Status visit_values(const View& view, codec::EntityKind kind, std::uint32_t path,
                    codec::EntryKind entry, const VisitPosting& visit) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return no_index();
  const std::string prefix = codec::index_prefix(kind, path, entry, "");
  return reader->each_posting(range_of_prefix(prefix), visit_by_value(prefix.size(), visit));
}

Status visit_texts_from(const View& view, codec::EntityKind kind, std::uint32_t path,
                        codec::EntryKind entry, std::string_view beginning,
                        const VisitPosting& visit) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return no_index();
  const std::string prefix = codec::index_prefix(kind, path, entry, "");
  std::string value;
  codec::append_string_prefix(value, codec::OrderedTag::string, beginning);
  return reader->each_posting(range_of_prefix(prefix + value),
                              visit_by_value(prefix.size(), visit));
}

Result<bool> has_long_texts(const View& view, codec::EntityKind kind, std::uint32_t path,
                            std::size_t most) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return true;
  const std::string long_text(1, static_cast<char>(codec::OrderedTag::long_string));
  const KeyRange range =
      range_of_prefix(codec::index_prefix(kind, path, codec::EntryKind::scalar, long_text));
  CAIRN_ASSIGN(const auto sample, reader->walk(range, most));
  // Each text has at least one key, so a range of at most `most` keys has at most `most` texts. A
  // text with ids in several chunks has several keys, so the result may be true for fewer texts.
  return !sample.complete;
}

// Tries the cheapest sources first: cached names, then a cached column, then a short scan.
Result<double> estimate_values(const View& view, codec::EntityKind kind, std::uint32_t path,
                               codec::EntryKind entry) {
  constexpr std::size_t keys_in_sample = 128;
  if (const auto known = known_value_count(view, kind, path, entry))
    return static_cast<double>(*known);
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return std::numeric_limits<double>::infinity();
  const KeyRange range = range_of_prefix(codec::index_prefix(kind, path, entry, ""));
  CAIRN_ASSIGN(const auto order, reader->order(range.first, 0));
  if (order != nullptr) return static_cast<double>(order->values());
  // Does not use sample(), which reads no keys if the union of the range is cached.
  CAIRN_ASSIGN(const auto sample, reader->walk(range, keys_in_sample));
  if (sample.complete) return static_cast<double>(sample.keys);
  IndexPredicate present;
  present.kind = kind;
  present.path = path;
  CAIRN_ASSIGN(const auto all, view.lookup(present));
  // Extrapolates the keys for each id, as seen by the scan, to all ids of the path.
  return static_cast<double>(all.ids.cardinality()) * static_cast<double>(sample.keys) /
         std::max(1.0, static_cast<double>(sample.ids));
}

std::optional<std::size_t> known_value_count(const View& view, codec::EntityKind kind,
                                             std::uint32_t path, codec::EntryKind entry) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return std::nullopt;
  return reader->known_names(range_of_prefix(codec::index_prefix(kind, path, entry, "")));
}

}  // namespace cairn::engine
