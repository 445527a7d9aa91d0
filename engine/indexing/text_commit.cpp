// What a commit does to full-text indexes:
//
// new index        keys written before the commit (text_build.cpp), statistics with it
// changed texts    one segment in the write buffer, which is one key
// full buffer      its changes merged into the chunks of their terms ("fold" or flush), the buffer cleared
// dropped index    its keys erased after the commit
//
// The cache drops changed terms before the batch is written: the new commit is not visible yet, and
// readers of the old one cannot add changed terms again. Everything that is not written ahead is in
// the commit's batch, so statistics, write buffer and chunks belong to one commit.
#include "engine/indexing/text_commit.hpp"

#include "codec/keys.hpp"
#include "codec/text_posting.hpp"
#include "codec/text_segment.hpp"
#include "engine/fulltext/text_progress.hpp"
#include "engine/graph/embedding_model.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/graph/text_spaces.hpp"
#include "engine/indexing/text_build.hpp"
#include "engine/indexing/text_indexing_state.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/store/store_batch.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace cairn::engine {
namespace {

/// From this number of documents on, operands of a flush are not counted: RocksDB's write buffer
/// holds only a few hundred of them and merges them when it is full.
constexpr std::size_t uncounted_documents = 256;

/// From this number of documents on, a flush is written as a table file, bypassing RocksDB's log
/// and write buffer, while commits continue. A file costs a few syncs.
constexpr std::uint64_t filed_documents = 2'048;

/// From this number of documents on, a commit analyses half of them on another thread. Each half
/// becomes a segment. At this size the write buffer reaches its limits of documents and of segments
/// at the same time.
constexpr std::size_t shared_documents = 512;

/// Calls `visit` with the name of each term in the segment, as the cache has it.
template <class Visit>
void for_each_name(std::uint32_t id, const codec::TextSegment& segment, const Visit& visit) {
  std::string name;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    name = codec::text_index_prefix(id);
    name += segment[i].name;
    name.push_back('\0');
    visit(name);
  }
}

}  // namespace

void put_text_operands(std::uint32_t id, const TextChanges& changes, StoreBatch& batch) {
  changes.for_each_chunk(
      [&](std::string_view name, std::uint64_t chunk, const codec::TextPostings& postings) {
        batch.merge(Family::text, codec::text_chunk_key(id, name, chunk),
                    codec::encode_text_operand(postings));
      });
}

void put_text_statistics(std::uint32_t id, const codec::TextStatistics& statistics,
                         StoreBatch& batch) {
  batch.put(Family::text, codec::text_statistics_key(id),
            codec::encode_text_statistics(statistics));
}

// An index that the base state does not have is new, and is built over all records.
Status TextCommit::put(const GraphView& view, const WriteSet& write_set, State& next) {
  const State& base = view.state();
  next.texts = base.texts;
  next.text_cache = base.text_cache;
  next.text_progress = base.text_progress;
  drop_gone(base, next);
  for (const auto& [id, index] : next.catalog->indexes()) {
    if (!is_text(index)) continue;
    if (base.texts.contains(id))
      CAIRN_TRY(put_changed(id, index, view, write_set, next));
    else
      CAIRN_TRY(put_new(id, index, view, next));
  }
  return {};
}

// The keys of an id that is in no catalog are never read, so they need not be erased in this
// commit.
void TextCommit::drop_gone(const State& base, State& next) {
  for (const auto& [id, state] : base.texts) {
    if (next.catalog->indexes().contains(id)) continue;
    gone_.push_back(id);
    next.texts.erase(id);
    writing_.folds.erase(id);
    next.text_cache->drop_all(next.commit);
  }
}

// The erasures follow the commit in RocksDB's log, so a power failure cannot undo the commit and
// preserve erasures. If an erasure fails, the next commit and the next opening try again.
void TextCommit::finish() {
  writing_.unused.insert(gone_.begin(), gone_.end());
  static_cast<void>(erase_unused());
}

Status TextCommit::erase_unused() {
  while (!writing_.unused.empty()) {
    CAIRN_TRY(erase_text_keys(store_, mode_, *writing_.unused.begin(), piece_bytes_));
    writing_.unused.erase(writing_.unused.begin());
  }
  return {};
}

// The keys that were written ahead belong to no index now.
void TextCommit::withdraw(const State& base) {
  writing_.unused.insert(made_.begin(), made_.end());
  base.text_cache->withdraw(base.commit + 1);
}

Status TextCommit::put_new(std::uint32_t id, const codec::IndexEntry& index, const GraphView& view,
                           State& next) {
  CAIRN_ASSIGN(IndexDescription description, describe_index(view, id, index));
  CAIRN_ASSIGN(const codec::Bitmap members, index_members(index, view));
  next.text_progress->begin(std::move(description), members.cardinality());
  made_.push_back(id);
  CAIRN_ASSIGN(codec::TextStatistics statistics,
               build_text_index(store_, mode_, {id, index, members, view, piece_bytes_},
                                *next.text_progress, batch_));
  put_text_statistics(id, statistics, batch_);
  next.texts[id] = {std::move(statistics), {}};
  return {};
}

Result<TextCommit::Part> TextCommit::analyse(const codec::IndexEntry& index, const GraphView& view,
                                             std::span<const TouchedText> touched,
                                             TermDictionary& book) const {
  const RecordReader before(store_, *view.state().store, nullptr);
  CAIRN_ASSIGN(TextChanges changes,
               find_text_changes(index, touched, &before, view.records(), &book));
  TextSegmentPtr segment = changes.segment();
  return Part{std::move(changes), std::move(segment)};
}

// A deferred task has not started and needs no waiting.
TextCommit::~TextCommit() {
  constexpr std::chrono::seconds at_once(0);
  if (begun_.valid() && begun_.wait_for(at_once) != std::future_status::deferred) begun_.wait();
}

// One thread analyses for all indexes, since indexes of one language share a dictionary. If no
// thread can be started, its work is done when the result is needed.
void TextCommit::begin(const GraphView& view, const WriteSet& write_set, const State& next) {
  std::map<std::uint32_t, std::vector<TouchedText>> halves;
  for (const auto& [id, index] : next.catalog->indexes()) {
    if (!is_text(index) || !view.state().texts.contains(id)) continue;
    auto touched = texts_touched(index, write_set);
    if (touched.size() < shared_documents) continue;
    touched.resize(touched.size() / 2);
    halves[id] = std::move(touched);
  }
  if (halves.empty()) return;
  auto analyse_all = [this, &view, catalog = next.catalog, all = std::move(halves)] {
    Parts parts;
    for (const auto& [id, touched] : all) {
      const codec::IndexEntry& index = catalog->indexes().at(id);
      parts.emplace(id,
                    analyse(index, view, touched, writing_.other_books.of(index.text.language)));
    }
    return parts;
  };
  begun_ = writing_.beside.run(std::move(analyse_all));
}

Status TextCommit::put_changed(std::uint32_t id, const codec::IndexEntry& index,
                               const GraphView& view, const WriteSet& write_set, State& next) {
  const auto touched = texts_touched(index, write_set);
  if (touched.empty()) return {};
  // Documents that the other thread analyses.
  const std::size_t elsewhere = touched.size() < shared_documents ? 0 : touched.size() / 2;
  CAIRN_ASSIGN(const Part own, analyse(index, view, std::span(touched).subspan(elsewhere),
                                       writing_.books.of(index.text.language)));
  TextState& state = next.texts[id];
  Segments segments;
  std::vector<const TextChanges*> changes;
  const auto take = [&](const Part& part) {
    if (part.segment == nullptr) return;
    changes.push_back(&part.changes);
    segments.push_back(part.segment);
    state.statistics = part.changes.applied_to(std::move(state.statistics));
  };
  if (elsewhere > 0) {
    if (begun_.valid()) first_halves_ = begun_.get();
    const Result<Part>& first = first_halves_.at(id);
    if (!first) return first.error();
    take(*first);
  }
  take(own);
  if (segments.empty()) return {};
  next.text_cache->drop(next.commit, [&](const auto& drop_one) {
    for (const TextSegmentPtr& segment : segments) for_each_name(id, *segment, drop_one);
  });
  CAIRN_TRY(put_segments(id, segments, state.log));
  put_text_statistics(id, state.statistics, batch_);
  return put_statistics_of_spaces(id, index.properties.size(), changes, &store_, batch_);
}

// First completes a running flush if it is due, because that may make room.
Status TextCommit::put_segments(std::uint32_t id, const Segments& segments,
                                TextMemorySegment& log) {
  const std::size_t stored = log.segments().size();
  // The buffer is full and no flush is running: the process that ran the flush has ended. This
  // process may end early too, so it flushes at once.
  const bool is_left = log.is_full() && !writing_.folds.contains(id);
  for (const TextSegmentPtr& segment : segments) log.add(segment);
  CAIRN_TRY(end_fold(id, log));
  const bool has_lost = log.segments().size() < stored + segments.size();
  if (log.is_full() && !writing_.folds.contains(id)) {
    const std::size_t older =
        log.segments().size() - std::min(log.segments().size(), segments.size());
    if (is_left || !is_for_file(log, older)) {
      CAIRN_TRY(fold(id, log));
    } else {
      auto all = log.segments();
      all.resize(older);
      writing_.folds.try_emplace(id, store_, id, std::move(all));
      SortedFile::let_gather(store_, Family::text, true);
    }
  }
  put_log(id, log, stored, has_lost);
  return {};
}

// The newest segments are not committed yet, and may be too large to remain in memory.
bool TextCommit::is_for_file(const TextMemorySegment& log, std::size_t older) const {
  const std::uint64_t newer = log.documents(older);
  return mode_ != WriteMode::unlogged && log.documents() - newer >= filed_documents &&
         newer < codec::text_chunk_ids;
}

// A crash between this call and the commit leaves chunks with changes that the write buffer has
// too; applying these again changes nothing. A power failure must not lose the records from which
// the chunks were made, so the log is synced first.
//
// When a file is added depends on what was committed, not on when the file was complete, so that
// runs are reproducible.
Status TextCommit::end_fold(std::uint32_t id, TextMemorySegment& log) {
  const auto found = writing_.folds.find(id);
  if (found == writing_.folds.end() || !log.is_quarter_full(found->second.segments())) return {};
  auto fold = writing_.folds.extract(found);
  auto file = fold.mapped().take();
  // If writing the file failed, for instance because the disk was full, none of it is in the store,
  // and this commit flushes instead.
  if (!file) return this->fold(id, log);
  if (mode_ == WriteMode::async) CAIRN_TRY(store_.sync_log());
  CAIRN_TRY(store_.take_in(std::move(*file)));
  log.drop_first(fold.mapped().segments());
  return {};
}

// A running flush of the same segments is dropped with its file.
Status TextCommit::fold_all(State& next) {
  for (auto& [id, text] : next.texts) {
    writing_.folds.erase(id);
    const std::size_t stored = text.log.segments().size();
    if (stored == 0) continue;
    CAIRN_TRY(fold(id, text.log));
    put_log(id, text.log, stored, true);
  }
  return {};
}

// Merges all segments and clears the buffer.
Status TextCommit::fold(std::uint32_t id, TextMemorySegment& log) {
  const bool is_counted = log.documents() < uncounted_documents;
  for (SegmentMerge merge(log.segments()); merge.valid(); merge.next())
    CAIRN_TRY(put_chunk(codec::text_chunk_key(id, merge.name(), merge.chunk()), merge.operands(),
                        is_counted));
  log.clear();
  return {};
}

// Segments are numbered without gaps, so if the first ones were removed, all are stored again.
void TextCommit::put_log(std::uint32_t id, const TextMemorySegment& log, std::size_t stored,
                         bool has_lost) {
  const auto& segments = log.segments();
  for (std::size_t i = has_lost ? 0 : stored; i < segments.size(); ++i)
    batch_.put(Family::text, codec::text_segment_key(id, static_cast<std::uint32_t>(i)),
               segments[i]->bytes());
  for (std::size_t i = segments.size(); i < stored; ++i)
    batch_.erase(Family::text, codec::text_segment_key(id, static_cast<std::uint32_t>(i)));
}

// The counter reports when so many operands of a key have accumulated that reading them is slow.
Status TextCommit::put_chunk(const std::string& key, Operands operands, bool is_counted) {
  if (is_counted && writing_.operands.add(key)) return put_folded(key, operands);
  if (operands.size() == 1) {
    batch_.merge(Family::text, key, operands.front());
    return {};
  }
  CAIRN_ASSIGN(const std::string merged, codec::merge_text_operands(operands));
  batch_.merge(Family::text, key, merged);
  return {};
}

// Reading the newest value is safe: the writer lock is held, and each key occurs once in a commit.
Status TextCommit::put_folded(const std::string& key, Operands operands) {
  CAIRN_ASSIGN(const auto stored, store_.get(Family::text, key, nullptr));
  CAIRN_ASSIGN(const auto postings, codec::decode_text_chunk(stored ? *stored : std::string()));
  CAIRN_ASSIGN(const auto changes, codec::join_text_operands(operands));
  const std::string bytes =
      codec::encode_text_chunk(codec::apply_text_changes(postings, changes, false));
  if (bytes.empty())
    batch_.erase(Family::text, key);
  else
    batch_.put(Family::text, key, bytes);
  return {};
}

namespace {

// Writes the merged changes of all segments to a table file.
Result<SortedFile> write_file_of(const RocksStore& store, std::uint32_t id,
                                 const std::vector<TextSegmentPtr>& segments) {
  CAIRN_ASSIGN(SortedFile file,
               SortedFile::create(store, Family::text, "text" + std::to_string(id)));
  for (SegmentMerge merge(segments); merge.valid(); merge.next()) {
    const std::string key = codec::text_chunk_key(id, merge.name(), merge.chunk());
    if (merge.operands().size() == 1) {
      CAIRN_TRY(file.merge(key, merge.operands().front()));
      continue;
    }
    CAIRN_ASSIGN(const std::string merged, codec::merge_text_operands(merge.operands()));
    CAIRN_TRY(file.merge(key, merged));
  }
  CAIRN_TRY(file.finish());
  return file;
}

}  // namespace

// If no thread can be started, the work is done by take().
TextFlush::TextFlush(const RocksStore& store, std::uint32_t id,
                     std::vector<TextSegmentPtr> segments)
    : segments_(segments.size()),
      file_(std::async(
          std::launch::async | std::launch::deferred,
          [&store, id, all = std::move(segments)] { return write_file_of(store, id, all); })) {}

}  // namespace cairn::engine
