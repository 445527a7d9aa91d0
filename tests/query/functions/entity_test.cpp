#include "codec/backup_manifest.hpp"
#include "codec/bitmap.hpp"
#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/view/list_reader.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/segment_view.hpp"
#include "engine/view/view.hpp"
#include "query/functions/value_semantics.hpp"
#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

namespace {

Error unused() { return {ErrorCode::unsupported, "not part of this test", {}}; }

/// A store of node 1 (:A:B {name: 'Ada', age: 36}) and relationship 7 (1)-[:KNOWS {since: 1840}]->(2).
class SmallView : public engine::View {
 public:
  SmallView() {
    for (const char* label : {"B", "A"}) catalog_.intern(codec::CatalogKind::label, label);
    for (const char* key : {"name", "age", "since"})
      catalog_.intern(codec::CatalogKind::property, key);
    catalog_.intern(codec::CatalogKind::relationship_type, "KNOWS");
  }

  const engine::Catalog& catalog() const override { return catalog_; }
  std::uint64_t commit_number() const override { return 1; }
  Result<std::optional<codec::NodeRecord>> find_node(std::uint64_t id) const override {
    if (id != 1) return std::optional<codec::NodeRecord>();
    codec::NodeRecord record;
    record.labels = {1, 2};
    record.external_id = "ada";
    record.properties = {{1, Value("Ada")}, {2, Value(36)}};
    return std::optional(record);
  }
  Result<std::optional<codec::RelationshipRecord>> find_relationship(
      std::uint64_t id) const override {
    if (id != 7) return std::optional<codec::RelationshipRecord>();
    codec::RelationshipRecord record;
    record.type = 1;
    record.source = 1;
    record.target = 2;
    record.properties = {{3, Value(1840)}};
    return std::optional(record);
  }
  Result<std::optional<Node>> load_node(std::uint64_t id) const override {
    if (id != 1) return std::optional<Node>();
    auto content = std::make_shared<Node::Content>();
    content->properties = {{"name", "Ada"}, {"age", 36}};
    return std::optional(Node(NodeId{id}, content));
  }
  Result<std::optional<Relationship>> load_relationship(std::uint64_t id) const override {
    if (id != 7) return std::optional<Relationship>();
    auto content = std::make_shared<Relationship::Content>();
    content->properties = {{"since", 1840}};
    return std::optional(Relationship(RelationshipId{id}, content));
  }

  Result<std::optional<std::uint64_t>> find_external(std::uint32_t,
                                                     std::string_view) const override {
    return unused();
  }
  Result<Value> property(codec::EntityKind, std::uint64_t, std::uint32_t) const override {
    return unused();
  }
  Result<std::vector<Value>> properties(codec::EntityKind, std::span<const std::uint64_t>,
                                        std::uint32_t) const override {
    return unused();
  }
  Result<codec::Bitmap> invisible(codec::EntityKind, const engine::Visibility&) const override {
    return unused();
  }
  Result<codec::Bitmap> visible(codec::EntityKind, const engine::Visibility&) const override {
    return unused();
  }
  Result<codec::Bitmap> labelled(std::uint32_t) const override { return unused(); }
  Result<codec::Bitmap> typed(std::uint32_t) const override { return unused(); }
  Result<engine::LookupResult> lookup(const engine::IndexPredicate&) const override {
    return unused();
  }
  Result<Estimate> estimate(const engine::IndexPredicate&) const override { return unused(); }
  Result<std::uint64_t> count_labelled(std::uint32_t) const override { return unused(); }
  Result<std::uint64_t> count_typed(std::uint32_t) const override { return unused(); }
  Result<bool> all_visible(codec::EntityKind, const engine::Visibility&) const override {
    return unused();
  }
  Status expand(std::uint64_t, engine::Direction, std::span<const std::uint32_t>,
                std::vector<engine::Adjacent>&) const override {
    return unused();
  }
  Status expand_into(std::uint64_t, std::uint64_t, engine::Direction,
                     std::span<const std::uint32_t>,
                     std::vector<engine::Adjacent>&) const override {
    return unused();
  }
  std::unique_ptr<engine::ListReader> lists() const override { return nullptr; }
  engine::AdjacencyView adjacency(bool, const engine::SegmentNeed&) const override { return {}; }
  engine::ColumnView column(codec::EntityKind, std::uint32_t,
                            const engine::SegmentNeed&) const override {
    return {};
  }
  Result<engine::Neighbors> nearest(std::uint32_t, const engine::VectorQuery&) const override {
    return unused();
  }
  Result<std::vector<engine::Neighbors>> nearest_all(
      std::uint32_t, std::span<const engine::VectorQuery>) const override {
    return unused();
  }
  Result<codec::Bitmap> with_vector(std::uint32_t) const override { return unused(); }
  Result<engine::TextHits> search_text(std::uint32_t, const engine::TextQuery&) const override {
    return unused();
  }
  Result<std::vector<IndexDescription>> describe_indexes() const override { return unused(); }
  Result<std::vector<codec::BackupNote>> describe_backups() const override { return unused(); }
  Result<std::vector<std::optional<Node>>> load_nodes(
      std::span<const std::uint64_t>) const override {
    return unused();
  }

 private:
  engine::Catalog catalog_;
};

Value node(std::uint64_t id) { return Node(NodeId{id}); }
Value relationship(std::uint64_t id) { return Relationship(RelationshipId{id}); }

Value loaded_node() {
  auto content = std::make_shared<Node::Content>();
  content->labels = {"C"};
  content->properties = {{"x", 1}};
  return Node(NodeId{1}, content);
}

Value loaded_relationship() {
  auto content = std::make_shared<Relationship::Content>();
  content->type = "LIKES";
  content->source = NodeId{3};
  content->target = NodeId{4};
  content->properties = {{"y", 2}};
  return Relationship(RelationshipId{7}, content);
}

std::string read(std::string_view function, const Value& entity) {
  const SmallView view;
  FunctionContext context;
  context.view = &view;
  return text_of(call(function, {entity}, context));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(entity)

BOOST_AUTO_TEST_CASE(what_is_not_loaded_is_read_from_the_store) {
  BOOST_TEST(read("labels", node(1)) == "['A', 'B']");
  BOOST_TEST(read("keys", node(1)) == "['age', 'name']");
  BOOST_TEST(read("properties", node(1)) == "{age: 36, name: 'Ada'}");
  BOOST_TEST(read("externalId", node(1)) == "'ada'");
  BOOST_TEST(read("type", relationship(7)) == "'KNOWS'");
  BOOST_TEST(read("keys", relationship(7)) == "['since']");
  BOOST_TEST(read("properties", relationship(7)) == "{since: 1840}");
  BOOST_TEST(read("startNode", relationship(7)) == "(#1)");
  BOOST_TEST(read("endNode", relationship(7)) == "(#2)");
}

BOOST_AUTO_TEST_CASE(what_is_loaded_is_taken_as_it_is) {
  BOOST_TEST(read("labels", loaded_node()) == "['C']");
  BOOST_TEST(read("keys", loaded_node()) == "['x']");
  BOOST_TEST(read("properties", loaded_node()) == "{x: 1}");
  BOOST_TEST(read("externalId", loaded_node()) == "null");
  BOOST_TEST(read("type", loaded_relationship()) == "'LIKES'");
  BOOST_TEST(read("keys", loaded_relationship()) == "['y']");
  BOOST_TEST(read("properties", loaded_relationship()) == "{y: 2}");
  BOOST_TEST(read("startNode", loaded_relationship()) == "(#3)");
  BOOST_TEST(read("endNode", loaded_relationship()) == "(#4)");
}

BOOST_AUTO_TEST_CASE(a_deleted_entity_is_an_error_that_names_it) {
  for (const char* function : {"labels", "keys", "properties", "externalId"})
    BOOST_TEST(read(function, node(2)) == "error: not_found");
  for (const char* function : {"type", "keys", "properties", "startNode", "endNode"})
    BOOST_TEST(read(function, relationship(8)) == "error: not_found");
  const SmallView view;
  FunctionContext context;
  context.view = &view;
  BOOST_TEST(call("labels", {node(2)}, context).error().message ==
             "labels(): node 2 has been deleted");
}

BOOST_AUTO_TEST_CASE(without_a_store_only_what_is_loaded_can_be_read) {
  check_calls({{"labels", {node(1)}, "error: invalid_argument"},
               {"labels", {loaded_node()}, "['C']"},
               {"id", {node(5)}, "5"}});
}

BOOST_AUTO_TEST_CASE(a_property_is_read_of_whatever_has_it) {
  const SmallView view;
  FunctionContext context;
  context.view = &view;
  const auto read_key = [&](const Value& value, const char* key) {
    return text_of(call("apoc.any.property", {value, Value(key)}, context));
  };
  BOOST_TEST(read_key(node(1), "name") == "'Ada'");
  BOOST_TEST(read_key(node(1), "nothing") == "null");
  BOOST_TEST(read_key(relationship(7), "since") == "1840");
  BOOST_TEST(read_key(loaded_relationship(), "y") == "2");
  BOOST_TEST(read_key(Map{{"a", 1}}, "a") == "1");
  BOOST_TEST(read_key(Value(1), "a") == "error: type_error");
}

BOOST_AUTO_TEST_CASE(ids_need_no_store) {
  check_calls({{"id", {node(5)}, "5"},
               {"id", {relationship(6)}, "6"},
               {"elementId", {node(5)}, "'n5'"},
               {"elementId", {relationship(5)}, "'r5'"},
               {"id", {1}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(a_path_is_taken_apart) {
  const Value path = Path{{Node(NodeId{1}), Node(NodeId{2})}, {Relationship(RelationshipId{7})}};
  check_calls({{"length", {path}, "1"},
               {"nodes", {path}, "[(#1), (#2)]"},
               {"relationships", {path}, "[[#7]]"},
               {"length", {"text"}, "error: type_error"},
               {"nodes", {Value()}, "null"}});
}

BOOST_AUTO_TEST_CASE(maps_have_keys_and_properties_too) {
  check_calls({{"keys", {map_of({{"k", 1}, {"a", Value()}})}, "['a', 'k']"},
               {"properties", {map_of({{"k", 1}})}, "{k: 1}"},
               {"properties", {1}, "error: type_error"},
               {"keys", {Value()}, "null"}});
}

BOOST_AUTO_TEST_CASE(other_types_are_refused) {
  for (const Value& value : {Value(0), Value(1.0), Value(true), Value(""), list_of({}), node(1)})
    check_calls({{"type", {value}, "error: type_error"}});
  check_calls({{"labels", {relationship(7)}, "error: type_error"},
               {"startNode", {node(1)}, "error: type_error"}});
}

BOOST_AUTO_TEST_SUITE_END()

using cairn::query::test::text_of;

namespace {

const Value null;
const Value numbers = list_of({1, 2, 3});

std::string sliced(const Value& list, std::optional<Value> from, std::optional<Value> to) {
  return text_of(slice(list, from ? &*from : nullptr, to ? &*to : nullptr));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(value_access)

BOOST_AUTO_TEST_CASE(a_list_is_read_by_positions_from_either_end) {
  BOOST_TEST(text_of(subscript(numbers, 0)) == "1");
  BOOST_TEST(text_of(subscript(numbers, -1)) == "3");
  BOOST_TEST(text_of(subscript(numbers, 3)) == "null");
  BOOST_TEST(text_of(subscript(numbers, -4)) == "null");
  BOOST_TEST(text_of(subscript(numbers, null)) == "null");
  BOOST_TEST(text_of(subscript(Vector({0.5F, 1.0F}), 1)) == "1.0");
}

BOOST_AUTO_TEST_CASE(a_map_is_read_by_keys_in_their_case) {
  const Value map = map_of({{"name", 1}, {"null", 2}});
  BOOST_TEST(text_of(subscript(map, "name")) == "1");
  BOOST_TEST(text_of(subscript(map, "Name")) == "null");
  BOOST_TEST(text_of(subscript(map, "null")) == "2");
  BOOST_TEST(text_of(subscript(map, null)) == "null");
  BOOST_TEST(text_of(member(map, "name")) == "1");
  BOOST_TEST(text_of(member(map, "missing")) == "null");
  BOOST_TEST(text_of(member(null, "name")) == "null");
}

BOOST_AUTO_TEST_CASE(the_wrong_kind_of_key_or_container_is_a_type_error) {
  const std::string expected = "error: type_error";
  BOOST_TEST(text_of(subscript(numbers, "0")) == expected);
  BOOST_TEST(text_of(subscript(numbers, 0.5)) == expected);
  BOOST_TEST(text_of(subscript(map_of({}), 0)) == expected);
  BOOST_TEST(text_of(subscript("text", 0)) == expected);
  BOOST_TEST(text_of(member(1, "num")) == expected);
  BOOST_TEST(sliced("text", 0, 1) == expected);
  BOOST_TEST(sliced(numbers, "0", 1) == expected);
  BOOST_TEST(sliced(numbers, 0, 1.5) == expected);
}

BOOST_AUTO_TEST_CASE(whole_floats_are_positions) {
  BOOST_TEST(text_of(subscript(numbers, 0.0)) == "1");
  BOOST_TEST(text_of(subscript(numbers, -1.0)) == "3");
  BOOST_TEST(sliced(numbers, 1.0, 3.0) == "[2, 3]");
}

BOOST_AUTO_TEST_CASE(a_slice_is_what_its_bounds_and_the_list_have_in_common) {
  BOOST_TEST(sliced(numbers, 1, 3) == "[2, 3]");
  BOOST_TEST(sliced(numbers, 1, std::nullopt) == "[2, 3]");
  BOOST_TEST(sliced(numbers, std::nullopt, 2) == "[1, 2]");
  BOOST_TEST(sliced(numbers, -3, -1) == "[1, 2]");
  BOOST_TEST(sliced(numbers, 3, 1) == "[]");
  BOOST_TEST(sliced(numbers, -5, 5) == "[1, 2, 3]");
  BOOST_TEST(sliced(Vector({1.0F, 2.0F}), 1, std::nullopt) == "[2.0]");
}

BOOST_AUTO_TEST_CASE(a_slice_with_an_unknown_bound_is_unknown) {
  BOOST_TEST(sliced(numbers, null, 1) == "null");
  BOOST_TEST(sliced(numbers, std::nullopt, null) == "null");
  BOOST_TEST(sliced(null, 0, 1) == "null");
}

BOOST_AUTO_TEST_SUITE_END()
