#pragma once
// What tests of the vector sets of an open database share: an index by_meaning over the property v of nodes M.

#include "engine/database/access.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/vector_search.hpp>

#include <boost/test/unit_test.hpp>

#include <random>

namespace cairn::test {

/// Every one of the nearest, by comparing all.
inline VectorSearchOptions exactly(std::size_t k) {
  VectorSearchOptions options;
  options.k = k;
  options.accuracy = VectorAccuracy::exact;
  return options;
}

inline constexpr std::uint32_t vector_dimension = 8;

[[nodiscard]] inline engine::IndexRequest by_meaning() {
  engine::IndexRequest index;
  index.name = "by_meaning";
  index.index_kind = codec::IndexKind::vector;
  index.labels_or_types = {"M"};
  index.properties = {"v"};
  index.dimension = vector_dimension;
  // Every search is exact, so that a poor graph will do, which is made in a fraction of the time.
  index.m = 4;
  index.ef_construction = 8;
  return index;
}

struct VectorIndexManagerFixture {
  TemporaryDatabase db;
  std::mt19937 random{7};
  std::uint32_t width = vector_dimension;

  std::vector<float> vector() {
    std::normal_distribution<float> normal;
    std::vector<float> components(width);
    for (float& component : components) component = normal(random);
    return components;
  }
  static List list(const std::vector<float>& components) {
    List result;
    for (const float component : components) result.emplace_back(static_cast<double>(component));
    return result;
  }
  void make_index(codec::VectorStorage storage = codec::VectorStorage::float32) {
    Transaction transaction = must(db->begin());
    engine::IndexRequest index = by_meaning();
    index.dimension = width;
    index.storage = storage;
    must(Access::writer(transaction)->create_index(index));
    must(transaction.commit());
  }
  std::vector<NodeId> add(std::size_t count, const std::string& label = "M") {
    std::vector<NodeId> nodes;
    Transaction transaction = must(db->begin());
    for (std::size_t i = 0; i < count; ++i) {
      nodes.push_back(must(transaction.create_node({{label}, {{"v", Vector(vector())}}, ""})));
    }
    must(transaction.commit());
    return nodes;
  }
  VectorHits search(const std::vector<float>& query, std::size_t k) {
    return must(search_vectors(must(db->snapshot()), "by_meaning", query, exactly(k)));
  }
  std::uint64_t found(const std::vector<float>& query) {
    return search(query, 1'000'000).hits.size();
  }
  /// Changes the closed store without the engine.
  template <class Change>
  void change_store(const Change& change) {
    db.close();
    {
      const auto store =
          must(engine::RocksStore::open(db.path() / engine::metadata_file::store_directory, {}));
      engine::StoreBatch batch(*store);
      change(*store, batch);
      must(store->write(batch, engine::WriteMode::sync));
    }
    db.reopen(Options{});
  }
  void expect_sound() {
    const auto findings = must(db->check());
    BOOST_TEST(findings.empty(), (findings.empty() ? "" : findings[0].place + findings[0].problem));
  }
};

}  // namespace cairn::test
