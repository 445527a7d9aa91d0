// One pass over the index gathers what it says of the entities asked for; what it should say is derived
// from each one's record.
#include "engine/check/partial_checks.hpp"

#include "codec/posting.hpp"
#include "engine/graph/record_postings.hpp"
#include "engine/index/posting_name.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace cairn::engine {
namespace {

using codec::EntityKind;

/// The first byte of an index key.
bool is_kind(char byte) {
  const auto kind = static_cast<EntityKind>(byte);
  return kind == EntityKind::node || kind == EntityKind::relationship;
}

/// None where there is no such record.
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

/// Both sides of one entity, entry by entry.
void compare(const std::string& place, const PostingNames& expected,
             const std::set<std::string>& present, const Catalog& catalog, const Report& report) {
  for (const std::string& name : expected) {
    if (present.contains(name)) continue;
    report(place, "it lacks the index entry " + posting_text(name, catalog));
  }
  for (const std::string& name : present) {
    if (std::binary_search(expected.begin(), expected.end(), name)) continue;
    report(place, "it does not have what the index entry " + posting_text(name, catalog) + " says");
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
      report("index key " + hex_text(key), "it is damaged");
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
      // As many ids as findings for each posting.
      if (id >> 16 != chunk || !container.contains(static_cast<std::uint16_t>(id))) continue;
      present[id].emplace(name);
    }
  };
  // Damaged keys were reported by the pass before.
  const Report silent = [](const std::string&, const std::string&) {};
  CAIRN_TRY(for_each_posting(store, *view.state().store, silent, gather));
  for (const std::uint64_t id : ids) {
    const auto expected = expected_postings(view, kind, id);
    if (expected) compare(entity_text(kind, id), *expected, present[id], view.catalog(), report);
    // Otherwise the record itself was reported.
  }
  return {};
}

}  // namespace cairn::engine
