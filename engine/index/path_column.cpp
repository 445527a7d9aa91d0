// Columns of values, which PostingReader makes like the columns of dates (instant_column.cpp).
// unordered_at_path() returns the records that a scan along the order must read in addition,
// because their values are not in the order, or only with a prefix.
#include "engine/index/path_column.hpp"

#include "engine/index/index_entries.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/view/view.hpp"

namespace cairn::engine {

Result<CurrentOrder::Ptr> path_column(const View& view, codec::EntityKind kind, std::uint32_t path,
                                      double spent) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return CurrentOrder::Ptr();
  return reader->order(codec::index_prefix(kind, path, codec::EntryKind::scalar, ""), spent);
}

Result<codec::Bitmap> unordered_at_path(const View& view, codec::EntityKind kind,
                                        std::uint32_t path) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return view.visible(kind, {});
  const PostingReader& postings = *reader;
  std::vector<codec::Bitmap> sets;
  // Finds the ids by presence marks, because containers have no scalar entry, but every value has a
  // presence mark.
  for (const auto tag : {codec::OrderedTag::null, codec::OrderedTag::list, codec::OrderedTag::map,
                         unindexed_list_tag, vector_tag}) {
    CAIRN_ASSIGN(codec::Bitmap ids,
                 postings.posting(presence_posting(kind, path, codec::EntryKind::presence, tag)));
    if (!ids.empty()) sets.push_back(std::move(ids));
  }
  const std::string long_texts(1, static_cast<char>(codec::OrderedTag::long_string));
  CAIRN_ASSIGN(codec::Bitmap ids, postings.range(range_of_prefix(codec::index_prefix(
                                      kind, path, codec::EntryKind::scalar, long_texts))));
  if (!ids.empty()) sets.push_back(std::move(ids));
  return codec::unite_all(sets);
}

}  // namespace cairn::engine
