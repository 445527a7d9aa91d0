#include "engine/fulltext/text_index.hpp"

#include "codec/byte_io.hpp"
#include "codec/keys.hpp"
#include "engine/graph/index_members.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

/// Documents of a new index that are held in memory at a time.
constexpr std::size_t documents_at_once = 10'000;

/// From so many documents on a commit's operands are not counted: the write buffer holds only a few
/// hundred such commits, and folds them when it is full.
constexpr std::size_t uncounted_documents = 256;

bool is_text(const codec::IndexEntry& index) { return index.kind == codec::IndexKind::full_text; }

std::vector<std::uint64_t> touched(const codec::IndexEntry& index, const Overlay& overlay) {
  std::vector<std::uint64_t> ids;
  for (const auto& [kind, id] : overlay.text_entities())
    if (kind == index.entity) ids.push_back(id);
  return ids;
}

void put_operands(const TextChanges& changes, StoreBatch& batch) {
  std::string key;
  const auto put = [&](const std::string& name, std::uint64_t chunk,
                       const codec::TextPostings& postings) -> Status {
    key = name;
    codec::append_chunk(key, chunk);
    batch.merge(Family::text, key, codec::encode_text_operand(postings));
    return {};
  };
  static_cast<void>(changes.for_each_chunk(put));  // which never fails
}

void put_statistics(std::uint32_t id, const codec::TextStatistics& statistics, StoreBatch& batch) {
  batch.put(Family::text, codec::text_statistics_key(id),
            codec::encode_text_statistics(statistics));
}

}  // namespace

Result<TextStates> load_text_states(const RocksStore& store, const Catalog& catalog) {
  TextStates states;
  for (const auto& [id, index] : catalog.indexes()) {
    if (!is_text(index)) continue;
    CAIRN_ASSIGN(const auto bytes,
                 store.get(Family::text, codec::text_statistics_key(id), nullptr));
    codec::TextStatistics& statistics = states[id];
    if (bytes) {
      CAIRN_ASSIGN(statistics, codec::decode_text_statistics(*bytes));
    }
    if (statistics.size() != index.properties.size())
      return codec::corruption("the statistics of full-text index \"" + index.name +
                               "\" are missing; open the database once with repair");
  }
  return states;
}

Status TextCommit::put(const GraphView& view, const Overlay& overlay, State& next) {
  const State& base = view.state();
  next.texts = base.texts;
  next.text_cache = base.text_cache;
  CAIRN_TRY(drop_gone(base, next));
  for (const auto& [id, index] : next.catalog->indexes()) {
    if (!is_text(index)) continue;
    if (base.texts.contains(id))
      CAIRN_TRY(put_changed(id, index, view, overlay, next));
    else
      CAIRN_TRY(put_new(id, index, view, next));
  }
  return {};
}

// In the commit that drops it, so that its number may be given again.
Status TextCommit::drop_gone(const State& base, State& next) {
  for (const auto& [id, statistics] : base.texts) {
    if (next.catalog->indexes().contains(id)) continue;
    Cursor cursor =
        store_.scan(Family::text, range_of_prefix(codec::text_index_prefix(id)), base.store.get());
    for (; cursor.valid(); cursor.next()) batch_.erase(Family::text, cursor.key());
    CAIRN_TRY(cursor.status());
    next.texts.erase(id);
    next.text_cache->drop_all(next.commit);
  }
  return {};
}

// Pieces of one chunk are merged by the store: none of them may read what the others have put.
Status TextCommit::put_new(std::uint32_t id, const codec::IndexEntry& index, const GraphView& view,
                           State& next) {
  CAIRN_ASSIGN(const codec::IdSet members, index_members(index, view));
  const std::vector<std::uint64_t> ids = members.to_vector();
  codec::TextStatistics statistics(index.properties.size());
  for (std::size_t begin = 0; begin < ids.size(); begin += documents_at_once) {
    const std::size_t count = std::min(documents_at_once, ids.size() - begin);
    CAIRN_ASSIGN(const TextChanges changes,
                 find_text_changes(id, index, std::span(ids).subspan(begin, count), nullptr,
                                   view.records()));
    put_operands(changes, batch_);
    statistics = changes.applied_to(std::move(statistics));
  }
  put_statistics(id, statistics, batch_);
  next.texts[id] = std::move(statistics);
  return {};
}

Status TextCommit::put_changed(std::uint32_t id, const codec::IndexEntry& index,
                               const GraphView& view, const Overlay& overlay, State& next) {
  const auto ids = touched(index, overlay);
  if (ids.empty()) return {};
  const RecordReader before(store_, *view.state().store, nullptr);
  CAIRN_ASSIGN(const TextChanges changes,
               find_text_changes(id, index, ids, &before, view.records()));
  if (changes.empty()) return {};
  CAIRN_TRY(put_postings(changes, ids.size() < uncounted_documents));
  next.text_cache->drop(next.commit, changes.names());
  codec::TextStatistics& statistics = next.texts[id];
  statistics = changes.applied_to(std::move(statistics));
  put_statistics(id, statistics, batch_);
  return {};
}

Status TextCommit::put_postings(const TextChanges& changes, bool are_counted) {
  std::string key;
  return changes.for_each_chunk([&](const std::string& name, std::uint64_t chunk,
                                    const codec::TextPostings& postings) -> Status {
    key = name;
    codec::append_chunk(key, chunk);
    if (are_counted && operands_.add(key)) return put_folded(key, postings);
    batch_.merge(Family::text, key, codec::encode_text_operand(postings));
    return {};
  });
}

// Reading the newest value is safe: the turn is ours, and each key comes once in a commit.
Status TextCommit::put_folded(const std::string& key, const codec::TextPostings& changes) {
  CAIRN_ASSIGN(const auto stored, store_.get(Family::text, key, nullptr));
  CAIRN_ASSIGN(const auto postings, codec::decode_text_chunk(stored ? *stored : std::string()));
  const std::string bytes =
      codec::encode_text_chunk(codec::apply_text_changes(postings, changes, false));
  if (bytes.empty())
    batch_.erase(Family::text, key);
  else
    batch_.put(Family::text, key, bytes);
  return {};
}

TextRebuild::TextRebuild(const Catalog& catalog) {
  for (const auto& [id, index] : catalog.indexes()) {
    if (!is_text(index)) continue;
    indexes_.emplace(id, Index{index, Analyzer(analyzer_options(index.text)),
                               TextChanges(id, index.properties.size())});
  }
}

template <class Record>
Status TextRebuild::add(codec::EntityKind kind, std::uint64_t id, const Record& record,
                        const RecordReader& reader, bool keep) {
  for (auto& [number, index] : indexes_) {
    if (index.entry.entity != kind) continue;
    CAIRN_ASSIGN(const auto texts, TextMembers(index.entry, reader).read(id, record));
    if (!texts || !keep) continue;
    index.changes.add(id, index.analyzer, *texts);
  }
  return {};
}

template Status TextRebuild::add(codec::EntityKind, std::uint64_t, const codec::NodeRecord&,
                                 const RecordReader&, bool);
template Status TextRebuild::add(codec::EntityKind, std::uint64_t, const codec::RelationshipRecord&,
                                 const RecordReader&, bool);

void TextRebuild::put_postings(StoreBatch& batch) {
  for (auto& [id, index] : indexes_) {
    put_operands(index.changes, batch);
    index.changes.clear_postings();
  }
}

void TextRebuild::put_statistics(StoreBatch& batch) const {
  for (const auto& [id, index] : indexes_)
    engine::put_statistics(id, index.changes.applied_to({}), batch);
}

Result<TextHits> search_text_index(const GraphView& view, const RocksStore& store,
                                   const Overlay* overlay, std::uint32_t id,
                                   const TextQuery& query) {
  const auto entry = view.catalog().indexes().find(id);
  if (entry == view.catalog().indexes().end() || !is_text(entry->second))
    return Error{ErrorCode::not_found, "there is no full-text index with this number", {}};
  const codec::IndexEntry& index = entry->second;
  const auto statistics = view.state().texts.find(id);
  if (statistics == view.state().texts.end())
    return Error{ErrorCode::unsupported,
                 "index \"" + index.name +
                     "\" was made by this transaction and can be searched after its commit",
                 {}};
  std::vector<std::string> names;
  for (const std::uint32_t property : index.properties)
    names.push_back(view.catalog().name(codec::CatalogKind::property, property));
  TextSources sources{id,
                      index,
                      store,
                      *view.state().store,
                      statistics->second,
                      nullptr,
                      view.state().text_cache.get(),
                      view.state().commit};
  const auto own_ids = overlay == nullptr ? std::vector<std::uint64_t>() : touched(index, *overlay);
  if (own_ids.empty()) return search_text(sources, names, query);
  const RecordReader before(store, *view.state().store, nullptr);
  CAIRN_ASSIGN(const TextChanges own,
               find_text_changes(id, index, own_ids, &before, view.records()));
  sources.statistics = own.applied_to(std::move(sources.statistics));
  const TextChanges::ByName own_postings = own.by_name();
  sources.own = &own_postings;
  return search_text(sources, names, query);
}

}  // namespace cairn::engine
