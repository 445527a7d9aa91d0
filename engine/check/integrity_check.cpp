// The check has three steps:
//
// expect    one pass over the records adds the facts that they imply: postings, adjacency, external ids, vectors, texts,
//           counts
// compare   one pass over each derived family subtracts the facts that it holds
// report    entities whose sums are not zero are reported
//
// A fact is a 64-bit hash, and facts are summed by entity, so all sums of a correct family end at zero. Two wrong facts of
// one entity cancel only with a chance of 2^-64. Memory is eight bytes for each entity and kind of fact, whatever the number
// of facts. A second pass over the property index is made only if sums differ, to name the wrong entries.
//
// The check reads one published state; commits continue meanwhile. Data that cannot be decoded is a finding. Data that
// cannot be read because a file is damaged is a finding too:
//
// - For records and vectors the check reports the ranges of unreadable ids (gaps), and ignores these ids from then on.
// - A derived family with a damaged file is not compared.
//
// Any other failure to read ends the check with an error.
#include "engine/check/integrity_check.hpp"

#include "codec/byte_io.hpp"
#include "codec/hex.hpp"
#include "codec/posting.hpp"
#include "engine/check/index_checks.hpp"
#include "engine/graph/constraint_check.hpp"
#include "engine/graph/record_postings.hpp"
#include "engine/system/clock.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <set>

namespace cairn::engine {
namespace {

using codec::EntityKind;

constexpr EntityKind both_kinds[] = {EntityKind::node, EntityKind::relationship};

/// The index into arrays with an element for nodes and one for relationships. Their ids are separate number spaces.
std::size_t slot(EntityKind kind) { return kind == EntityKind::node ? 0 : 1; }

/// The fact that a record has this large text, stored under this key.
std::string text_fact(std::string_view key, const codec::TextReference& text) {
  std::string fact(key);
  codec::append_big(fact, text.bytes);
  codec::append_big(fact, text.hash);
  return fact;
}

/// One run of the check.
class Checker {
 public:
  Checker(RocksStore& store, PostingCache& cache, const StatePtr& state, std::size_t limit)
      : store_(store), state_(state), view_(store, cache, state), limit_(limit) {}

  Result<std::vector<Finding>> run() {
    CAIRN_TRY(read_files());
    CAIRN_TRY(read_records());
    CAIRN_TRY(unless_damaged(Family::index, read_index()));
    CAIRN_TRY(unless_damaged(Family::adj_out, read_adjacency(Family::adj_out, adj_out_)));
    CAIRN_TRY(unless_damaged(Family::adj_in, read_adjacency(Family::adj_in, adj_in_)));
    CAIRN_TRY(unless_damaged(Family::external_ids, read_external_ids()));
    CAIRN_TRY(read_vectors());
    for (const EntityKind kind : both_kinds) {
      leave_out_gaps(kind);
      leave_out_vectors(kind);
    }
    if (!unread_.contains(Family::index)) CAIRN_TRY(report_postings());
    report_sums();
    report_counters();
    CAIRN_TRY(check_vector_indexes());
    CAIRN_TRY(check_text_indexes());
    CAIRN_TRY(check_packed());
    CAIRN_TRY(check_constraints());
    if (findings_.size() > limit_) findings_.resize(limit_);
    return std::move(findings_);
  }

 private:
  void report(std::string place, std::string problem) {
    if (findings_.size() < limit_) findings_.push_back({std::move(place), std::move(problem)});
  }

  Report reporter() {
    return [this](std::string place, std::string problem) {
      report(std::move(place), std::move(problem));
    };
  }

  // --- expect: facts that records imply ---

  /// Reports damaged files. Runs first, as later steps must know whether a failed scan is due to one of them.
  Status read_files() {
    CAIRN_ASSIGN(const auto files, store_.damaged_files());
    for (const DamagedFile& file : files) {
      damaged_.insert(file.family);
      const Finding finding = finding_of(file, files);
      report(finding.place, finding.problem);
    }
    return {};
  }

  /// Turns the failure to read a derived family into a finding, if the family is damaged. The family is not compared then.
  Status unless_damaged(Family family, Status read) {
    if (read) return read;
    const bool is_known = damaged_.contains(family);  // read_files() reported the damage already
    if (!is_known && read.error().code != ErrorCode::corruption) return read;
    unread_.insert(family);
    report("family " + std::string(to_string(family)),
           "it is not compared with the records, as it cannot be read" +
               (is_known ? "" : ": " + read.error().message));
    return {};
  }

  // Nodes are read first, as relationships are checked against the set of existing nodes.
  Status read_records() {
    CAIRN_TRY(read_records(EntityKind::node, [&](std::uint64_t id, std::string_view bytes) {
      auto record = codec::decode_node_record(bytes);
      if (record && !record->external_id.empty()) {
        external_ids_.add(id,
                          codec::external_id_key(record->header.name_space, record->external_id));
      }
      add_record(EntityKind::node, id, std::move(record));
    }));
    return read_records(EntityKind::relationship, [&](std::uint64_t id, std::string_view bytes) {
      auto record = codec::decode_relationship_record(bytes);
      if (record) expect_adjacency(id, *record);
      add_record(EntityKind::relationship, id, std::move(record));
    });
  }

  void expect_adjacency(std::uint64_t id, const codec::RelationshipRecord& record) {
    adj_out_.add(id, codec::adjacency_key({record.source, record.type, record.target, id}));
    adj_in_.add(id, codec::adjacency_key({record.target, record.type, record.source, id}));
    // A node with a damaged record counts as existing; the damage is a finding of its own.
    for (const std::uint64_t end : {record.source, record.target}) {
      if (live_nodes_.contains(end) || lies_in(gaps_[slot(EntityKind::node)], end)) continue;
      report(entity_text(EntityKind::relationship, id),
             "it ends at " + entity_text(EntityKind::node, end) + ", which does not exist");
    }
  }

  /// Reads the records of a kind and the large texts between them, and skips unreadable ranges.
  template <class Visit>
  Status read_records(EntityKind kind, const Visit& visit) {
    const auto scan_from = [&](std::uint64_t id) {
      return store_.scan(records_of(kind), {codec::record_key(id), ""}, &*state_->store);
    };
    Cursor cursor = scan_from(0);
    std::uint64_t next = 0;  // one more than the last id that was read
    while (true) {
      for (; cursor.valid(); cursor.next()) {
        const bool is_text = codec::large_text_property(cursor.key()).has_value();
        if (!is_text && !codec::is_hot_record_key(cursor.key())) continue;
        CAIRN_ASSIGN(const std::uint64_t id, codec::decode_record_key(cursor.key()));
        next = id + 1;
        if (is_text)
          read_large_text(kind, id, cursor);
        else
          visit(id, cursor.value());
      }
      if (auto read = cursor.status(); read || !damaged_.contains(records_of(kind))) return read;
      gaps_[slot(kind)].push_back(skip_damage(cursor, next, scan_from));
      if (!cursor.status()) return {};
      next = gaps_[slot(kind)].back().end;
    }
  }

  /// Adds the facts of one record. A record that cannot be decoded is a finding.
  template <class Record>
  void add_record(EntityKind kind, std::uint64_t id, Result<Record> record) {
    if (kind == EntityKind::node) live_nodes_.add(id);
    if (!record) {
      report(entity_text(kind, id), record.error().message);
      return;
    }
    const auto derived = derive(id, *record, view_.records(), *state_->catalog);
    if (!derived) {
      report(entity_text(kind, id), derived.error().message);
      return;
    }
    // With a damaged large text the expected postings are unknown: they may be of the original text or of what is stored
    // now. All other facts are known.
    if (derived->damage)
      report(entity_text(kind, id), derived->damage->message);
    else
      for (const std::string& name : derived->postings) postings_[slot(kind)].add(id, name);
    counters_.add(derived->counters);
    for (const codec::StoredProperty& property : record->properties) {
      const auto* vector = std::get_if<codec::VectorReference>(&property.value);
      if (vector != nullptr) {
        vectors_[slot(kind)].add(id, codec::vector_key(vector->space, kind, id));
      }
      const auto* text = std::get_if<codec::TextReference>(&property.value);
      if (text != nullptr) {
        texts_[slot(kind)].add(id, text_fact(codec::large_text_key(id, property.key), *text));
      }
    }
  }

  // --- compare: facts that exist ---

  /// Subtracts a large text, which is stored next to its record. The sum stays non-zero if the record does not name the
  /// text, or names it with another size or hash.
  void read_large_text(EntityKind kind, std::uint64_t id, const Cursor& cursor) {
    const codec::TextReference text{cursor.value().size(), codec::checksum(cursor.value())};
    texts_[slot(kind)].subtract(id, text_fact(cursor.key(), text));
  }

  /// Subtracts the entries of the property index.
  Status read_index() {
    const auto visit = [&](std::string_view name, std::uint64_t chunk,
                           const codec::Container& container) {
      const auto kind = static_cast<EntityKind>(name.front());
      if (!gaps_[slot(kind)].empty() && name == system_posting(kind, codec::SystemPath::all))
        note_lost(kind, chunk, container);
      EntityHashes& sums = postings_[slot(kind)];
      // Hashed once for all ids of the posting.
      const std::uint64_t hash = codec::checksum(name);
      container.for_each([&](std::uint16_t low) { sums.subtract_hash(chunk << 16 | low, hash); });
    };
    return for_each_posting(store_, *state_->store, reporter(), visit);
  }

  // Subtracts each entry from the facts that the records added; see EntityHashes.
  Status read_adjacency(Family family, EntityHashes& sums) {
    Cursor cursor = store_.scan(family, {}, &*state_->store);
    for (; cursor.valid(); cursor.next()) {
      const auto key = codec::decode_adjacency_key(cursor.key());
      if (key)
        sums.subtract(key->relationship, cursor.key());
      else
        report(std::string(to_string(family)) + " " + codec::hex_text(cursor.key()),
               "it is damaged");
    }
    return cursor.status();
  }

  // Subtracts each entry from the facts that the records added; see EntityHashes.
  Status read_external_ids() {
    Cursor cursor = store_.scan(Family::external_ids, {}, &*state_->store);
    for (; cursor.valid(); cursor.next()) {
      codec::ByteCursor value(cursor.value());
      const auto id = value.read_big<std::uint64_t>();
      if (value.finished())
        external_ids_.subtract(id, cursor.key());
      else
        report("external id " + codec::hex_text(cursor.key()), "it is damaged");
    }
    return cursor.status();
  }

  /// Subtracts the vectors. If a file is damaged, reads space by space, and skips unreadable ranges.
  Status read_vectors() {
    const Family family = Family::vectors;
    if (!damaged_.contains(family)) {
      Cursor cursor = store_.scan(family, {}, &*state_->store);
      for (; cursor.valid(); cursor.next()) static_cast<void>(read_vector(cursor));
      return cursor.status();
    }
    for (const auto& [space, entry] : state_->catalog->spaces())
      for (const EntityKind kind : both_kinds) read_vectors(space, kind);
    return {};
  }

  // Goes on after keys that cannot be read. The gap of their ids is remembered, so that later
  // checks do not report these vectors as missing.
  void read_vectors(std::uint32_t space, EntityKind kind) {
    const std::string first = codec::vector_key(space, kind, 0);
    const std::string last =
        codec::prefix_end(first.substr(0, first.size() - sizeof(std::uint64_t)));
    const auto scan_from = [&](std::uint64_t id) {
      return store_.scan(Family::vectors, {codec::vector_key(space, kind, id), last},
                         &*state_->store);
    };
    Cursor cursor = scan_from(0);
    std::uint64_t next = 0;  // one more than the last id that was read
    while (true) {
      for (; cursor.valid(); cursor.next()) next = read_vector(cursor).value_or(next) + 1;
      if (cursor.status()) return;
      const IdGap gap = skip_damage(cursor, next, scan_from);
      vector_gaps_[slot(kind)].push_back(gap);
      if (!cursor.status()) return;
      next = gap.end;
    }
  }

  /// Subtracts one vector. Returns the id of its entity, or nullopt if the key is damaged.
  std::optional<std::uint64_t> read_vector(const Cursor& cursor) {
    const auto key = codec::decode_vector_key(cursor.key());
    if (!key) {
      report("vector " + codec::hex_text(cursor.key()), "its key is damaged");
      return std::nullopt;
    }
    // The fact is that the entity has a vector in this space. The components have a checksum of their own.
    vectors_[slot(key->kind)].subtract(key->entity, cursor.key());
    const auto components = codec::decode_vector(cursor.value());
    if (!components) {
      report("vector of " + entity_text(key->kind, key->entity), components.error().message);
    }
    return key->entity;
  }

  // --- gaps: ids that cannot be read ---

  /// Returns "node 7", "node 7 to 9" or "node 7 and all after it".
  static std::string range_text(EntityKind kind, const IdGap& gap) {
    const std::string first = entity_text(kind, gap.first);
    if (gap.end == IdGap().end) return first + " and all after it";
    return gap.end - gap.first <= 1 ? first : first + " to " + std::to_string(gap.end - 1);
  }

  /// Notes the ids of an index chunk that are in a gap and whose record cannot be read by a single get either.
  void note_lost(EntityKind kind, std::uint64_t chunk, const codec::Container& container) {
    const IdGaps& gaps = gaps_[slot(kind)];
    container.for_each([&](std::uint16_t low) {
      const std::uint64_t id = chunk << 16 | low;
      if (!lies_in(gaps, id)) return;
      const auto record = store_.get(records_of(kind), codec::record_key(id), &*state_->store);
      if (!record) lost_[slot(kind)].push_back(id);
    });
  }

  /// Reports the gaps of a kind, and clears the sums of their ids: facts of unread records are unknown.
  void leave_out_gaps(EntityKind kind) {
    const auto& lost = lost_[slot(kind)];  // ascending, as the chunks of a posting are
    for (const IdGap& gap : gaps_[slot(kind)]) {
      const bool is_node = kind == EntityKind::node;
      for (EntityHashes* sums : {&postings_[slot(kind)], &vectors_[slot(kind)]})
        sums->forget(gap.first, gap.end);
      for (EntityHashes* sums :
           {is_node ? &external_ids_ : &adj_out_, is_node ? &external_ids_ : &adj_in_})
        sums->forget(gap.first, gap.end);
      // Large texts are stored after their record. Those of the last record before the gap may be unreadable too.
      texts_[slot(kind)].forget(gap.first - (gap.first == 0 ? 0 : 1), gap.end);
      const auto first = std::lower_bound(lost.begin(), lost.end(), gap.first);
      const auto end = std::lower_bound(first, lost.end(), gap.end);
      if (unread_.contains(Family::index) && gap.first < gap.end)
        report(range_text(kind, gap), "the records in this range cannot be read");
      else if (first != end)
        report(range_text(kind, {*first, *(end - 1) + 1}),
               std::to_string(end - first) + (end - first == 1 ? " record" : " records") +
                   " cannot be read");
    }
  }

  /// Reports the vectors in gaps that records refer to, and clears their sums.
  void leave_out_vectors(EntityKind kind) {
    EntityHashes& sums = vectors_[slot(kind)];
    for (const IdGap& gap : vector_gaps_[slot(kind)]) {
      auto ids = sums.differing(std::numeric_limits<std::size_t>::max());
      std::erase_if(ids, [&](std::uint64_t id) { return !gap.contains(id); });
      sums.forget(gap.first, gap.end);
      if (!ids.empty())
        report("vectors of " + range_text(kind, {ids.front(), ids.back() + 1}),
               std::to_string(ids.size()) + " of them cannot be read");
    }
  }

  [[nodiscard]] bool is_damaged(std::initializer_list<Family> families) const {
    return std::ranges::any_of(families, [&](Family family) { return damaged_.contains(family); });
  }

  // --- report: where both sides differ ---

  Status report_postings() {
    for (const EntityKind kind : both_kinds) {
      const auto ids = postings_[slot(kind)].differing(limit_);
      if (!ids.empty()) CAIRN_TRY(compare_postings(view_, store_, kind, ids, reporter()));
    }
    return {};
  }

  /// Reports the entities whose sums differ. A sum does not show which side is wrong.
  void report_sums() {
    const auto each = [&](Family family, const EntityHashes& sums, EntityKind kind,
                          std::string_view problem) {
      if (unread_.contains(family)) return;
      for (const std::uint64_t id : sums.differing(limit_)) {
        report(entity_text(kind, id), std::string(problem));
      }
    };
    each(Family::adj_out, adj_out_, EntityKind::relationship,
         "its entry in the adjacency of its source is missing or wrong");
    each(Family::adj_in, adj_in_, EntityKind::relationship,
         "its entry in the adjacency of its target is missing or wrong");
    each(Family::external_ids, external_ids_, EntityKind::node,
         "the entry of its external id is missing or wrong");
    for (const EntityKind kind : both_kinds) {
      each(Family::vectors, vectors_[slot(kind)], kind,
           "its stored vectors are not those that its record names");
      each(records_of(kind), texts_[slot(kind)], kind,
           "its stored large texts are not those that its record names");
    }
  }

  /// Compares the stored counters with counts of the records. Skipped if any record is unreadable.
  void report_counters() {
    if (!gaps_[0].empty() || !gaps_[1].empty()) return;
    if (counters_ == state_->counters) return;
    for (const EntityKind kind : both_kinds) {
      for (const Counter counter : all_counters) {
        const auto counted = counters_.of(counter, kind);
        const auto stored = state_->counters.of(counter, kind);
        if (counted == stored) continue;
        report("counter " + std::string(to_string(counter)) +
                   (kind == EntityKind::node ? " of nodes" : " of relationships"),
               "it is " + std::to_string(stored) + ", but " + std::to_string(counted) +
                   " were counted");
      }
    }
  }

  Status check_vector_indexes() {
    if (is_damaged({Family::nodes, Family::relationships, Family::index, Family::vectors})) {
      report_uncompared(codec::IndexKind::vector);
      return {};
    }
    return check_vectors(view_, reporter());
  }

  Status check_text_indexes() {
    if (is_damaged({Family::nodes, Family::relationships, Family::index, Family::text})) {
      report_uncompared(codec::IndexKind::full_text);
      return {};
    }
    return check_texts(view_, store_, limit_, reporter());
  }

  Status check_packed() {
    if (is_damaged({Family::nodes, Family::relationships, Family::catalog, Family::adj_out,
                    Family::adj_in}))
      return {};
    return check_segments(store_, state_, reporter());
  }

  /// Reports records that violate a constraint. Commits prevent that, so a program without that check wrote the record, or
  /// an index is damaged.
  Status check_constraints() {
    if (is_damaged({Family::nodes, Family::relationships, Family::index})) return {};
    const std::int64_t now = system_time();
    for (const auto& [number, constraint] : state_->catalog->constraints()) {
      const ConstraintCheck check(view_, constraint, now);
      CAIRN_ASSIGN(const codec::Bitmap members, check.members());
      for (const std::uint64_t id : members.to_vector()) {
        CAIRN_ASSIGN(const auto violation, check.find_violation(id));
        if (violation) report("constraint " + constraint.name, violation->text);
        if (findings_.size() > limit_) return {};
      }
    }
    return {};
  }

  /// Reports all indexes of a kind as not checked.
  void report_uncompared(codec::IndexKind kind) {
    for (const auto& [id, entry] : state_->catalog->indexes())
      if (entry.kind == kind)
        report(
            (kind == codec::IndexKind::vector ? "vector index " : "full-text index ") + entry.name,
            "it is not compared with the records because of damaged files");
  }

  const RocksStore& store_;
  StatePtr state_;
  GraphView view_;
  std::size_t limit_;
  std::vector<Finding> findings_;
  // Arrays have an element for nodes and one for relationships, see slot().
  std::set<Family> damaged_;            // families with a damaged file
  std::set<Family> unread_;             // derived families that could not be read
  IdGaps gaps_[2], vector_gaps_[2];     // unreadable ids of records and of vectors
  std::vector<std::uint64_t> lost_[2];  // ids in gaps whose records exist and cannot be read
  codec::Bitmap live_nodes_;            // nodes with a record, even a damaged one
  EntityHashes postings_[2], vectors_[2], texts_[2];
  EntityHashes adj_out_, adj_in_, external_ids_;
  Counters counters_;
};

}  // namespace

Result<std::vector<Finding>> check_integrity(RocksStore& store, PostingCache& cache,
                                             const StatePtr& state, std::size_t limit) {
  return Checker(store, cache, state, limit).run();
}

}  // namespace cairn::engine
