// new index        pieces ahead of the commit (text_build.cpp), statistics with it
// changed texts    one segment of the log, one key
// full log         its operands merged into the chunks of their terms, the log cleared
// dropped index    its keys erased in the same commit
//
// The cache forgets what changes before the batch is written: nobody reads the new commit yet, and
// readers of the old one bring in nothing that it changes. Everything but what is written ahead
// goes into the commit's batch, so statistics, log and chunks are of one commit.
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

/// From so many documents on the operands of a fold are not counted: the write buffer holds only a few
/// hundred of them, and folds them when it is full.
constexpr std::size_t uncounted_documents = 256;

/// From so many documents on a fold is written as a file, past the log and the write buffer, while commits
/// go on: a file costs a few syncs.
constexpr std::uint64_t filed_documents = 2'048;

/// From so many documents on a commit analyses half of them on another thread. Each half is a segment of
/// its own: at this size the log is full by documents and by segments at once.
constexpr std::size_t shared_documents = 512;

/// Calls back with the cache's name of each term in the segment.
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

// Nobody finds the keys once no catalog has their number, so that they need not go in this commit.
void TextCommit::drop_gone(const State& base, State& next) {
  for (const auto& [id, state] : base.texts) {
    if (next.catalog->indexes().contains(id)) continue;
    gone_.push_back(id);
    next.texts.erase(id);
    writing_.folds.erase(id);
    next.text_cache->drop_all(next.commit);
  }
}

// In the order of the log, so that no power cut leaves an index without some of its keys. Where it fails the next
// commit tries again, and the next opening.
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

TextCommit::~TextCommit() {
  constexpr std::chrono::seconds at_once(0);
  if (begun_.valid() && begun_.wait_for(at_once) != std::future_status::deferred) begun_.wait();
}

// One thread for all indexes, as those of one language share a book. Where no thread can be had its work is
// done when it is asked for.
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

Status TextCommit::put_segments(std::uint32_t id, const Segments& segments,
                                TextMemorySegment& log) {
  const std::size_t stored = log.segments().size();
  // The log is full and no flush runs: the process of the flush ended, and this one may end as soon.
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

// The last ones are not committed yet, and may be too large to be cached.
bool TextCommit::is_for_file(const TextMemorySegment& log, std::size_t older) const {
  const std::uint64_t newer = log.documents(older);
  return mode_ != WriteMode::unlogged && log.documents() - newer >= filed_documents &&
         newer < codec::text_chunk_ids;
}

// A crash between this and the commit leaves chunks that have what the log has too, which is laid over them
// once more. A power cut must not take what they have from the records: that is brought to disk before.
// When a file is taken in depends on what was committed, not on when it was ready.
Status TextCommit::end_fold(std::uint32_t id, TextMemorySegment& log) {
  const auto found = writing_.folds.find(id);
  if (found == writing_.folds.end() || !log.is_quarter_full(found->second.segments())) return {};
  auto fold = writing_.folds.extract(found);
  auto file = fold.mapped().take();
  // A disk that was full meanwhile, say: nothing of the file is in the store, so that this commit has it.
  if (!file) return this->fold(id, log);
  if (mode_ == WriteMode::async) CAIRN_TRY(store_.sync_log());
  CAIRN_TRY(store_.take_in(std::move(*file)));
  log.drop_first(fold.mapped().segments());
  return {};
}

// A file that is being written of the same segments is thrown away.
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

Status TextCommit::fold(std::uint32_t id, TextMemorySegment& log) {
  const bool is_counted = log.documents() < uncounted_documents;
  for (SegmentMerge merge(log.segments()); merge.valid(); merge.next())
    CAIRN_TRY(put_chunk(codec::text_chunk_key(id, merge.name(), merge.chunk()), merge.operands(),
                        is_counted));
  log.clear();
  return {};
}

// Numbers have no gap, so that all get others where the first ones went.
void TextCommit::put_log(std::uint32_t id, const TextMemorySegment& log, std::size_t stored,
                         bool has_lost) {
  const auto& segments = log.segments();
  for (std::size_t i = has_lost ? 0 : stored; i < segments.size(); ++i)
    batch_.put(Family::text, codec::text_segment_key(id, static_cast<std::uint32_t>(i)),
               segments[i]->bytes());
  for (std::size_t i = segments.size(); i < stored; ++i)
    batch_.erase(Family::text, codec::text_segment_key(id, static_cast<std::uint32_t>(i)));
}

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

// Reading the newest value is safe: the turn is ours, and each key comes once in a commit.
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

// Where no thread can be had the work is done by who waits for it.
TextFlush::TextFlush(const RocksStore& store, std::uint32_t id,
                     std::vector<TextSegmentPtr> segments)
    : segments_(segments.size()),
      file_(std::async(
          std::launch::async | std::launch::deferred,
          [&store, id, all = std::move(segments)] { return write_file_of(store, id, all); })) {}

}  // namespace cairn::engine
