// Checks of property, full-text and vector indexes against the records, and the search for the end of an unreadable range.
#include "engine/check/index_checks.hpp"

#include "codec/byte_io.hpp"
#include "codec/format_version.hpp"
#include "codec/hex.hpp"
#include "codec/posting.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/graph/record_postings.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/index/posting_name.hpp"
#include "engine/store/meta.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace cairn::engine {

// --- reading past damage ---
//
// An iterator of RocksDB stops at a block that it cannot read, but a new iterator that begins after the block works. The
// end of the block is unknown, so it is searched for: first in steps that double, then by bisection.

bool lies_in(const IdGaps& gaps, std::uint64_t id) {
  return std::ranges::any_of(gaps, [&](const IdGap& gap) { return gap.contains(id); });
}

IdGap skip_damage(Cursor& cursor, std::uint64_t from,
                  const std::function<Cursor(std::uint64_t)>& scan_from) {
  // Creates a cursor each time, because a cursor that met damage may stay in the error state.
  const auto reads_at = [&](std::uint64_t id) {
    cursor = scan_from(id);
    return cursor.status().has_value();
  };
  // An empty gap: only data that belongs to the last id is unreadable, such as its large texts.
  if (reads_at(from)) return {from, from};
  std::uint64_t fails = from;
  std::uint64_t step = 1;
  while (!reads_at(fails + step)) {
    fails += step;
    if (fails > std::numeric_limits<std::uint64_t>::max() / 4) return {from};
    step *= 2;
  }
  std::uint64_t reads = fails + step;
  while (reads - fails > 1) {
    const std::uint64_t middle = fails + (reads - fails) / 2;
    (reads_at(middle) ? reads : fails) = middle;
  }
  static_cast<void>(reads_at(reads));
  return {from, reads};
}

// --- property indexes ---
//
// One pass over the index collects the postings of the entities in question. The expected postings are derived from the
// records.

namespace {

using codec::EntityKind;

/// True if a byte, the first of an index key, is a valid kind of entity.
bool is_kind(char byte) {
  const auto kind = static_cast<EntityKind>(byte);
  return kind == EntityKind::node || kind == EntityKind::relationship;
}

/// Returns the postings that the record implies; no postings if the record does not exist.
Result<PostingNames> expected_postings(const GraphView& view, EntityKind kind, std::uint64_t id) {
  Derived derived;
  if (kind == EntityKind::node) {
    CAIRN_ASSIGN(const auto record, view.find_node(id));
    if (!record) return PostingNames();
    CAIRN_ASSIGN(derived, derive(id, *record, view.records(), view.catalog()));
  } else {
    CAIRN_ASSIGN(const auto record, view.find_relationship(id));
    if (!record) return PostingNames();
    CAIRN_ASSIGN(derived, derive(id, *record, view.records(), view.catalog()));
  }
  if (derived.damage) return *derived.damage;
  return std::move(derived.postings);
}

/// Reports the entries that only one side has.
void compare(const std::string& place, const PostingNames& expected,
             const std::set<std::string>& present, const Catalog& catalog, const Report& report) {
  for (const std::string& name : expected) {
    if (present.contains(name)) continue;
    report(place, "its index entry " + posting_text(name, catalog) + " is missing");
  }
  for (const std::string& name : present) {
    if (std::binary_search(expected.begin(), expected.end(), name)) continue;
    report(place, "it should not have the index entry " + posting_text(name, catalog));
  }
}

}  // namespace

Status for_each_posting(const RocksStore& store, const StoreSnapshot& snapshot,
                        const Report& report, const PostingVisit& visit) {
  Cursor cursor = store.scan(Family::index, {}, &snapshot);
  for (; cursor.valid(); cursor.next()) {
    const std::string_view key = cursor.key();
    const auto container = codec::decode_posting(cursor.value());
    if (key.size() < min_index_key_bytes || !is_kind(key.front()) || !container) {
      report("index key " + codec::hex_text(key), "it is damaged");
      continue;
    }
    visit(posting_of_key(key), codec::chunk_of_index_key(key), *container);
  }
  return cursor.status();
}

Status compare_postings(const GraphView& view, const RocksStore& store, EntityKind kind,
                        const std::vector<std::uint64_t>& ids, const Report& report) {
  std::map<std::uint64_t, std::set<std::string>> present;
  const auto gather = [&](std::string_view name, std::uint64_t chunk,
                          const codec::Container& container) {
    if (static_cast<EntityKind>(name.front()) != kind) return;
    for (const std::uint64_t id : ids) {
      // Tests every id in question against each chunk: there are at most as many ids as findings.
      if (id >> 16 != chunk || !container.contains(static_cast<std::uint16_t>(id))) continue;
      present[id].emplace(name);
    }
  };
  // Damaged keys were reported by the first pass.
  const Report silent = [](const std::string&, const std::string&) {};
  CAIRN_TRY(for_each_posting(store, *view.state().store, silent, gather));
  for (const std::uint64_t id : ids) {
    const auto expected = expected_postings(view, kind, id);
    if (expected) compare(entity_text(kind, id), *expected, present[id], view.catalog(), report);
    // If the record cannot be read, it was reported already.
  }
  return {};
}

// --- full-text indexes ---
//
// Texts and postings are compared as two multisets of facts (document, term, positions, length), by sums of hashes. This
// takes one pass over the records, one over the stored chunks, no sorting, and eight bytes for each document. Changes in the
// log of recent commits are applied to the chunks on the way, as readers do. A sum that is not zero identifies the document,
// but not the wrong term.

namespace {

using Report = std::function<void(std::string, std::string)>;

/// Encodes a posting as a fact: the term, its positions, and the length of the field in words. The name of a posting ends
/// with a zero byte, so two different facts never have the same bytes.
std::string fact(std::string_view name, std::uint32_t words,
                 std::span<const std::uint32_t> positions) {
  std::string bytes(name);
  codec::append_varint(bytes, words);
  for (const std::uint32_t position : positions) codec::append_varint(bytes, position);
  return bytes;
}

/// One index during the check: the facts of the records, from which the facts of the index are subtracted.
struct Expected {
  const codec::IndexEntry* entry;
  Analyzer analyzer;
  EntityHashes sums;
  codec::TextStatistics statistics;
  std::map<std::string, codec::TextPostings> log{};  // by key of a chunk: changes not in it yet
  std::map<std::uint32_t, codec::TextStatistics> spaces{};  // by namespace, see text_spaces.hpp

  /// Adds the facts of one document.
  void add(std::uint32_t index, std::uint64_t id, std::uint32_t name_space,
           const TextDocument& document) {
    for (std::size_t i = 0; i < document.size(); ++i) {
      if (document[i].words == 0) continue;
      count(statistics, i, document[i].words);
      if (name_space != 0) {
        count(spaces[name_space], i, document[i].words);
        count(spaces[0], i, document[i].words);
      }
      for (const auto& [term, positions] : document[i].terms)
        sums.add(id, fact(codec::text_term_prefix(index, static_cast<std::uint8_t>(i + 1), term),
                          document[i].words, positions));
    }
  }

 private:
  void count(codec::TextStatistics& counts, std::size_t field, std::uint32_t words) const {
    counts.resize(statistics.size());
    ++counts[field].documents;
    counts[field].words += words;
  }
};

/// The check of all full-text indexes.
class Check {
 public:
  Check(const GraphView& view, const RocksStore& store, const Report& report)
      : view_(view), store_(store), report_(report) {
    for (const auto& [id, index] : view.catalog().indexes()) {
      if (index.kind != codec::IndexKind::full_text) continue;
      indexes_.emplace(id, Expected{&index,
                                    Analyzer(analyzer_options(index.text)),
                                    {},
                                    codec::TextStatistics(index.properties.size()),
                                    {}});
    }
  }

  Status run(std::size_t limit) {
    if (!indexes_.empty()) CAIRN_TRY(read_records());
    for (auto& [id, expected] : indexes_)
      if (const Status read = read_log(id, expected); !read)
        report_("full-text index " + expected.entry->name,
                "the log of its last commits is damaged: " + read.error().message);
    CAIRN_TRY(read_postings());
    for (const auto& [id, expected] : indexes_) report_differences(id, expected, limit);
    return {};
  }

 private:
  Status read_records() {
    const StoreSnapshot& snapshot = *view_.state().store;
    const auto add = [&](codec::EntityKind kind) {
      return [this, kind](std::uint64_t id, const auto& record) -> Status {
        // A record that cannot be decoded is reported elsewhere. It has no texts here, so its postings are reported as
        // wrong.
        return record ? add_record(kind, id, *record) : Status();
      };
    };
    CAIRN_TRY(for_each_node(store_, snapshot, add(codec::EntityKind::node)));
    return for_each_relationship(store_, snapshot, add(codec::EntityKind::relationship));
  }

  template <class Record>
  Status add_record(codec::EntityKind kind, std::uint64_t id, const Record& record) {
    for (auto& [number, expected] : indexes_) {
      if (expected.entry->entity != kind) continue;
      const auto texts = TextMembers(*expected.entry, view_.records()).read(id, record);
      if (texts && *texts)
        expected.add(number, id, (*texts)->name_space,
                     make_document(expected.analyzer, (*texts)->fields));
    }
    return {};
  }

  /// Reads the log of an index from the store, and compares it with the log that readers have in memory.
  Status read_log(std::uint32_t id, Expected& expected) const {
    CAIRN_ASSIGN(const TextMemorySegment log,
                 load_text_memory_segments(store_, id, &*view_.state().store));
    for (SegmentMerge merge(log.segments()); merge.valid(); merge.next()) {
      CAIRN_ASSIGN(auto changes, codec::join_text_operands(merge.operands()));
      expected.log[codec::text_chunk_key(id, merge.name(), merge.chunk())] = std::move(changes);
    }
    const auto state = view_.state().texts.find(id);
    // The stored log must equal the log in memory byte by byte, because the next opening of the database reads it.
    const bool is_known =
        state != view_.state().texts.end() &&
        std::ranges::equal(log.segments(), state->second.log.segments(),
                           [](const auto& a, const auto& b) { return a->bytes() == b->bytes(); });
    return is_known ? Status() : codec::corruption("it differs from the log in memory");
  }

  /// Subtracts the stored postings, with the changes of the log.
  Status read_postings() {
    std::set<std::uint32_t> unknown;
    Cursor cursor = store_.scan(Family::text, {}, &*view_.state().store);
    for (; cursor.valid(); cursor.next()) {
      const auto key = codec::decode_text_key(cursor.key());
      const auto index = key ? indexes_.find(key->index) : indexes_.end();
      if (!key)
        report_("text index key " + codec::hex_text(cursor.key()), "it is damaged");
      else if (index == indexes_.end())
        unknown.insert(key->index);
      else if (key->name_space)
        compare(*key->name_space, cursor.value(), index->second);
      else if (key->field != 0)
        subtract(cursor.key(), cursor.value(), index->second);
    }
    CAIRN_TRY(cursor.status());
    for (const std::uint32_t id : unknown)
      report_("text index " + std::to_string(id),
              "it was never finished; opening the database for writing erases it");
    for (auto& [id, expected] : indexes_)
      // Terms that only the log has: the scan met no chunk of them.
      while (!expected.log.empty())
        subtract(std::string(expected.log.begin()->first), {}, expected);
    return {};
  }

  /// True if the database has an older layout of family `text` without statistics by namespace. Such a database may be open
  /// for reading; opening it for writing adds them.
  [[nodiscard]] bool lacks_spaces() const {
    const auto layout = MetaReader(store_).layout(to_string(Family::text));
    return layout && *layout != codec::layout_version(to_string(Family::text));
  }

  /// Compares stored statistics of a namespace, and removes them from the expected ones. Those that remain at the end are
  /// missing in the store.
  void compare(std::uint32_t name_space, std::string_view value, Expected& expected) {
    const auto statistics = codec::decode_text_statistics(value);
    const auto found = expected.spaces.extract(name_space);
    if (!statistics || !found || *statistics != found.mapped())
      report_("full-text index " + expected.entry->name,
              "its counts of documents and words of a namespace are wrong");
  }

  /// Subtracts a chunk, after applying the changes that the log has for it.
  void subtract(std::string_view bytes, std::string_view value, Expected& expected) {
    const auto key = codec::decode_text_key(bytes);
    auto postings = codec::decode_text_chunk(value);
    if (!key || !postings) {
      report_("full-text index " + expected.entry->name,
              "its postings of \"" + (key ? std::string(key->term) : "?") + "\" are damaged");
      return;
    }
    if (auto changes = expected.log.extract(std::string(bytes)))
      postings = codec::apply_text_changes(*postings, changes.mapped(), false);
    for (const codec::TextEntry& entry : postings->entries) {
      const auto at = std::span(postings->positions).subspan(entry.first, entry.frequency);
      expected.sums.subtract(key->chunk << codec::text_chunk_bits | entry.low,
                             fact(key->name, entry.length, at));
    }
  }

  void report_differences(std::uint32_t id, const Expected& expected, std::size_t limit) {
    const std::string place = "full-text index " + expected.entry->name;
    for (const std::uint64_t entity : expected.sums.differing(limit))
      report_(place, "its postings of " + entity_text(expected.entry->entity, entity) +
                         " do not match its texts");
    const auto stored = view_.state().texts.find(id);
    if (stored == view_.state().texts.end() || stored->second.statistics != expected.statistics)
      report_(place, "its counts of documents and words are wrong");
    if (!expected.spaces.empty() && !lacks_spaces())
      report_(place, "its counts of documents and words of a namespace are missing");
  }

  const GraphView& view_;
  const RocksStore& store_;
  const Report& report_;
  std::map<std::uint32_t, Expected> indexes_;
};

}  // namespace

Status check_texts(const GraphView& view, const RocksStore& store, std::size_t limit,
                   const Report& report) {
  return Check(view, store, report).run(limit);
}

// --- vector indexes ---
//
// Every member is looked up in its index. If all are found and the index is larger than their number, it has vectors of
// entities that are not members. Cost: one pass over the vectors of the members.

namespace {

Status check_vector_state(const GraphView& view, const codec::IndexEntry& entry,
                          const VectorState& state, const Report& report) {
  CAIRN_ASSIGN(const auto members, VectorMembers::of(entry, view.records(), view.postings()));
  std::uint64_t count = 0;
  for (const std::uint64_t id : members.grouped().to_vector()) {
    const auto vector = members.find(id);
    // Not a member, or damaged, which was reported with the record.
    if (!vector || !*vector) continue;
    ++count;
    if (state.find(id)) continue;
    report("vector index " + entry.name, "it lacks " + entity_text(entry.entity, id));
  }
  if (state.size() != count) {
    report("vector index " + entry.name, "it has " + std::to_string(state.size()) +
                                             " vectors, and its members have " +
                                             std::to_string(count));
  }
  return {};
}

}  // namespace

Status check_vectors(const GraphView& view, const Report& report) {
  for (const auto& [id, entry] : view.catalog().indexes()) {
    if (entry.kind != codec::IndexKind::vector) continue;
    const auto state = view.state().vectors.find(id);
    if (state == view.state().vectors.end()) {
      report("vector index " + entry.name, "it is not loaded");
      continue;
    }
    CAIRN_TRY(check_vector_state(view, entry, *state->second, report));
  }
  return {};
}

}  // namespace cairn::engine
