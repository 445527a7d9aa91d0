// Rebuilds derived families from the records, safely against crashes and without a copy:
//
//   trial pass        reads and derives every record. If one fails, nothing was changed
//   layouts := 0      synced. If the process dies from here on, the next open starts the rebuild again
//   clear             drops each family with its files, and creates it empty
//   writing pass      writes the derived entries in batches, without syncing
//   layouts := now    in the last batch. It is synced, which also syncs all earlier batches in the log
//
// A damaged large text is indexed as it is stored now, and a missing one is skipped, both with a remark. Setting the
// property again repairs it. Any other unreadable record ends the rebuild before anything is changed. The records are never
// changed.
//
// Memory: the postings of 10,000 records or of 64 MiB of texts. Cost: two passes over the records. Runs at open, before
// other code sees the store.
#include "engine/check/upgrade.hpp"

#include "codec/posting.hpp"
#include "engine/graph/record_postings.hpp"
#include "engine/index/posting_write_set.hpp"
#include "engine/indexing/text_build.hpp"
#include "engine/store/meta.hpp"
#include "engine/write/property_editor.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace cairn::engine {
namespace {

/// The number of records whose postings are collected, and then written with one merge operand for each posting chunk.
constexpr std::size_t records_per_batch = 10'000;
/// The memory of collected text postings at which a batch is written early, as texts may be long.
constexpr std::size_t text_bytes_per_batch = std::size_t{64} << 20;

/// Derives the entries of all records, and writes those of the families to rebuild.
class Rebuilder {
 public:
  Rebuilder(RocksStore& store, std::set<Family> families, std::vector<std::string>& remarks)
      : store_(store), families_(std::move(families)), batch_(store), remarks_(remarks) {}

  // Derives all entries once as a trial, so that no column family is cleared that cannot be rebuilt. Then clears the
  // families, and derives the entries again to write them.
  Status run() {
    CAIRN_ASSIGN(const auto catalog, load_catalog(store_));
    if (families_.contains(Family::text)) texts_.emplace(*catalog);
    if (!needs_records()) return finish();
    CAIRN_TRY(for_each_derived(*catalog, Pass::trial));
    CAIRN_TRY(mark_outdated());
    for (const Family family : families_) CAIRN_TRY(store_.clear(family));
    CAIRN_TRY(for_each_derived(*catalog, Pass::writing));
    CAIRN_TRY(mark_vector_log(*catalog));
    return finish();
  }

 private:
  using EntityId = std::uint64_t;
  enum class Pass : std::uint8_t { trial, writing };

  /// False if only the family of texts is outdated and no full-text index exists: then only its layout must be written.
  [[nodiscard]] bool needs_records() const {
    return families_.size() > 1 || !texts_ || !texts_->empty();
  }

  /// Derives each record, and writes the entries in the writing pass. Errors: those of the first record that cannot be read.
  Status for_each_derived(const Catalog& catalog, Pass pass) {
    // Each pass takes its own snapshot. Both see the same records, which nobody changes meanwhile.
    const SnapshotPtr snapshot = store_.snapshot();
    const RecordReader reader(store_, *snapshot, nullptr);
    const auto visit = [&](codec::EntityKind kind) {
      return [&, kind](EntityId id, auto record) -> Status {
        if (!record) return record.error();
        CAIRN_ASSIGN(const Derived derived, derive(id, *record, reader, catalog));
        if (derived.damage && pass == Pass::trial) note_damage(*derived.damage);
        if (texts_) CAIRN_TRY(texts_->add(kind, id, *record, reader, pass == Pass::writing));
        return pass == Pass::writing ? add(id, derived) : Status();
      };
    };
    CAIRN_TRY(for_each_node(store_, *snapshot, visit(codec::EntityKind::node)));
    return for_each_relationship(store_, *snapshot, visit(codec::EntityKind::relationship));
  }

  /// Adds a remark about a damaged large text.
  void note_damage(const Error& damage) {
    constexpr std::size_t most_remarks = 100;
    if (++damaged_ <= most_remarks)
      remarks_.push_back(damage.message + "; it stays damaged until the property is set again");
  }

  /// Sets the layouts to 0, synced before the first family is cleared, so that the next open repeats an interrupted rebuild.
  Status mark_outdated() {
    StoreBatch batch(store_);
    for (const Family family : families_) MetaWriter(batch).put_layout(to_string(family), 0);
    return store_.write_local(batch, WriteMode::sync);
  }

  /// Collects the entries of one record, and writes a batch when it is full.
  Status add(EntityId id, const Derived& derived) {
    for (const std::string& name : derived.postings) postings_.change(name, {id, true});
    counters_.add(derived.counters);
    if (!derived.adj_out.empty()) {
      put_if_wanted(Family::adj_out, derived.adj_out);
      put_if_wanted(Family::adj_in, derived.adj_in);
    }
    const bool is_full = texts_ && texts_->memory_bytes() >= text_bytes_per_batch;
    return ++records_ % records_per_batch == 0 || is_full ? flush() : Status();
  }

  /// Adds a key if its family is rebuilt. The other families are correct already.
  void put_if_wanted(Family family, const std::string& key) {
    if (families_.contains(family)) batch_.put(family, key, "");
  }

  /// Writes the collected entries.
  Status flush() {
    if (families_.contains(Family::index)) {
      ChunkChanges chunks;
      for (const PostingWriteSet::Posting* posting : postings_.by_name()) {
        for (const ChunkChange& change : chunks.of(posting->changes())) {
          std::string key(posting->name());
          codec::append_chunk(key, change.chunk);
          batch_.merge(Family::index, key, codec::encode_posting_delta(change.delta));
        }
      }
    }
    // Operands are per chunk, not per record: a label of 10,000 records costs one operand for each chunk of ids.
    postings_ = PostingWriteSet();
    if (texts_) texts_->put_postings(batch_);
    CAIRN_TRY(store_.write_local(batch_, WriteMode::async));
    batch_.clear();
    return {};
  }

  /// Writes an empty entry for each space. It says that earlier entries of the log are gone, so that vector files of earlier
  /// commits are not used.
  Status mark_vector_log(const Catalog& catalog) {
    if (!families_.contains(Family::vector_log)) return {};
    CAIRN_ASSIGN(const std::uint64_t commit, MetaReader(store_).commit());
    for (const auto& [space, entry] : catalog.spaces()) {
      batch_.put(Family::vector_log, codec::vector_log_key(space, commit), "");
    }
    return {};
  }

  /// Writes the last batch, with the layouts: until it is on disk, the next open repeats the rebuild.
  Status finish() {
    CAIRN_TRY(flush());
    if (families_.contains(Family::stats)) counters_.put_changes({}, batch_);
    if (texts_) CAIRN_TRY(texts_->put_statistics(batch_));
    for (const Family family : families_) {
      MetaWriter(batch_).put_layout(to_string(family), *codec::layout_version(to_string(family)));
    }
    return store_.write_local(batch_, WriteMode::sync);
  }

  RocksStore& store_;
  std::set<Family> families_;
  StoreBatch batch_;
  PostingWriteSet postings_;
  Counters counters_;
  std::optional<TextRebuild> texts_;  // set if the family of texts is rebuilt
  std::size_t records_ = 0;           // derived in the writing pass
  std::vector<std::string>& remarks_;
  std::size_t damaged_ = 0;  // damaged large texts
};

}  // namespace

namespace {

/// Layout 3 of family `text` added statistics by namespace, so layout 2 needs no rebuild: only these statistics are added. A
/// database that uses only the default namespace has none. Until they are added, readers use the statistics of all
/// documents.
constexpr std::uint32_t text_without_name_spaces = 2;

/// Computes the statistics by namespace, from the texts of every record outside of the default namespace.
Status count_texts_of_spaces(const RocksStore& store, const Catalog& catalog, StoreBatch& batch) {
  if (catalog.names(codec::CatalogKind::name_space).empty()) return {};
  TextRebuild texts(catalog);
  if (texts.empty()) return {};
  const SnapshotPtr snapshot = store.snapshot();
  const RecordReader reader(store, *snapshot, nullptr);
  const auto visit = [&](codec::EntityKind kind) {
    return [&, kind](std::uint64_t id, auto record) -> Status {
      if (!record) return record.error();
      if (record->header.name_space == 0) return {};
      CAIRN_TRY(texts.add(kind, id, *record, reader, true));
      if (texts.memory_bytes() >= text_bytes_per_batch) texts.forget_postings();
      return {};
    };
  };
  CAIRN_TRY(for_each_node(store, *snapshot, visit(codec::EntityKind::node)));
  CAIRN_TRY(for_each_relationship(store, *snapshot, visit(codec::EntityKind::relationship)));
  return texts.put_statistics_by_space(batch);
}

Status add_statistics_by_space(RocksStore& store) {
  CAIRN_ASSIGN(const auto catalog, load_catalog(store));
  StoreBatch batch(store);
  CAIRN_TRY(count_texts_of_spaces(store, *catalog, batch));
  MetaWriter(batch).put_layout(to_string(Family::text),
                               *codec::layout_version(to_string(Family::text)));
  return store.write_local(batch, WriteMode::sync);
}

}  // namespace

Status upgrade_derived(RocksStore& store, Rebuild extent, std::vector<std::string>& remarks) {
  std::set<Family> outdated;
  for (const Family family : all_families) {
    const auto present = codec::layout_version(to_string(family));
    if (!present) continue;  // not a derived family
    CAIRN_ASSIGN(const std::uint32_t layout, MetaReader(store).layout(to_string(family)));
    if (extent == Rebuild::everything) outdated.insert(family);
    if (layout == *present) continue;
    if (family == Family::text && layout == text_without_name_spaces &&
        extent != Rebuild::everything) {
      if (extent == Rebuild::outdated) CAIRN_TRY(add_statistics_by_space(store));
      continue;
    }
    outdated.insert(family);
    // No remark: the family was empty (a database from before full-text indexes), or lacked only statistics.
    if (family == Family::text && (layout == 0 || layout == text_without_name_spaces)) continue;
    remarks.push_back("rebuilt " + std::string(to_string(family)) + ": its layout was " +
                      std::to_string(layout) + ", not " + std::to_string(*present));
  }
  if (outdated.empty()) return {};
  if (extent == Rebuild::nothing) {
    return Error{ErrorCode::unsupported,
                 "the indexes have the layout of another version; open the database for writing "
                 "once, which rebuilds them",
                 {}};
  }
  return Rebuilder(store, std::move(outdated), remarks).run();
}

void put_present_layouts(StoreBatch& batch) {
  MetaWriter meta(batch);
  for (const Family family : all_families) {
    const auto layout = codec::layout_version(to_string(family));
    if (layout) meta.put_layout(to_string(family), *layout);
  }
}

// Reads without a snapshot, as nothing is written while a database is opened.
Result<std::shared_ptr<const Catalog>> load_catalog(const RocksStore& store) {
  auto catalog = std::make_shared<Catalog>();
  Cursor cursor = store.scan(Family::catalog, {}, nullptr);
  for (; cursor.valid(); cursor.next()) {
    CAIRN_ASSIGN(const auto key, codec::decode_catalog_key(cursor.key()));
    if (auto loaded = catalog->load(key, cursor.value()); !loaded) {
      Error error = std::move(loaded).error();
      error.message += ": number " + std::to_string(key.id) + " of the catalog; restore a backup";
      return error;
    }
  }
  CAIRN_TRY(cursor.status());
  CAIRN_ASSIGN(const bool refused, MetaReader(store).paths_refused());
  if (refused) catalog->note_refused_path();
  return std::shared_ptr<const Catalog>(std::move(catalog));
}

}  // namespace cairn::engine
