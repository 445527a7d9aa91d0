// Distinct values of a path, as counting and facets by value read them. Values come in their index
// form; long texts come by prefix and hash and cannot be had back, which has_long_texts() tells
// beforehand.
#include "engine/index/value_postings.hpp"

#include "codec/ordered_key.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/view/view.hpp"
#include "engine/view/lookup_result.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace cairn::engine {

Status visit_values(const View& view, codec::EntityKind kind, std::uint32_t path,
                    codec::EntryKind entry, const VisitPosting& visit) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr)
    return Error{ErrorCode::unsupported, "this view has no index to count values by", std::nullopt};
  const std::string prefix = codec::index_prefix(kind, path, entry, "");
  return reader->each_posting(
      range_of_prefix(prefix), [&](std::string_view name, const codec::Bitmap& ids) {
        return ids.empty() ? Status() : visit(name.substr(prefix.size()), ids);
      });
}

Result<bool> has_long_texts(const View& view, codec::EntityKind kind, std::uint32_t path,
                            std::size_t most) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return true;
  const std::string long_text(1, static_cast<char>(codec::OrderedTag::long_string));
  const KeyRange range =
      range_of_prefix(codec::index_prefix(kind, path, codec::EntryKind::scalar, long_text));
  CAIRN_ASSIGN(const auto sample, reader->walk(range, most));
  // A walk that did not come to the end within `most` steps has seen that many, a chunk each.
  return !sample.complete;
}

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
  // Not by `sample`, which an earlier union of the range answers without keys.
  CAIRN_ASSIGN(const auto sample, reader->walk(range, keys_in_sample));
  if (sample.complete) return static_cast<double>(sample.keys);
  IndexPredicate present;
  present.kind = kind;
  present.path = path;
  CAIRN_ASSIGN(const auto all, view.lookup(present));
  // The walk's keys an id, for all ids of the path.
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
