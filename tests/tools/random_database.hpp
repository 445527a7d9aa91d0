#pragma once
// RandomDatabase: what an export has to carry, at random.

#include "engine/database/access.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn::test {

/// In the order of an export.
inline const std::array<std::string, 4> used_name_spaces{"", "a", "b \"`c", "ä"};

template <class T>
T must(Result<T> result) {
  BOOST_REQUIRE_MESSAGE(result.has_value(), (result ? "" : result.error().message));
  return *std::move(result);
}
inline void must(const Status& status) {
  BOOST_REQUIRE_MESSAGE(status.has_value(), (status ? "" : status.error().message));
}

/// A database of small random records: of several namespaces, hidden, with external ids and valid times.
struct RandomDatabase {
  RandomDatabase(const std::filesystem::path& directory, std::uint64_t seed)
      : database(must(Database::open(directory))), random(seed) {}

  /// Dense: made namespace by namespace, with nothing erased, so that an import gives the same ids.
  void fill(bool is_dense) {
    const std::size_t rounds = 1 + random.below(3);
    make_indexes();
    for (std::size_t round = 0; round < (is_dense ? 1 : rounds); ++round) {
      change([&](Transaction& transaction) { make_records(transaction, is_dense); });
      change([&](Transaction& transaction) { hide_records(transaction); });
      if (!is_dense) change([&](Transaction& transaction) { erase_records(transaction); });
    }
    make_indexes();
  }

  template <class Work>
  void change(const Work& work) {
    Transaction transaction = must(database.begin());
    work(transaction);
    must(transaction.commit());
  }

  const std::string& any_name_space() {
    return used_name_spaces[random.below(used_name_spaces.size())];
  }

  Properties any_properties() {
    static constexpr std::array<const char*, 4> texts{"", "tea", "äö \"x\" \\", "\n\t"};
    static constexpr std::array<const char*, 4> times{
        "date('2024-02-29')", "datetime('2024-02-29T10:00:00.5[Europe/Berlin]')",
        "duration('P1M2DT3.5S')", "localtime('01:34:30.683853846')"};
    Properties properties;
    if (random.boolean()) properties["i"] = Value(random.integer());
    if (random.boolean()) properties["f"] = Value(random.floating());
    if (random.boolean()) properties["t"] = Value(texts[random.below(texts.size())]);
    if (random.below(8) == 0) properties["long"] = Value(std::string(2'000, 'x'));
    if (random.boolean()) properties["d"] = must(parse_literal(times[random.below(times.size())]));
    if (random.boolean()) properties["v"] = Vector({static_cast<float>(random.below(9)) + 0.5F, 1});
    // Names of system fields are free for properties.
    if (random.below(4) == 0) properties["deletedAt"] = Value(1);
    if (random.below(4) == 0) properties["namespace"] = Value("no");
    if (random.below(4) == 0) properties["m"] = Value(Map{{"system", Value(List{Value(1)})}});
    return properties;
  }

  std::optional<std::int64_t> any_time() {
    if (random.below(3) != 0) return std::nullopt;
    return random.integer();
  }

  SystemFields any_fields(const std::string& name_space) {
    SystemFields fields{name_space};
    fields.created = any_time();
    fields.updated = any_time();
    if (random.below(4) == 0) fields.deleted_at = any_time();
    if (random.below(4) == 0) fields.expires_at = any_time();
    fields.valid_from = any_time();
    fields.valid_to = any_time();
    return fields;
  }

  void make_node(Transaction& transaction, const std::string& name_space) {
    NewNode node{{}, any_properties()};
    for (const char* label : {"P", "Q", "`R"})
      if (random.boolean()) node.labels.emplace_back(label);
    // The same ones in every namespace.
    std::uint64_t& last = external_ids[name_space];
    if (random.boolean()) node.external_id = "x/" + std::to_string(++last);
    const bool is_plain = name_space.empty() && random.boolean();
    nodes.push_back(must(is_plain ? transaction.create_node(node)
                                  : restore_node(transaction, node, any_fields(name_space))));
  }

  void make_relationship(Transaction& transaction, const std::string& name_space) {
    const NewRelationship wanted{nodes[random.below(nodes.size())],
                                 random.boolean() ? "KNOWS" : "`a b",
                                 nodes[random.below(nodes.size())], any_properties()};
    const bool is_plain = name_space.empty() && random.boolean();
    relationships.push_back(
        must(is_plain ? transaction.create_relationship(wanted)
                      : restore_relationship(transaction, wanted, any_fields(name_space))));
  }

  void make_records(Transaction& transaction, bool is_dense) {
    const auto in_each = [&](std::size_t count, const auto& make) {
      for (const std::string& name : used_name_spaces)
        for (std::size_t i = 0; i < count; ++i) make(is_dense ? name : any_name_space());
    };
    in_each(1 + random.below(12), [&](const std::string& name) { make_node(transaction, name); });
    in_each(random.below(12),
            [&](const std::string& name) { make_relationship(transaction, name); });
  }

  /// As the memory does.
  void hide_records(Transaction& transaction) {
    engine::Writer& writer = *Access::writer(transaction);
    const auto hide = [&](codec::EntityKind kind, std::uint64_t id) {
      if (random.below(5) == 0) must(writer.set_deleted(kind, id, any_time()));
      if (random.below(5) == 0) must(writer.set_expiry(kind, id, any_time()));
    };
    for (const NodeId id : nodes) hide(codec::EntityKind::node, id.value);
    for (const RelationshipId id : relationships) hide(codec::EntityKind::relationship, id.value);
  }

  void erase_records(Transaction& transaction) {
    std::erase_if(nodes, [&](NodeId id) {
      if (random.below(6) != 0) return false;
      must(transaction.erase_node_and_relationships(id));
      return true;
    });
    std::erase_if(relationships, [&](RelationshipId id) {
      if (!must(find_relationship(transaction, id))) return true;
      if (random.below(6) != 0) return false;
      must(transaction.erase_relationship(id));
      return true;
    });
    if (nodes.empty()) make_node(transaction, "");
  }

  void make_indexes() {
    for (const char* statement :
         {"CREATE INDEX i IF NOT EXISTS FOR (n:P) ON (n.i)",
          "CREATE FULLTEXT INDEX t IF NOT EXISTS FOR (n:P|Q) ON EACH [n.t, n.long]",
          "CREATE VECTOR INDEX v IF NOT EXISTS FOR (n:P) ON (n.v) OPTIONS {indexConfig: "
          "{`vector.dimensions`: 2, `vector.similarity_function`: 'euclidean'}}",
          "CREATE FULLTEXT INDEX r IF NOT EXISTS FOR ()-[r:KNOWS]-() ON EACH [r.t]"})
      if (random.below(3) == 0) must(execute(database, statement));
  }

  Database database;
  ValueGenerator random;
  std::vector<NodeId> nodes;
  std::vector<RelationshipId> relationships;
  std::map<std::string, std::uint64_t> external_ids;
};

}  // namespace cairn::test
