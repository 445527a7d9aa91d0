// Loads the states of full-text indexes at open, and searches them for a view. In a transaction, its own changes become one
// more segment of the log, so that the search code is the same. Terms of that segment bypass the cache, which all readers
// share. The statistics include the changes too, so scores in a transaction are the same as after its commit.
//
// In a transaction each search analyses the touched texts again.
#include "engine/graph/text_index.hpp"

#include "codec/byte_io.hpp"
#include "codec/text_segment.hpp"
#include "engine/graph/text_spaces.hpp"
#include "engine/index/posting_name.hpp"
#include "engine/view/lookup_result.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace cairn::engine {
namespace {

/// Returns the entities that the transaction created, ascending. Ids are never reused, so such an entity had no record
/// before.
std::vector<std::uint64_t> made_by(const WriteSet& write_set, codec::EntityKind kind) {
  std::vector<std::uint64_t> ids;
  const auto* all = write_set.postings().find(system_posting(kind, codec::SystemPath::all));
  if (all == nullptr) return ids;
  for (const PostingWriteSet::Change& change : all->changes())
    if (change.added) ids.push_back(change.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// Restricts the search to the namespaces of the query, if the database has others: `members` gets their entities, and the
/// statistics become those of these namespaces.
Status narrow_to_spaces(const GraphView& view, const TextChanges* own, const TextQuery& query,
                        codec::Bitmap& members, TextSources& sources) {
  if (query.name_spaces.empty()) return {};
  const auto [name_space, others] = std::pair(query.name_spaces[0], query.name_spaces.subspan(1));
  const Visibility visibility{name_space, 0, {others.begin(), others.end()}};
  CAIRN_ASSIGN(const bool has_all, view.has_all(sources.index.entity, visibility));
  if (has_all) return {};
  CAIRN_ASSIGN(members, view.members(sources.index.entity, visibility));
  CAIRN_ASSIGN(sources.statistics,
               statistics_of_spaces(sources.store, &sources.snapshot, sources.id,
                                    sources.statistics, own, query.name_spaces));
  sources.members = &members;
  return {};
}

Error incomplete(const codec::IndexEntry& index) {
  return codec::corruption("the statistics of full-text index \"" + index.name +
                           "\" are missing; open the database once with repair");
}

}  // namespace

std::vector<TouchedText> texts_touched(const codec::IndexEntry& index, const WriteSet& write_set) {
  std::vector<TouchedText> touched;
  if (write_set.text_entities().empty()) return touched;
  const std::vector<std::uint64_t> made = made_by(write_set, index.entity);
  for (const auto& [kind, id] : write_set.text_entities())
    if (kind == index.entity)
      touched.push_back({id, std::binary_search(made.begin(), made.end(), id)});
  return touched;
}

// Checks that the segments are numbered without a gap, as a missing segment would go unnoticed otherwise.
Result<TextMemorySegment> load_text_memory_segments(const RocksStore& store, std::uint32_t id,
                                                    const StoreSnapshot* snapshot) {
  TextMemorySegment log;
  Cursor cursor =
      store.scan(Family::text, range_of_prefix(codec::text_statistics_key(id)), snapshot);
  for (; cursor.valid(); cursor.next()) {
    CAIRN_ASSIGN(const codec::TextKey key, codec::decode_text_key(cursor.key()));
    if (key.name_space) break;  // statistics of namespaces come after the segments
    if (!key.segment) continue;
    if (*key.segment != log.segments().size())
      return codec::corruption("segment " + std::to_string(log.segments().size()) + " is missing");
    CAIRN_ASSIGN(auto segment, codec::TextSegment::decode(std::string(cursor.value())));
    log.add(std::make_shared<const codec::TextSegment>(std::move(segment)));
  }
  CAIRN_TRY(cursor.status());
  return log;
}

Result<TextStates> load_text_states(const RocksStore& store, const Catalog& catalog) {
  TextStates states;
  for (const auto& [id, index] : catalog.indexes()) {
    if (!is_text(index)) continue;
    CAIRN_ASSIGN(const auto bytes,
                 store.get(Family::text, codec::text_statistics_key(id), nullptr));
    TextState& state = states[id];
    if (bytes) {
      CAIRN_ASSIGN(state.statistics, codec::decode_text_statistics(*bytes));
    }
    if (state.statistics.size() != index.properties.size()) return incomplete(index);
    auto log = load_text_memory_segments(store, id, nullptr);
    if (!log && log.error().code != ErrorCode::corruption) return log.error();
    if (!log)
      return codec::corruption("full-text index \"" + index.name + "\": " + log.error().message +
                               "; open the database once with repair");
    state.log = std::move(*log);
  }
  return states;
}

namespace {

/// The changes of the transaction to the texts of an index; nullopt if it has changed none.
Result<std::optional<TextChanges>> own_changes(const GraphView& view, const RocksStore& store,
                                               const WriteSet* write_set,
                                               const codec::IndexEntry& index) {
  if (write_set == nullptr) return std::optional<TextChanges>();
  const auto touched = texts_touched(index, *write_set);
  if (touched.empty()) return std::optional<TextChanges>();
  const RecordReader before(store, *view.state().store, nullptr);
  CAIRN_ASSIGN(auto changes, find_text_changes(index, touched, &before, view.records()));
  return std::optional(std::move(changes));
}

/// Appends those of `ids` with a text in a property, by reading the property.
Status add_with_text(const GraphView& view, codec::EntityKind kind, std::uint32_t key,
                     const codec::Bitmap& ids, Limits* limits, codec::BitmapBuilder& found) {
  std::array<std::uint64_t, 128> buffer{};
  codec::IdCursor cursor(ids);
  while (const std::size_t count = cursor.next(buffer)) {
    const std::span<const std::uint64_t> some(buffer.data(), count);
    if (limits != nullptr) CAIRN_TRY(limits->step(some.size()));
    CAIRN_ASSIGN(const auto values, view.properties(kind, some, key));
    for (std::size_t i = 0; i < some.size(); ++i)
      if (has_text(values[i])) found.add(some[i]);
  }
  return {};
}

/// Returns the members of an index with a text in one of these fields: by the index of the property, and by reading it
/// for lists, which may have no texts, and if the property has no index.
Result<codec::Bitmap> with_text(const GraphView& view, const codec::IndexEntry& index,
                                std::span<const std::uint8_t> fields, Limits* limits) {
  CAIRN_ASSIGN(const codec::Bitmap members, index_members(index, view));
  const Catalog& catalog = view.catalog();
  codec::BitmapBuilder found;
  for (const std::uint8_t field : fields) {
    const std::uint32_t key = index.properties[field - 1U];
    const auto path = catalog.find_path(
        index.entity, join_path({catalog.name(codec::CatalogKind::property, key)}));
    if (!path && catalog.has_all_paths()) continue;
    if (!path || catalog.path(*path)->state != codec::IndexState::online) {
      CAIRN_TRY(add_with_text(view, index.entity, key, members, limits, found));
      continue;
    }
    IndexPredicate question;
    question.kind = index.entity;
    question.path = *path;
    question.operation = IndexPredicate::Operation::of_type;
    question.low = Value("");
    CAIRN_ASSIGN(const LookupResult texts, view.lookup(question));
    found.add(codec::intersect(texts.ids, members));
    question.low = Value(List());
    CAIRN_ASSIGN(const LookupResult lists, view.lookup(question));
    CAIRN_TRY(add_with_text(view, index.entity, key, codec::intersect(lists.ids, members), limits,
                            found));
  }
  return found.build();
}

std::vector<std::string> property_names(const GraphView& view, const codec::IndexEntry& index) {
  std::vector<std::string> names;
  for (const std::uint32_t property : index.properties)
    names.push_back(view.catalog().name(codec::CatalogKind::property, property));
  return names;
}

}  // namespace

Result<TextHits> search_text_index(const GraphView& view, const RocksStore& store,
                                   const WriteSet* write_set, std::uint32_t id,
                                   const TextQuery& query) {
  const auto entry = view.catalog().indexes().find(id);
  if (entry == view.catalog().indexes().end() || !is_text(entry->second))
    return Error{ErrorCode::not_found,
                 "full-text index number " + std::to_string(id) +
                     " does not exist; SHOW INDEXES lists the indexes",
                 {}};
  const codec::IndexEntry& index = entry->second;
  const auto state = view.state().texts.find(id);
  // The index was made by this transaction, whose commit will write its postings.
  if (state == view.state().texts.end())
    return Error{ErrorCode::unsupported,
                 "index \"" + index.name +
                     "\" was made by this transaction and can be searched after its commit",
                 {}};
  const TextState& text = state->second;
  TextSources sources{id,
                      index,
                      store,
                      *view.state().store,
                      text.statistics,
                      text.log.segments(),
                      false,
                      view.state().text_cache.get(),
                      view.state().commit};
  sources.name_spaces = query.name_spaces;
  CAIRN_ASSIGN(const std::optional<TextChanges> own, own_changes(view, store, write_set, index));
  std::vector<TextSegmentPtr> log = text.log.segments();
  if (own) {
    sources.statistics = own->applied_to(std::move(sources.statistics));
    if (auto segment = own->segment()) {
      log.push_back(std::move(segment));
      sources.log = log;
      sources.has_own = true;
    }
  }
  codec::Bitmap members;
  CAIRN_TRY(narrow_to_spaces(view, own ? &*own : nullptr, query, members, sources));
  const TextSources::WithText documents = [&](std::span<const std::uint8_t> fields) {
    return with_text(view, index, fields, query.limits);
  };
  sources.with_text = &documents;
  return search_text(sources, property_names(view, index), query);
}

}  // namespace cairn::engine
