// `cairn-bench metadata`: filters over generated nodes, in a database of its own. Loads in bulk,
// then asks a warm database, then updates one hot value and asks again: what many changes of one
// posting cost, and what they leave behind. Times are of the wall clock, statements parsed once.
#include "tools/bench/metadata.hpp"

#include "tools/bench/metadata_data.hpp"
#include "tools/bench/new_directory.hpp"
#include "tools/transfer/transfer_report.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <ostream>
#include <vector>

namespace cairn::tools {
namespace {

using Clock = std::chrono::steady_clock;
/// Enough for a p99 of two measurements; five more warm before.
constexpr std::size_t repetitions = 200;

/// An AND of two postings with an OR of a frequent and a rare one; `range` adds a tenth of all
/// distinct values.
constexpr std::string_view filter =
    "MATCH (m:Memory) WHERE m.kind = 'kind7' AND m.level = 3 "
    "AND (m.topic = 'topic0' OR 'tag5' IN m.tags) ";
constexpr std::string_view range = "AND m.serial >= $low AND m.serial < $high ";
constexpr std::string_view counting = "RETURN count(*) AS n";

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void print_figure(std::ostream& out, const std::string& name, double value, std::string_view unit) {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(), "%-52s %12.3f %s\n", name.c_str(), value,
                std::string(unit).c_str());
  out << line.data() << std::flush;
}

/// Times of one statement, warm.
struct Latency {
  std::int64_t result = 0;
  double median_ms = 0;
  double p99_ms = 0;
};

Result<std::int64_t> count_once(const Statement& statement, Database& database,
                                const Parameters& parameters) {
  CAIRN_ASSIGN(Rows rows, statement.run(database, parameters));
  CAIRN_ASSIGN(const auto all, rows.all());
  return all.at(0).at(0).as_integer();
}

/// Parsed once, run on. The first five runs warm caches and are not counted. Wall clock: what a
/// caller waits.
Result<Latency> measure(Database& database, const std::string& text, const Parameters& parameters) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
  Latency latency;
  std::vector<double> times;
  for (std::size_t i = 0; i < repetitions + 5; ++i) {
    const auto begin = Clock::now();
    CAIRN_ASSIGN(latency.result, count_once(statement, database, parameters));
    if (i >= 5) times.push_back(1e3 * seconds_since(begin));
  }
  std::sort(times.begin(), times.end());
  latency.median_ms = times[times.size() / 2];
  latency.p99_ms = times[times.size() * 99 / 100];
  return latency;
}

Status report_count(std::ostream& out, Database& database, const std::string& name,
                    const std::string& text, const Parameters& parameters) {
  CAIRN_ASSIGN(const Latency latency, measure(database, text, parameters));
  print_figure(out, name + ", rows", static_cast<double>(latency.result), "rows");
  print_figure(out, name + ", median", latency.median_ms, "ms");
  print_figure(out, name + ", p99", latency.p99_ms, "ms");
  return {};
}

/// The range is of a property whose numbers are each there once, so that 10 % of the nodes are in
/// it.
Status report_counts(std::ostream& out, Database& database, const MetadataBench& bench,
                     const std::string& when) {
  const auto tenth = static_cast<std::int64_t>(bench.nodes / 10);
  const Parameters bounds{{"low", 4 * tenth}, {"high", 5 * tenth}};
  const std::string plain = std::string(filter) + std::string(counting);
  const std::string ranged = std::string(filter) + std::string(range) + std::string(counting);
  CAIRN_TRY(report_count(out, database, "filter" + when, plain, {}));
  return report_count(out, database, "filter and 10 % range" + when, ranged, bounds);
}

/// Without a log, as a user loads a large file; the file itself goes afterwards.
Status load(std::ostream& out, const MetadataBench& bench) {
  const std::filesystem::path file = bench.directory + ".jsonl";
  CAIRN_TRY(write_metadata_nodes(file, bench.nodes, bench.seed));
  Options options;
  options.mode = OpenMode::bulk_load;
  const auto begin = Clock::now();
  CAIRN_ASSIGN(Database database, Database::open(bench.directory, options));
  CAIRN_TRY(import_shown(database, file, {}, true));
  CAIRN_TRY(database.close());
  const double seconds = seconds_since(begin);
  std::filesystem::remove(file);
  print_figure(out, "bulk import", static_cast<double>(bench.nodes) / seconds, "nodes/s");
  return {};
}

/// One commit an update: each moves a node into or out of the most frequent value of `level`.
Status update_hot_value(std::ostream& out, Database& database, const MetadataBench& bench) {
  CAIRN_ASSIGN(const Statement statement,
               Statement::parse("MATCH (m:Memory) WHERE m.serial < $nodes RETURN id(m) AS id"));
  const auto chosen = static_cast<std::int64_t>(std::min<std::uint64_t>(bench.nodes, 1'000));
  CAIRN_ASSIGN(Rows rows, statement.run(database, {{"nodes", chosen}}));
  CAIRN_ASSIGN(const auto ids, rows.all());
  const auto begin = Clock::now();
  for (std::uint64_t i = 0; i < bench.updates; ++i) {
    const auto id = static_cast<std::uint64_t>(ids[i % ids.size()][0].as_integer());
    const std::int64_t value = (i / ids.size()) % 2 == 0 ? 3 : 4;
    CAIRN_ASSIGN(Transaction transaction, database.begin());
    CAIRN_TRY(transaction.set_property(NodeId{id}, "level", value));
    CAIRN_TRY(transaction.commit());
  }
  print_figure(out, "updates of one hot value",
               static_cast<double>(bench.updates) / seconds_since(begin), "commits/s");
  return {};
}

}  // namespace

// Opened again after the load, so that the time of opening is part of it. Commits are asynchronous:
// the disk's time to sync is not what is compared. The database is left, to be looked at.
Status bench_metadata(const MetadataBench& bench, std::ostream& out) {
  CAIRN_TRY(check_new_directory(bench.directory));
  CAIRN_TRY(load(out, bench));
  Options options;
  options.create_if_missing = false;
  options.durability = Durability::async;
  const auto begin = Clock::now();
  CAIRN_ASSIGN(Database database, Database::open(bench.directory, options));
  print_figure(out, "open", 1e3 * seconds_since(begin), "ms");
  CAIRN_ASSIGN(const DatabaseStatistics statistics, database.statistics());
  print_figure(out, "on disk a node",
               static_cast<double>(statistics.disk_bytes) / static_cast<double>(bench.nodes),
               "bytes");
  CAIRN_TRY(report_counts(out, database, bench, ""));
  if (bench.updates == 0) return {};
  CAIRN_TRY(update_hot_value(out, database, bench));
  return report_counts(out, database, bench, " after the updates");
}

}  // namespace cairn::tools
