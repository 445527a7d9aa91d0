// Derived families rebuilt from records. Crash safety without a copy of anything:
//
//   trial pass        every record is read and derived; if one cannot be, nothing was changed
//   layouts := 0      synced: from here on an opening starts again
//   clear             a family dropped with its files, and made empty
//   writing pass      operands in batches, async
//   layouts := now    in the last batch, synced, which also syncs the log before it
//
// A large text that is damaged is indexed as it lies, and one that is lost is left out, with a remark:
// set again, it is whole. Anything else that cannot be read ends the rebuilding before it begins.
//
// Truth is not touched at any point. Memory: the postings of 10,000 records or 64 MiB of texts.
// Cost: two passes over the records; runs at open, before anybody else can see the store.
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

namespace cairn::engine {
namespace {

/// Records whose postings are gathered before they are written as one operand a posting.
constexpr std::size_t records_per_batch = 10'000;
/// Postings of texts that are gathered: fewer records, where texts are long.
constexpr std::size_t text_bytes_per_batch = std::size_t{64} << 20;

/// Writes what records say into the families that are to be rebuilt.
class Rebuilder {
 public:
  Rebuilder(RocksStore& store, std::set<Family> families, std::vector<std::string>& remarks)
      : store_(store), families_(std::move(families)), batch_(store), remarks_(remarks) {}

  // The records are read twice: what cannot be rebuilt must not be cleared.
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

  /// A database from before there were full-text indexes has none to make.
  [[nodiscard]] bool needs_records() const {
    return families_.size() > 1 || !texts_ || !texts_->empty();
  }

  /// Work out what each record says. Errors: those of the first record that cannot be read.
  Status for_each_derived(const Catalog& catalog, Pass pass) {
    // A snapshot for each pass: the families that are read, records, do not change between them.
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

  void note_damage(const Error& damage) {
    constexpr std::size_t most_remarks = 100;
    if (++damaged_ <= most_remarks)
      remarks_.push_back(damage.message + "; it stays so until it is set again");
  }

  /// On disk before the first family is cleared: an open after an interruption starts again.
  Status mark_outdated() {
    StoreBatch batch(store_);
    for (const Family family : families_) MetaWriter(batch).put_layout(to_string(family), 0);
    return store_.write_local(batch, WriteMode::sync);
  }

  /// Gathers; see records_per_batch.
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

  /// Only what is rebuilt may be written, the rest is sound as it is.
  void put_if_wanted(Family family, const std::string& key) {
    if (families_.contains(family)) batch_.put(family, key, "");
  }

  /// One operand a posting chunk for all records gathered.
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
    // Gathered by posting: a label that 10,000 records have becomes one operand a chunk, not
    // 10,000.
    postings_ = PostingWriteSet();
    if (texts_) texts_->put_postings(batch_);
    CAIRN_TRY(store_.write_local(batch_, WriteMode::async));
    batch_.clear();
    return {};
  }

  /// A vector file older than this cannot be brought up to date by a log that lost its entries.
  Status mark_vector_log(const Catalog& catalog) {
    if (!families_.contains(Family::vector_log)) return {};
    CAIRN_ASSIGN(const std::uint64_t commit, MetaReader(store_).commit());
    for (const auto& [space, entry] : catalog.spaces()) {
      batch_.put(Family::vector_log, codec::vector_log_key(space, commit), "");
    }
    return {};
  }

  /// The layouts last: until they are there, the next open starts again.
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
  std::optional<TextRebuild> texts_;
  std::size_t records_ = 0;
  std::vector<std::string>& remarks_;
  std::size_t damaged_ = 0;
};

}  // namespace

namespace {

/// Layout 3 of `text` added statistics by namespace: a database with the default one alone has none, and elsewhere
/// they are counted beside what is there. A reader takes those of all documents until then.
constexpr std::uint32_t text_without_name_spaces = 2;

/// Reads every record of a namespace, and analyses its texts.
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
    if (!present) continue;  // truth
    CAIRN_ASSIGN(const std::uint32_t layout, MetaReader(store).layout(to_string(family)));
    if (extent == Rebuild::everything) outdated.insert(family);
    if (layout == *present) continue;
    if (family == Family::text && layout == text_without_name_spaces &&
        extent != Rebuild::everything) {
      if (extent == Rebuild::outdated) CAIRN_TRY(add_statistics_by_space(store));
      continue;
    }
    outdated.insert(family);
    // From before it, when nothing was in it, or sound but for statistics.
    if (family == Family::text && (layout == 0 || layout == text_without_name_spaces)) continue;
    remarks.push_back("rebuilt " + std::string(to_string(family)) + ": its layout was " +
                      std::to_string(layout) + ", not " + std::to_string(*present));
  }
  if (outdated.empty()) return {};
  if (extent == Rebuild::nothing) {
    return Error{ErrorCode::unsupported,
                 "the indexes have another layout; open the database for writing once, which "
                 "rebuilds them",
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

// The newest state: asked at open, before there are snapshots.
Result<std::shared_ptr<const Catalog>> load_catalog(const RocksStore& store) {
  auto catalog = std::make_shared<Catalog>();
  Cursor cursor = store.scan(Family::catalog, {}, nullptr);
  for (; cursor.valid(); cursor.next()) {
    CAIRN_ASSIGN(const auto key, codec::decode_catalog_key(cursor.key()));
    CAIRN_TRY(catalog->load(key, cursor.value()));
  }
  CAIRN_TRY(cursor.status());
  CAIRN_ASSIGN(const bool refused, MetaReader(store).paths_refused());
  if (refused) catalog->note_refused_path();
  return std::shared_ptr<const Catalog>(std::move(catalog));
}

}  // namespace cairn::engine
