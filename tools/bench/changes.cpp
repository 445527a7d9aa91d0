// `cairn-bench changes`: measures how inserts slow down concurrent vector searches and statements,
// and how changes affect recall. The phases run on one database, each on the state that the
// previous phase left. They measure recall; searches alone; searches during inserts; statements
// alone and during commits of one record with its relationships; recall after updates and
// deletions; and, after a checkpoint, recall and searches again. Recall is measured against an
// exact search of the same snapshot, with queries that are not in the data. The database is removed
// at the end.
#include "tools/bench/new_directory.hpp"
#include "tools/bench/number_file.hpp"
#include "tools/bench/replay.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>
#include <cairn/vector_search.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <random>
#include <thread>

namespace cairn::tools {
namespace {

constexpr std::string_view index_name = "vectors";
constexpr std::size_t hits = 10;
constexpr std::size_t commit_size = 1'000;  // records per commit, in loads and changes
constexpr std::size_t links = 3;            // relationships from each record to earlier ones

using Vectors = std::vector<std::vector<float>>;

struct Data {
  Vectors stored;
  Vectors questions;  // the last rows of the file
};

/// Reads all vectors into memory, because changes draw from them.
Result<Data> read_data(const ChangesReplay& work) {
  CAIRN_ASSIGN(VectorFile file, VectorFile::open(work.vectors, work.dimension));
  if (file.rows() < work.questions + hits)
    return Error{ErrorCode::invalid_argument,
                 work.vectors + " has " + std::to_string(file.rows()) + " rows; " +
                     std::to_string(work.questions) + " questions need at least " +
                     std::to_string(work.questions + hits),
                 std::nullopt};
  Data data;
  for (std::uint64_t row = 0; row < file.rows(); ++row) {
    CAIRN_ASSIGN(std::vector<float> vector, file.next());
    const bool is_question = row + work.questions >= file.rows();
    (is_question ? data.questions : data.stored).push_back(std::move(vector));
  }
  return data;
}

/// The database while records are inserted, updated and deleted. One thread writes; others may
/// search at the same time.
class ChangingVectors {
 public:
  ChangingVectors(Database& database, const Data& data, std::uint64_t seed)
      : database_(database), data_(data), random_(seed) {}

  Status load() {
    for (std::size_t begin = 0; begin < data_.stored.size(); begin += commit_size) {
      CAIRN_ASSIGN(Transaction transaction, database_.begin());
      const std::size_t end = std::min(begin + commit_size, data_.stored.size());
      for (std::size_t row = begin; row < end; ++row)
        CAIRN_TRY(insert(transaction, data_.stored[row]));
      CAIRN_TRY(transaction.commit());
    }
    return {};
  }

  /// Inserts `count` new vectors in one commit.
  Status insert_new(std::size_t count) {
    CAIRN_ASSIGN(Transaction transaction, database_.begin());
    for (std::size_t i = 0; i < count; ++i) CAIRN_TRY(insert(transaction, between_two()));
    return transaction.commit();
  }

  /// Changes `count` records drawn at random: three updates for each deletion.
  Status change(std::size_t count) {
    for (std::size_t done = 0; done < count;) {
      CAIRN_ASSIGN(Transaction transaction, database_.begin());
      for (const std::size_t end = std::min(done + commit_size, count); done < end; ++done)
        CAIRN_TRY(done % 4 == 3 ? erase_one(transaction) : update_one(transaction));
      CAIRN_TRY(transaction.commit());
    }
    return {};
  }

 private:
  Status insert(Transaction& transaction, std::vector<float> vector) {
    const auto number = static_cast<std::int64_t>(nodes_.size());
    CAIRN_ASSIGN(const NodeId node,
                 transaction.create_node({{"Item"},
                                          {{"number", number},
                                           {"year", static_cast<std::int64_t>(below(100))},
                                           {"tag", "t" + std::to_string(below(50))},
                                           {"v", Vector(std::move(vector))}}}));
    for (std::size_t i = 0; i < links && !nodes_.empty(); ++i)
      CAIRN_TRY(transaction.create_relationship({node, "NEAR", nodes_[below(nodes_.size())]}));
    nodes_.push_back(node);
    return {};
  }

  Status update_one(Transaction& transaction) {
    return transaction.set_property(nodes_[below(nodes_.size())], "v", Vector(between_two()));
  }

  /// Swaps the chosen record with the last one, so that the removal from `nodes_` takes constant
  /// time.
  Status erase_one(Transaction& transaction) {
    std::swap(nodes_[below(nodes_.size())], nodes_.back());
    const NodeId node = nodes_.back();
    nodes_.pop_back();
    return transaction.erase_node_and_relationships(node);
  }

  /// Returns a new vector that is distributed much like the stored vectors: three quarters of a
  /// stored vector plus a quarter of another.
  std::vector<float> between_two() {
    std::vector<float> vector = data_.stored[below(data_.stored.size())];
    const std::vector<float>& other = data_.stored[below(data_.stored.size())];
    for (std::size_t i = 0; i < vector.size(); ++i)
      vector[i] = 0.75F * vector[i] + 0.25F * other[i];
    return vector;
  }

  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  Database& database_;
  const Data& data_;
  std::mt19937_64 random_;
  std::vector<NodeId> nodes_;
};

/// Returns the share of the true nearest neighbours that a search of this accuracy class finds. A
/// hit that scores as well as the last true neighbour counts.
Result<double> recall_of(const Snapshot& snapshot, const Data& data, VectorAccuracy recall) {
  VectorSearchOptions exact;
  exact.accuracy = VectorAccuracy::exact;
  VectorSearchOptions asked;
  asked.accuracy = recall;
  std::size_t found = 0;
  std::size_t wanted = 0;
  for (const auto& question : data.questions) {
    CAIRN_ASSIGN(const VectorHits truth, search_vectors(snapshot, index_name, question, exact));
    CAIRN_ASSIGN(const VectorHits given, search_vectors(snapshot, index_name, question, asked));
    wanted += truth.hits.size();
    for (const Hit& hit : given.hits)
      if (hit.score >= truth.hits.back().score) ++found;
  }
  return static_cast<double>(found) / static_cast<double>(std::max<std::size_t>(wanted, 1));
}

Result<Map> recalls(const Database& database, const Data& data) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  CAIRN_ASSIGN(const double standard, recall_of(snapshot, data, VectorAccuracy::standard));
  CAIRN_ASSIGN(const double high, recall_of(snapshot, data, VectorAccuracy::high));
  return Map{{"default", standard}, {"high", high}};
}

/// Searches for `seconds`, at least once. Each search takes a new snapshot, so that it sees new
/// segments.
Result<Map> ask(const Database& database, const Data& data, double seconds) {
  Stopwatch watch;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i == 0 || seconds_since(begin) < seconds; ++i) {
    watch.restart();
    CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
    CAIRN_TRY(search_vectors(snapshot, index_name, data.questions[i % data.questions.size()]));
    watch.lap();
  }
  return watch.figures();
}

/// Inserts vectors on another thread at a fixed rate, with one commit per `interval`, until it is
/// finished or destroyed.
class SteadyWriter {
 public:
  SteadyWriter(ChangingVectors& vectors, std::size_t per_second, std::chrono::microseconds interval)
      : interval_(interval),
        begin_(Clock::now()),
        thread_([this, &vectors, per_second] { run(vectors, per_second); }) {}

  /// Stops the thread and returns the number of inserts per second.
  Result<double> finish() {
    stopping_ = true;
    thread_.join();
    CAIRN_TRY(std::move(status_));
    return static_cast<double>(inserted_) / seconds_since(begin_);
  }
  ~SteadyWriter() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }
  SteadyWriter(const SteadyWriter&) = delete;
  SteadyWriter& operator=(const SteadyWriter&) = delete;

 private:
  /// Inserts all vectors that are due by the clock, so that the writer catches up after a slow
  /// commit.
  void run(ChangingVectors& vectors, std::size_t per_second) {
    for (std::size_t turn = 1; !stopping_ && status_; ++turn) {
      const std::size_t due = turn * per_second * interval_.count() / 1'000'000;
      if (due > inserted_) status_ = vectors.insert_new(due - inserted_);
      inserted_ = std::max(inserted_, due);
      std::this_thread::sleep_until(begin_ + turn * interval_);
    }
  }

  std::chrono::microseconds interval_;
  std::atomic<bool> stopping_ = false;
  std::size_t inserted_ = 0;  // written by the thread; may be read once the thread has ended
  Status status_;             // likewise
  Clock::time_point begin_;
  std::thread thread_;
};

/// Reports the rate of inserts as well: a writer that cannot keep up would make the searches look
/// better.
Result<Map> ask_beside_inserts(const Database& database, ChangingVectors& vectors, const Data& data,
                               const ChangesReplay& work) {
  SteadyWriter writer(vectors, work.inserts_per_second, std::chrono::milliseconds(10));
  auto figures = ask(database, data, work.seconds);
  CAIRN_ASSIGN(const double rate, writer.finish());
  if (figures) (*figures)["inserts_per_second"] = rate;
  return figures;
}

struct Question {
  const char* name;
  const char* text;
};

constexpr Question statements[] = {
    {"search",
     "MATCH (n:Item) SEARCH n IN (VECTOR INDEX vectors FOR $vector WHERE n.year > 50 LIMIT 10) "
     "RETURN n.number"},
    {"filters", "MATCH (n:Item) WHERE n.tag = 't3' AND n.year > 60 RETURN count(n)"},
    {"count", "MATCH (n:Item) WHERE n.number > 100 RETURN count(n)"},
    {"newest", "MATCH (n:Item {tag: 't3'}) RETURN n.year ORDER BY n.number DESC LIMIT 10"},
    {"facets",
     "CALL db.facets({field: 'year', operator: 'greater_than', value: 50}, ['tag']) YIELD value, "
     "count RETURN value, count LIMIT 10"},
    {"hop2", "MATCH (:Item {number: $number})<-[:NEAR]-()<-[:NEAR]-(b) RETURN count(DISTINCT b)"},
    {"reach3", "MATCH (:Item {number: $number})-[:NEAR*1..3]->(b) RETURN count(DISTINCT b)"},
    {"group", "MATCH (n:Item) RETURN n.tag, count(*), sum(n.year)"},
    {"linked", "MATCH (:Item)-[:NEAR]->(b) RETURN b.tag, count(*)"},
};

/// Runs a prepared statement for `seconds`, at least once.
Result<Map> run_statement(Database& database, const Question& question, const Data& data,
                          double seconds) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(question.text));
  Stopwatch watch;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i == 0 || seconds_since(begin) < seconds; ++i) {
    Parameters parameters;
    if (question.name == std::string_view("search"))
      parameters["vector"] = Vector(data.questions[i % data.questions.size()]);
    else
      parameters["number"] = static_cast<std::int64_t>(i * 7'919 % data.stored.size());
    watch.restart();
    CAIRN_ASSIGN(Rows rows, statement.run(database, parameters));
    CAIRN_TRY(rows.all());
    watch.lap();
  }
  return watch.figures();
}

/// Returns for each statement its figures alone, its figures during commits of one record, and
/// their ratios. Each statement runs for a moment before it is measured, because its first runs
/// build what later runs read.
Result<Map> run_statements(Database& database, ChangingVectors& vectors, const Data& data,
                           const ChangesReplay& work) {
  Map report;
  for (const Question& question : statements) {
    CAIRN_TRY(run_statement(database, question, data, work.seconds / 16));
    CAIRN_ASSIGN(const Map idle, run_statement(database, question, data, work.seconds / 4));
    const auto interval = std::chrono::microseconds(1'000'000 / work.inserts_per_second);
    SteadyWriter writer(vectors, work.inserts_per_second, interval);
    CAIRN_ASSIGN(const Map beside, run_statement(database, question, data, work.seconds / 4));
    CAIRN_ASSIGN(const double commits, writer.finish());
    const auto ratio = [&](const char* figure) {
      return beside.at(figure).as_float() / idle.at(figure).as_float();
    };
    report[question.name] = Map{{"idle", idle},
                                {"beside_commits", beside},
                                {"commits_per_second", commits},
                                {"rate_beside_to_idle", ratio("rate")},
                                {"p50_beside_to_idle", ratio("p50_us")},
                                {"p99_beside_to_idle", ratio("p99_us")},
                                {"cpu_beside_to_idle", ratio("cpu_us")}};
  }
  return report;
}

void tell(const std::string& what, double seconds) {
  std::cerr << what << ", " << static_cast<std::int64_t>(seconds) << " s\n";
}

/// Raises the time limit of the statement, because building an index over many vectors takes
/// minutes.
Status create_index(Database& database, const ChangesReplay& work) {
  StatementOptions options;
  options.timeout = std::chrono::hours(24);
  CAIRN_TRY(execute(database,
                    "CREATE VECTOR INDEX " + std::string(index_name) +
                        " FOR (n:Item) ON (n.v) OPTIONS {indexConfig: {`vector.dimensions`: " +
                        std::to_string(work.dimension) + ", `vector.similarity_function`: '" +
                        work.metric + "'}}",
                    {}, options));
  return {};
}

/// Runs the phases. Each starts from the state that the previous phase left.
Result<Map> run_phases(Database& database, const Data& data, const ChangesReplay& work) {
  const auto begin = Clock::now();
  ChangingVectors vectors(database, data, work.seed);
  CAIRN_TRY(create_index(database, work));
  CAIRN_TRY(vectors.load());
  CAIRN_TRY(database.checkpoint());
  tell(std::to_string(data.stored.size()) + " vectors loaded and indexed", seconds_since(begin));
  Map report;
  CAIRN_ASSIGN(report["recall_before"], recalls(database, data));
  CAIRN_ASSIGN(report["idle"], ask(database, data, work.seconds));
  CAIRN_ASSIGN(report["beside_inserts"], ask_beside_inserts(database, vectors, data, work));
  tell("searched alone and beside inserts", seconds_since(begin));
  CAIRN_ASSIGN(report["statements"], run_statements(database, vectors, data, work));
  tell("statements alone and beside commits", seconds_since(begin));
  CAIRN_TRY(vectors.change(work.changes));
  CAIRN_ASSIGN(report["recall_after_changes"], recalls(database, data));
  tell(std::to_string(work.changes) + " updates and deletions", seconds_since(begin));
  CAIRN_TRY(database.checkpoint());
  CAIRN_ASSIGN(report["recall_when_settled"], recalls(database, data));
  CAIRN_ASSIGN(report["when_settled"], ask(database, data, work.seconds));
  return report;
}

/// The ratio of the two p99 times shows how much inserts slow searches down.
Result<Map> measure(const ChangesReplay& work) {
  CAIRN_ASSIGN(const Data data, read_data(work));
  if (work.changes / 4 + hits > data.stored.size())
    return Error{ErrorCode::invalid_argument,
                 std::to_string(work.changes) + " changes would delete " +
                     std::to_string(work.changes / 4) + " of " +
                     std::to_string(data.stored.size()) + " vectors, but " + std::to_string(hits) +
                     " must remain: choose fewer --changes",
                 std::nullopt};
  Options options;
  options.durability = Durability::async;
  CAIRN_ASSIGN(Database database, Database::open(work.database, options));
  CAIRN_ASSIGN(Map report, run_phases(database, data, work));
  CAIRN_TRY(database.close());
  const double idle = report["idle"].as_map().at("p99_us").as_float();
  const double beside = report["beside_inserts"].as_map().at("p99_us").as_float();
  report["p99_beside_to_idle"] = beside / idle;
  report["vectors"] = static_cast<std::int64_t>(data.stored.size());
  report["changes"] = static_cast<std::int64_t>(work.changes);
  return report;
}

}  // namespace

// Removes the database at the end, also after an error, because its contents are of no further use.
Status replay(const ChangesReplay& work) {
  CAIRN_TRY(check_new_directory(work.database));
  const auto report = measure(work);
  std::error_code ignored;  // a directory that could not be removed is reported by the next run
  std::filesystem::remove_all(work.database, ignored);
  if (!report) return report.error();
  return write_report(work.report, *report);
}

}  // namespace cairn::tools
