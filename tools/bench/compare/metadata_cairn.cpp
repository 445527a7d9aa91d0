// Cairn's side of the metadata comparison: statements with parameters, facets by procedure, and
// reads of single records as views, as whole nodes and by statement. Listing all ids raises the
// limits of statements and is not timed.
#include "tools/bench/compare/metadata_cairn.hpp"

#include <cairn/filter.hpp>
#include <cairn/node_view.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <filesystem>

namespace cairn::compare {
namespace {

constexpr std::size_t batch = 10'000;
constexpr const char* filtered =
    "MATCH (m:Memory) WHERE m.kind = $p1 AND (m.source = $p2 OR m.importance >= $p3) ";

/// A question for a total and a page takes two statements, as in SQL.
std::vector<std::string> cypher_of(Shape shape) {
  const std::string few = "MATCH (m:Memory) WHERE m.agent = $p1 AND m.kind = $p2 ";
  const std::string narrow =
      "MATCH (m:Memory) WHERE m.agent = $p1 AND m.kind = $p2 AND m.source = $p3 ";
  const std::string many = "MATCH (m:Memory) WHERE m.kind = $p1 AND m.importance >= $p2 ";
  const std::string count = "RETURN count(*)";
  const std::string newest = "RETURN id(m), m.created ORDER BY m.created DESC LIMIT 20";
  switch (shape) {
    case Shape::count_equal:
      return {
          "MATCH (m:Memory) WHERE m.kind = $p1 AND (m.source = $p2 OR m.agent = $p3 OR "
          "m.pinned) " +
          count};
    case Shape::count_range:
      return {
          "MATCH (m:Memory) WHERE m.kind = $p1 AND (m.source = $p2 OR m.importance >= $p3) "
          "AND m.tokens < $p4 " +
          count};
    case Shape::count_period:
      return {"MATCH (m:Memory) WHERE $p1 IN m.tags AND m.created >= $p2 AND NOT m.pinned " +
              count};
    case Shape::facets:
      return {"CALL db.facets($filter, ['source', 'agent', 'importance'])"};
    case Shape::facet_tags:
      return {"CALL db.facets($filter, ['tags'])"};
    case Shape::group:
      return {std::string(filtered) + "RETURN m.source AS value, count(*) AS n"};
    case Shape::newest_few:
      return {few + count, few + newest};
    case Shape::newest_many:
      return {many + count, many + newest};
    case Shape::newest_narrow:
      return {narrow + count, narrow + newest};
  }
  return {};
}

Value value_of(const Operand& operand) {
  return operand.is_number ? Value(operand.number) : Value(operand.text);
}

/// Facets take a filter as one parameter. Other statements take the operands as $p1, $p2 and so on.
Parameters parameters_of(const Question& question) {
  const auto& by = question.operands;
  if (question.shape == Shape::facets || question.shape == Shape::facet_tags)
    return {{"filter",
             to_value(Filter::all_of(
                 {Filter::has_label("Memory"),
                  Filter::where("kind", FilterOperator::equals, value_of(by[0])),
                  Filter::any_of({Filter::where("source", FilterOperator::equals, value_of(by[1])),
                                  Filter::where("importance", FilterOperator::greater_or_equal,
                                                value_of(by[2]))})}))}};
  Parameters parameters;
  for (std::size_t i = 0; i < by.size(); ++i)
    parameters["p" + std::to_string(i + 1)] = value_of(by[i]);
  return parameters;
}

Properties properties_of(const MetadataRecord& record) {
  return {{"kind", record.kind},
          {"source", record.source},
          {"agent", record.agent},
          {"session", record.session},
          {"tags", List(record.tags.begin(), record.tags.end())},
          {"importance", record.importance},
          {"tokens", record.tokens},
          {"score", record.score},
          {"created", record.created},
          {"pinned", record.pinned}};
}

/// The node id of each record, at index number - 1. Records were created in the order of their
/// numbers.
Result<std::vector<std::uint64_t>> ids_of(Database& database) {
  StatementOptions options;
  options.max_rows = std::size_t{1} << 40;
  options.memory_bytes = std::size_t{8} << 30;
  CAIRN_ASSIGN(Rows rows,
               execute(database, "MATCH (m:Memory) RETURN id(m) AS id ORDER BY id", {}, options));
  std::vector<std::uint64_t> ids;
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) return ids;
    ids.push_back(static_cast<std::uint64_t>((*row)[0].as_integer()));
  }
}

/// Converts answers to the form that all engines share: numbers of records, and counts by
/// "field=value".
class CairnPeer final : public MetadataPeer {
 public:
  explicit CairnPeer(Database& database) : database_(database) {}
  std::string name() const override { return "Cairn"; }

  /// Parses each statement once, as the other engines prepare theirs once.
  Status prepare() {
    for (const Shape shape : shapes)
      for (const std::string& text : cypher_of(shape)) {
        CAIRN_ASSIGN(Statement statement, Statement::parse(text));
        statements_[shape].push_back(std::move(statement));
      }
    CAIRN_ASSIGN(get_, Statement::parse("MATCH (m) WHERE id(m) = $id RETURN m.created"));
    CAIRN_ASSIGN(ids_, ids_of(database_));
    if (!ids_.empty()) numbers_.resize(ids_.back() - ids_.front() + 1);
    for (std::size_t i = 0; i < ids_.size(); ++i) numbers_[ids_[i] - ids_.front()] = i + 1;
    return {};
  }

  /// Newest records take two statements for every engine: the total and the ids.
  Result<Answer> ask(const Question& question) override {
    Answer answer;
    const Parameters parameters = parameters_of(question);
    const auto& statements = statements_[question.shape];
    for (std::size_t i = 0; i < statements.size(); ++i) {
      CAIRN_ASSIGN(Rows rows, statements[i].run(database_, parameters));
      while (true) {
        CAIRN_ASSIGN(const auto row, rows.next());
        if (!row) break;
        take(*row, i == 0, question.shape, answer);
      }
    }
    return answer;
  }

  /// Takes a new snapshot for each read, as a separate request would.
  Result<std::size_t> get(Get get, std::uint64_t number) override {
    if (get == Get::by_id_statement) return get_by_statement(ids_[number - 1]);
    CAIRN_ASSIGN(const Snapshot snapshot, database_.snapshot());
    if (get == Get::by_key_values) {
      CAIRN_ASSIGN(const auto node, snapshot.find_node(key_of(number)));
      return node ? node->properties().size() : 0;
    }
    const auto found = is_by_key(get) ? view_node(snapshot, key_of(number))
                                      : view_node(snapshot, NodeId{ids_[number - 1]});
    CAIRN_ASSIGN(const auto node, found);
    if (!node || get == Get::by_id || get == Get::by_key) return node ? node->bytes() : 0;
    CAIRN_ASSIGN(const Value created, node->property("created"));
    return created.as_string().size();
  }

 private:
  Result<std::size_t> get_by_statement(std::uint64_t id) {
    CAIRN_ASSIGN(Rows rows, get_->run(database_, {{"id", Value(static_cast<std::int64_t>(id))}}));
    CAIRN_ASSIGN(const auto row, rows.next());
    return row ? (*row)[0].as_string().size() : 0;
  }

  /// Adds a row to the answer. Records have numbers from 1 on, in the order in which they were
  /// created.
  void take(std::span<const Value> row, bool is_first, Shape shape, Answer& answer) const {
    if (has_counts(shape)) {
      const bool has_field = shape != Shape::group;
      const Value& value = row[has_field ? 1 : 0];
      const std::string field = has_field ? row[0].as_string() : "source";
      answer.counts[field + "=" + (value.string() != nullptr ? *value.string() : value.to_text())] =
          static_cast<std::uint64_t>(row[has_field ? 2 : 1].as_integer());
    } else if (is_first) {
      answer.total = static_cast<std::uint64_t>(row[0].as_integer());
    } else {
      const auto id = static_cast<std::uint64_t>(row[0].as_integer());
      answer.ids.push_back(numbers_[id - ids_.front()]);
    }
  }

  Database& database_;
  std::map<Shape, std::vector<Statement>> statements_;
  std::optional<Statement> get_;
  std::vector<std::uint64_t> ids_;      // at number - 1
  std::vector<std::uint64_t> numbers_;  // at id - first id; a search here would slow Cairn down
};

/// All reads use one snapshot, because the reads of bare RocksDB take no snapshots either. Written
/// nodes have a label of their own.
class CairnStore final : public StorePeer {
 public:
  CairnStore(Database& database, Snapshot snapshot, std::vector<std::uint64_t> ids)
      : database_(database), snapshot_(std::move(snapshot)), ids_(std::move(ids)) {}
  std::string name() const override { return "Cairn"; }

  std::uint64_t id_of(std::uint64_t number) const override { return ids_[number - 1]; }

  Result<std::size_t> read(std::uint64_t id) override {
    CAIRN_ASSIGN(const auto node, view_node(snapshot_, NodeId{id}));
    return node ? node->bytes() : 0;
  }

  Result<std::size_t> read_property(std::uint64_t id) override {
    CAIRN_ASSIGN(const auto node, view_node(snapshot_, NodeId{id}));
    if (!node) return 0;
    CAIRN_ASSIGN(const Value created, node->property("created"));
    return created.as_string().size();
  }

  /// Inserts one record and its vector in one commit, which is durable when the call returns.
  Status insert(const MetadataRecord& record, std::span<const float> vector) override {
    NewNode node{{"Fresh"}, properties_of(record)};
    node.properties["embedding"] = Vector(std::vector<float>(vector.begin(), vector.end()));
    CAIRN_ASSIGN(Transaction transaction, database_.begin());
    CAIRN_ASSIGN(const NodeId id, transaction.create_node(node));
    inserted_.push_back(id);
    return transaction.commit();
  }

  Status update(std::size_t inserted, std::int64_t importance) override {
    CAIRN_ASSIGN(Transaction transaction, database_.begin());
    CAIRN_TRY(transaction.set_property(inserted_[inserted], "importance", Value(importance)));
    return transaction.commit();
  }

 private:
  Database& database_;
  Snapshot snapshot_;
  std::vector<std::uint64_t> ids_;
  std::vector<NodeId> inserted_;
};

/// Loads all records in bulk, 10,000 per commit.
Status fill(const std::string& directory, const Records& records) {
  Options options;
  options.mode = OpenMode::bulk_load;
  CAIRN_ASSIGN(Database database, Database::open(directory, options));
  for (std::size_t begin = 0; begin < records.size(); begin += batch) {
    CAIRN_ASSIGN(Transaction transaction, database.begin());
    for (std::size_t i = begin; i < std::min(begin + batch, records.size()); ++i)
      CAIRN_TRY(transaction.create_node({{"Memory"}, properties_of(records[i]), key_of(i + 1)}));
    CAIRN_TRY(transaction.commit());
  }
  return database.close();
}

}  // namespace

// An existing directory is assumed to be filled by an earlier run with the same seed.
Result<Database> open_cairn(const std::string& directory, const Records& records) {
  if (!std::filesystem::exists(directory)) CAIRN_TRY(fill(directory, records));
  CAIRN_ASSIGN(Database database, Database::open(directory));
  CAIRN_TRY(
      execute(database,
              "CREATE VECTOR INDEX fresh IF NOT EXISTS FOR (m:Fresh) ON (m.embedding) OPTIONS "
              "{indexConfig: {`vector.dimensions`: " +
                  std::to_string(write_dimension) + ", `vector.similarity_function`: 'cosine'}}"));
  return database;
}

PeerResult make_cairn_peer(Database& database) {
  auto peer = std::make_unique<CairnPeer>(database);
  CAIRN_TRY(peer->prepare());
  return std::unique_ptr<MetadataPeer>(std::move(peer));
}

Result<std::unique_ptr<StorePeer>> make_cairn_store(Database& database) {
  CAIRN_ASSIGN(auto ids, ids_of(database));
  CAIRN_ASSIGN(Snapshot snapshot, database.snapshot());
  return std::unique_ptr<StorePeer>(
      std::make_unique<CairnStore>(database, std::move(snapshot), std::move(ids)));
}

}  // namespace cairn::compare
