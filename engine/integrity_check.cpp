// what must be there    records, one pass: postings, adjacency, external ids, vectors, texts, counts
// what is there         each derived family, one pass: the same facts taken off again
// where they differ     entities whose sums are not zero, looked at one by one
//
// Facts are hashes, summed by entity in 64 bits: a family in agreement ends at zero everywhere. Two
// wrong facts of one entity would have to cancel by chance, 2^-64. Memory is eight bytes an entity
// and kind of fact, whatever the number of facts. A second pass over the index is made only where
// sums differ, to name the entries.
//
// Read of one published state; commits go on meanwhile. What cannot be decoded is a finding like
// any other, what cannot be read at all ends the check.
#include "engine/integrity_check.hpp"

#include "codec/byte_io.hpp"
#include "codec/posting.hpp"
#include "engine/core.hpp"
#include "engine/entity_sums.hpp"
#include "engine/fulltext/text_check.hpp"
#include "engine/graph/record_postings.hpp"
#include "engine/graph/vector_members.hpp"
#include "engine/index/posting_name.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace cairn::engine {
namespace {

using codec::EntityKind;

constexpr EntityKind both_kinds[] = {EntityKind::node, EntityKind::relationship};

/// Sums are kept for nodes and relationships apart: their ids are two number spaces.
std::size_t slot(EntityKind kind) { return kind == EntityKind::node ? 0 : 1; }

/// The first byte of an index key.
bool is_kind(char byte) {
  const auto kind = static_cast<EntityKind>(byte);
  return kind == EntityKind::node || kind == EntityKind::relationship;
}

/// What a record says about one of its large texts.
std::string text_fact(std::string_view key, const codec::TextReference& text) {
  std::string fact(key);
  codec::append_big(fact, text.bytes);
  codec::append_big(fact, text.hash);
  return fact;
}

/// One check of one state.
class Checker {
 public:
  Checker(Core& core, std::size_t limit)
      : store_(core.store()),
        state_(core.state()),
        view_(core.store(), core.cache(), state_),
        limit_(limit) {}

  Result<std::vector<Finding>> run() {
    CAIRN_TRY(read_records());
    for (const EntityKind kind : both_kinds) CAIRN_TRY(read_large_texts(kind));
    CAIRN_TRY(read_index());
    CAIRN_TRY(read_adjacency(Family::adj_out, adj_out_));
    CAIRN_TRY(read_adjacency(Family::adj_in, adj_in_));
    CAIRN_TRY(read_external_ids());
    CAIRN_TRY(read_vectors());
    CAIRN_TRY(report_postings());
    report_sums();
    report_counters();
    CAIRN_TRY(check_vector_states());
    CAIRN_TRY(check_texts(view_, store_, limit_, [this](std::string place, std::string problem) {
      report(std::move(place), std::move(problem));
    }));
    if (findings_.size() > limit_) findings_.resize(limit_);
    return std::move(findings_);
  }

 private:
  void report(std::string place, std::string problem) {
    if (findings_.size() < limit_) findings_.push_back({std::move(place), std::move(problem)});
  }

  // --- what must be there ---

  // Nodes first: relationships ask whether their ends are there.
  Status read_records() {
    CAIRN_TRY(for_each_node(store_, *state_->store, [&](std::uint64_t id, auto record) -> Status {
      if (record && !record->external_id.empty()) {
        external_ids_.add(id,
                          codec::external_id_key(record->header.name_space, record->external_id));
      }
      return add_record(EntityKind::node, id, std::move(record));
    }));
    const auto expect_adjacency = [&](std::uint64_t id, const codec::RelationshipRecord& record) {
      adj_out_.add(id, codec::adjacency_key({record.source, record.type, record.target, id}));
      adj_in_.add(id, codec::adjacency_key({record.target, record.type, record.source, id}));
      // A node whose record is damaged is there, and a finding of its own.
      for (const std::uint64_t end : {record.source, record.target}) {
        if (live_nodes_.contains(end)) continue;
        report(entity_text(EntityKind::relationship, id),
               "it ends at " + entity_text(EntityKind::node, end) + ", which does not exist");
      }
    };
    return for_each_relationship(
        store_, *state_->store, [&](std::uint64_t id, auto record) -> Status {
          if (record) expect_adjacency(id, *record);
          return add_record(EntityKind::relationship, id, std::move(record));
        });
  }

  template <class Record>
  /// A record that cannot be read is a finding, not the end of the check.
  Status add_record(EntityKind kind, std::uint64_t id, Result<Record> record) {
    if (kind == EntityKind::node) live_nodes_.add(id);
    if (!record) {
      report(entity_text(kind, id), record.error().message);
      return {};
    }
    const auto derived = derive(id, *record, view_.records(), *state_->catalog);
    if (!derived) {
      report(entity_text(kind, id), derived.error().message);
      return {};
    }
    // Its postings are of the text that was stored or of what lies there; all else is known.
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
    return {};
  }

  // --- what is there ---

  /// Texts stand among the records. One that its record does not name, or names by another size or
  /// hash, is left over.
  Status read_large_texts(EntityKind kind) {
    Cursor cursor = store_.scan(records_of(kind), {}, &*state_->store);
    for (; cursor.valid(); cursor.next()) {
      if (!codec::large_text_property(cursor.key())) continue;
      CAIRN_ASSIGN(const std::uint64_t id, codec::decode_record_key(cursor.key()));
      const codec::TextReference text{cursor.value().size(), codec::checksum(cursor.value())};
      texts_[slot(kind)].subtract(id, text_fact(cursor.key(), text));
    }
    return cursor.status();
  }

  template <class Visit>
  Status for_each_posting(Visit&& visit) {
    Cursor cursor = store_.scan(Family::index, {}, &*state_->store);
    for (; cursor.valid(); cursor.next()) {
      const std::string_view key = cursor.key();
      const auto container = codec::decode_posting(cursor.value());
      if (key.size() < min_index_key_bytes || !is_kind(key.front()) || !container) {
        report("index key " + hex_text(key), "it is damaged");
        continue;
      }
      visit(posting_of_key(key), codec::chunk_of_index_key(key), *container);
    }
    return cursor.status();
  }

  /// Takes away what the index says; what a sound index says leaves zero.
  Status read_index() {
    return for_each_posting([&](std::string_view name, std::uint64_t chunk,
                                const codec::Container& container) {
      EntitySums& sums = postings_[slot(static_cast<EntityKind>(name.front()))];
      // One hash a posting, for all ids that have it.
      const std::uint64_t hash = codec::checksum(name);
      container.for_each([&](std::uint16_t low) { sums.subtract_hash(chunk << 16 | low, hash); });
    });
  }

  Status read_adjacency(Family family, EntitySums& sums) {
    Cursor cursor = store_.scan(family, {}, &*state_->store);
    for (; cursor.valid(); cursor.next()) {
      const auto key = codec::decode_adjacency_key(cursor.key());
      if (key)
        sums.subtract(key->relationship, cursor.key());
      else
        report(std::string(to_string(family)) + " " + hex_text(cursor.key()), "it is damaged");
    }
    return cursor.status();
  }

  Status read_external_ids() {
    Cursor cursor = store_.scan(Family::external_ids, {}, &*state_->store);
    for (; cursor.valid(); cursor.next()) {
      codec::ByteCursor value(cursor.value());
      const auto id = value.read_big<std::uint64_t>();
      if (value.finished())
        external_ids_.subtract(id, cursor.key());
      else
        report("external id " + hex_text(cursor.key()), "it is damaged");
    }
    return cursor.status();
  }

  Status read_vectors() {
    Cursor cursor = store_.scan(Family::vectors, {}, &*state_->store);
    for (; cursor.valid(); cursor.next()) {
      const auto key = codec::decode_vector_key(cursor.key());
      if (!key) {
        report("vector " + hex_text(cursor.key()), "its key is damaged");
        continue;
      }
      // The fact is that the vector is there: the record says its space. Its floats are guarded by
      // their own checksum.
      vectors_[slot(key->kind)].subtract(key->entity, cursor.key());
      const auto components = codec::decode_vector(cursor.value());
      if (!components) {
        report("vector of " + entity_text(key->kind, key->entity), components.error().message);
      }
    }
    return cursor.status();
  }

  // --- where they differ ---

  Status report_postings() {
    for (const EntityKind kind : both_kinds) {
      const auto ids = postings_[slot(kind)].differing(limit_);
      if (!ids.empty()) CAIRN_TRY(report_postings(kind, ids));
    }
    return {};
  }

  /// A second pass, for the entities that differ.
  Status report_postings(EntityKind kind, const std::vector<std::uint64_t>& ids) {
    std::map<std::uint64_t, std::set<std::string>> present;
    CAIRN_TRY(for_each_posting(
        [&](std::string_view name, std::uint64_t chunk, const codec::Container& container) {
          if (static_cast<EntityKind>(name.front()) != kind) return;
          for (const std::uint64_t id : ids) {
            // At most `limit_` ids for each posting.
            if (id >> 16 != chunk || !container.contains(static_cast<std::uint16_t>(id))) continue;
            present[id].emplace(name);
          }
        }));
    for (const std::uint64_t id : ids) {
      const auto expected = expected_postings(kind, id);
      if (expected) compare(entity_text(kind, id), *expected, present[id]);
      // Otherwise the record itself was reported.
    }
    return {};
  }

  /// None where there is no such record.
  Result<PostingNames> expected_postings(EntityKind kind, std::uint64_t id) const {
    Derived derived;
    if (kind == EntityKind::node) {
      CAIRN_ASSIGN(const auto record, view_.find_node(id));
      if (!record) return PostingNames();
      CAIRN_ASSIGN(derived, derive(id, *record, view_.records(), *state_->catalog));
    } else {
      CAIRN_ASSIGN(const auto record, view_.find_relationship(id));
      if (!record) return PostingNames();
      CAIRN_ASSIGN(derived, derive(id, *record, view_.records(), *state_->catalog));
    }
    if (derived.damage) return *derived.damage;
    return std::move(derived.postings);
  }

  /// Both sides of one entity, entry by entry.
  void compare(const std::string& place, const PostingNames& expected,
               const std::set<std::string>& present) {
    for (const std::string& name : expected) {
      if (present.contains(name)) continue;
      report(place, "it lacks the index entry " + posting_text(name, *state_->catalog));
    }
    for (const std::string& name : present) {
      if (std::binary_search(expected.begin(), expected.end(), name)) continue;
      report(place, "it does not have what the index entry " +
                        posting_text(name, *state_->catalog) + " says");
    }
  }

  /// Which side is wrong these cannot tell; the entity is named.
  void report_sums() {
    const auto each = [&](const EntitySums& sums, EntityKind kind, std::string_view problem) {
      for (const std::uint64_t id : sums.differing(limit_)) {
        report(entity_text(kind, id), std::string(problem));
      }
    };
    each(adj_out_, EntityKind::relationship, "the adjacency of its source disagrees with it");
    each(adj_in_, EntityKind::relationship, "the adjacency of its target disagrees with it");
    each(external_ids_, EntityKind::node, "the external id disagrees with it");
    for (const EntityKind kind : both_kinds) {
      each(vectors_[slot(kind)], kind, "its vectors are not those that it names");
      each(texts_[slot(kind)], kind, "its large texts are not those that it names");
    }
  }

  /// Counted anew from the records.
  void report_counters() {
    if (counters_ == state_->counters) return;
    for (const EntityKind kind : both_kinds) {
      for (const Counter counter : all_counters) {
        const auto counted = counters_.of(counter, kind);
        const auto stored = state_->counters.of(counter, kind);
        if (counted == stored) continue;
        report("counter " + std::string(to_string(counter)) +
                   (kind == EntityKind::node ? " of nodes" : " of relationships"),
               "it is " + std::to_string(stored) + ", counted " + std::to_string(counted));
      }
    }
  }

  /// Every member, and no one else, as of the state that snapshots get.
  Status check_vector_states() {
    for (const auto& [id, entry] : state_->catalog->indexes()) {
      if (entry.kind != codec::IndexKind::vector) continue;
      const auto state = state_->vectors.find(id);
      if (state == state_->vectors.end()) {
        report("vector index " + entry.name, "it is not loaded");
        continue;
      }
      CAIRN_TRY(check_vector_state(entry, *state->second));
    }
    return {};
  }

  Status check_vector_state(const codec::IndexEntry& entry, const VectorState& state) {
    CAIRN_ASSIGN(const auto members, VectorMembers::of(entry, view_.records(), view_.postings()));
    std::uint64_t count = 0;
    for (const std::uint64_t id : members.grouped().to_vector()) {
      const auto vector = members.find(id);
      if (!vector || !*vector) continue;  // a damaged one was reported with its record
      ++count;
      if (state.find(id)) continue;
      report("vector index " + entry.name, "it lacks " + entity_text(entry.entity, id));
    }
    // With every member found, a larger size means members that should not be.
    if (state.size() != count) {
      report("vector index " + entry.name,
             "it holds " + std::to_string(state.size()) + " vectors, not " + std::to_string(count));
    }
    return {};
  }

  const RocksStore& store_;
  StatePtr state_;
  GraphView view_;
  std::size_t limit_;
  std::vector<Finding> findings_;
  codec::IdSet live_nodes_;
  EntitySums postings_[2], vectors_[2], texts_[2];  // nodes, relationships
  EntitySums adj_out_, adj_in_, external_ids_;
  Counters counters_;
};

}  // namespace

Result<std::vector<Finding>> check_integrity(Core& core, std::size_t limit) {
  return Checker(core, limit).run();
}

}  // namespace cairn::engine
