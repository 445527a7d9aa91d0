// A program written for Chroma, call by call: add, query with a filter, get, update, upsert, delete, count.
#include <cairn/cairn.hpp>
#include <cairn/filter.hpp>
#include <cairn/vector_search.hpp>

#include <iostream>
#include <string>
#include <vector>

using namespace cairn;

namespace {

struct Item {
  std::string id;
  std::vector<float> embedding;
  std::string document;
  Properties metadata;
};

// collection.add and collection.upsert
Status put(Database& database, const std::vector<Item>& items) {
  CAIRN_ASSIGN(Transaction transaction, database.begin());
  for (const Item& item : items) {
    Properties properties = item.metadata;
    properties["embedding"] = Vector(item.embedding);
    properties["document"] = item.document;
    CAIRN_TRY(transaction.put_node({{"Article"}, properties, item.id}));
  }
  return transaction.commit();
}

// collection.query(query_embeddings=..., n_results=2, where=...)
Status query(const Database& database, const std::vector<float>& question, const Filter& filter) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  CAIRN_ASSIGN(const VectorHits found,
               search_vectors(snapshot, "articles", question, {.k = 2, .filter = filter}));
  for (const Hit& hit : found.hits) {
    CAIRN_ASSIGN(const auto node, snapshot.find_node(NodeId{hit.id}));
    std::cout << node->external_id() << ": " << node->property("document").as_string() << "\n";
  }
  std::cout << "--\n";
  return {};
}

Status run(const char* path) {
  CAIRN_ASSIGN(Database database, Database::open(path));
  CAIRN_TRY(execute(database,
                    "CREATE VECTOR INDEX articles IF NOT EXISTS FOR (a:Article) ON (a.embedding) "
                    "OPTIONS {indexConfig: {`vector.dimensions`: 3}}"));
  CAIRN_TRY(
      put(database, {{"id1", {1, 0, 0}, "Apples are red", {{"topic", "fruit"}, {"year", 2023}}},
                     {"id2", {0.9F, 0.1F, 0}, "Cars are fast", {{"topic", "cars"}, {"year", 2024}}},
                     {"id3", {0, 1, 0}, "Pears are green", {{"topic", "fruit"}, {"year", 2025}}}}));
  CAIRN_TRY(query(database, {1, 0, 0}, Filter::where("topic", FilterOperator::equals, "fruit")));
  CAIRN_TRY(put(database, {{"id3", {1, 0, 0.1F}, "Pears are sweet", {{"topic", "fruit"}}}}));
  CAIRN_TRY(execute(database, "MATCH (a:Article) WHERE a.year < 2024 DETACH DELETE a"));
  CAIRN_TRY(
      execute(database, "MATCH (a:Article {topic: 'cars'}) SET a.document = 'Cars are loud'"));
  return query(database, {1, 0, 0}, {});
}

}  // namespace

int main(int, char** arguments) {
  const Status done = run(arguments[1]);
  if (!done) std::cerr << done.error().message << "\n";
  return done ? 0 : 1;
}
