#include "codec/catalog_entry.hpp"

#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <utility>
#include <vector>

using namespace cairn;
using namespace cairn::codec;

namespace {

IndexEntry sample_index() {
  return {.name = "memory_vector",
          .kind = IndexKind::vector,
          .entity = EntityKind::node,
          .labels_or_types = {1, 2},
          .properties = {9},
          .state = IndexState::failed,
          .space = 3,
          .metric = Metric::euclidean,
          .dimension = 256,
          .m = 24,
          .ef_construction = 200,
          .message = "no room",
          .storage = VectorStorage::float16};
}

IndexEntry text_index() {
  IndexEntry index;
  index.name = "texts";
  index.kind = IndexKind::full_text;
  index.labels_or_types = {1};
  index.properties = {4, 7};
  index.text = {"german", false, false, 5, 0.9, 0.4, {1.0F, 2.5F}, true, true, true, true};
  return index;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(catalog_entry)

BOOST_AUTO_TEST_CASE(a_full_text_index_reads_back) {
  BOOST_TEST((*decode_index_entry(encode(text_index())) == text_index()));
  IndexEntry usual = text_index();
  usual.text = {};
  BOOST_TEST((*decode_index_entry(encode(usual)) == usual));
  usual.text.language = "english,german";
  BOOST_TEST((*decode_index_entry(encode(usual)) == usual));
}

BOOST_AUTO_TEST_CASE(numbers_that_no_score_can_come_of_are_refused) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](double k1, double b, std::vector<float> weights) {
    IndexEntry index = text_index();
    index.text.k1 = k1;
    index.text.b = b;
    index.text.weights = std::move(weights);
    return !decode_index_entry(encode(index)).has_value();
  };
  BOOST_TEST(!refused(1.2, 0.75, {1, 2}));
  BOOST_TEST(refused(none, 0.75, {1, 2}));
  BOOST_TEST(refused(-1, 0.75, {1, 2}));
  BOOST_TEST(refused(1.2, none, {1, 2}));
  BOOST_TEST(refused(1.2, 2, {1, 2}));
  BOOST_TEST(refused(1.2, 0.75, {1, static_cast<float>(none)}));
  BOOST_TEST(refused(1.2, 0.75, {1, 0}));
  BOOST_TEST(refused(1.2, 0.75, {1}));
}

BOOST_AUTO_TEST_CASE(every_entry_reads_back) {
  const NameEntry name{"Person"};
  const PathEntry path{EntityKind::relationship, "a.b\\.c", IndexState::building, true};
  const SpaceEntry space{"minds", "hash-256", 256, Metric::dot_product, 2};
  BOOST_TEST((*decode_name_entry(encode(name)) == name));
  BOOST_TEST((*decode_path_entry(encode(path)) == path));
  BOOST_TEST((*decode_index_entry(encode(sample_index())) == sample_index()));
  BOOST_TEST((*decode_space_entry(encode(space)) == space));
  const ConstraintEntry key{"one", ConstraintKind::key, EntityKind::relationship, 3, {4, 5}};
  BOOST_TEST((*decode_constraint_entry(encode(key)) == key));
}

BOOST_AUTO_TEST_CASE(a_constraint_without_a_property_or_of_an_unknown_kind_is_refused) {
  ConstraintEntry constraint{"one", ConstraintKind::unique, EntityKind::node, 3, {}};
  BOOST_TEST(!decode_constraint_entry(encode(constraint)).has_value());
  constraint.properties = {4};
  BOOST_TEST(decode_constraint_entry(encode(constraint)).has_value());
  constraint.kind = static_cast<ConstraintKind>(4);
  BOOST_TEST(!decode_constraint_entry(encode(constraint)).has_value());
}

// An index without a model has the same bytes as before the field was added; format_test checks
// this.
BOOST_AUTO_TEST_CASE(the_model_of_a_vector_index_reads_back) {
  IndexEntry index;
  index.kind = IndexKind::vector;
  index.space = 1;
  index.dimension = 3;
  const std::string without = encode(index);
  index.model = "service-3";
  BOOST_TEST((*decode_index_entry(encode(index)) == index));
  BOOST_TEST(encode(index) != without);
  BOOST_TEST(decode_index_entry(without)->model.empty());
}

BOOST_AUTO_TEST_CASE(empty_entries_read_back) {
  BOOST_TEST((*decode_name_entry(encode(NameEntry{})) == NameEntry{}));
  BOOST_TEST((*decode_index_entry(encode(IndexEntry{})) == IndexEntry{}));
}

BOOST_AUTO_TEST_CASE(an_entry_of_another_kind_is_refused) {
  const auto result = decode_path_entry(encode(NameEntry{"Person"}));
  BOOST_TEST(!result.has_value());
  BOOST_TEST((result.error().code == ErrorCode::corruption));
  BOOST_TEST(result.error().message == "the catalog entry of a path is damaged");
  BOOST_TEST(!decode_name_entry(encode(PathEntry{})).has_value());
  BOOST_TEST(!decode_space_entry(encode(sample_index())).has_value());
}

// Older databases have no storage entry, and newer ones omit the default.
BOOST_AUTO_TEST_CASE(whole_vectors_are_what_an_entry_without_a_storage_has) {
  IndexEntry index = sample_index();
  const std::size_t with = encode(index).size();
  index.storage = VectorStorage::float32;
  BOOST_TEST(encode(index).size() < with);
  BOOST_TEST((*decode_index_entry(encode(index)) == index));
  index.storage = static_cast<VectorStorage>(4);
  BOOST_TEST(!decode_index_entry(encode(index)).has_value());
}

BOOST_AUTO_TEST_CASE(unknown_enumerators_are_refused) {
  IndexEntry index = sample_index();
  index.metric = static_cast<Metric>(9);
  BOOST_TEST(!decode_index_entry(encode(index)).has_value());
  PathEntry path;
  path.state = static_cast<IndexState>(9);
  BOOST_TEST(!decode_path_entry(encode(path)).has_value());
}

BOOST_AUTO_TEST_CASE(damaged_bytes_give_an_error_or_an_entry) {
  test::ValueGenerator random(test::test_seed());
  for (int i = 0; i < 20'000; ++i) {
    const std::string bytes = random.damaged(encode(i % 2 == 0 ? sample_index() : text_index()));
    (void)decode_index_entry(bytes);
    (void)decode_name_entry(bytes);
    (void)decode_path_entry(bytes);
    (void)decode_space_entry(bytes);
  }
}

BOOST_AUTO_TEST_SUITE_END()
