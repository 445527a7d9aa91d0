// `cairn-bench metadata`: measures filters over generated nodes in a database of its own. Loads in
// bulk, filters with warm caches, updates one frequent value and filters again. The figures show
// what many changes of one posting list cost, and how they slow later filters down. Times are of
// the wall clock; statements are parsed once. The second half of the file is `cairn-bench facets`.
#include "tools/bench/benchmarks.hpp"
#include "tools/bench/new_directory.hpp"
#include "tools/transfer/transfer_report.hpp"

#include <cairn/database.hpp>
#include <cairn/facets.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace cairn::tools {
namespace {

// Generates the nodes as an import file with eight properties drawn from a seed: kinds and levels
// with few values of equal chance, topics and tags by Zipf's law, serials that are a permutation
// (for ranges over many values), and dates over two years.

constexpr std::size_t topics = 1'000;

constexpr std::size_t tag_names = 200;

constexpr std::int64_t days = 730;

/// Draws a rank from 0 to n - 1 with a probability proportional to 1 / (rank + 1).
class Zipf {
 public:
  explicit Zipf(std::size_t n) : sums_(n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sums_[i] = sum += 1.0 / static_cast<double>(i + 1);
  }
  std::size_t operator()(std::mt19937_64& random) const {
    const double at = std::uniform_real_distribution<double>(0, sums_.back())(random);
    const auto found = std::lower_bound(sums_.begin(), sums_.end(), at);
    return static_cast<std::size_t>(found - sums_.begin());
  }

 private:
  std::vector<double> sums_;
};

std::size_t below(std::mt19937_64& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

std::string date_text(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{19'358 + day}}};
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text.data();
}

/// Returns a JSON list of one to five tags, fewer if some draws are equal.
std::string tags_text(std::mt19937_64& random, const Zipf& zipf) {
  std::vector<std::size_t> tags(1 + below(random, 5));
  for (std::size_t& tag : tags) tag = zipf(random);
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  std::string text;
  for (std::size_t tag : tags)
    text += (text.empty() ? "\"tag" : ",\"tag") + std::to_string(tag) + "\"";
  return text;
}

/// Writes one line of APOC JSON per node with label Memory and these properties:
///   resolved  boolean, 2 values             kind   text, 20 values
///   topic     text, 1,000 values, Zipf      level  integer, 10 values
///   tags      list of 1 to 5 texts of 200, Zipf
///   serial    integer, distinct, shuffled   created  date text over two years
///   weight    float in [0, 1)
/// The benchmark measures the import of this file. Errors: io_error.
Status write_metadata_nodes(const std::filesystem::path& file, std::uint64_t nodes,
                            std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Zipf topic(topics);
  const Zipf tag(tag_names);
  std::vector<std::uint64_t> serials(nodes);
  std::iota(serials.begin(), serials.end(), std::uint64_t{0});
  std::shuffle(serials.begin(), serials.end(), random);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  for (std::uint64_t i = 0; i < nodes && out; ++i) {
    const double weight = std::uniform_real_distribution<double>(0, 1)(random);
    out << R"({"type":"node","id":")" << i << R"(","labels":["Memory"],"properties":{"resolved":)"
        << (below(random, 2) == 0 ? "false" : "true") << R"(,"kind":"kind)" << below(random, 20)
        << R"(","topic":"topic)" << topic(random) << R"(","level":)" << below(random, 10)
        << R"(,"tags":[)" << tags_text(random, tag) << R"(],"serial":)" << serials[i]
        << R"(,"created":")" << date_text(static_cast<std::int64_t>(below(random, days)))
        << R"(","weight":)" << weight << "}}\n";
  }
  out.close();
  if (!out) return Error{ErrorCode::io_error, "cannot write " + file.string(), std::nullopt};
  return {};
}

using Clock = std::chrono::steady_clock;
/// Number of measured runs; the p99 is the second slowest. Five more runs warm caches first.
constexpr std::size_t repetitions = 200;

/// The filter intersects two posting lists with the union of a frequent and a rarer one. `range`
/// adds a condition that selects a tenth of all values.
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

/// The times of one statement with warm caches.
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

/// Parses the statement once and runs it repeatedly. The first five runs warm caches and are not
/// counted. Uses the wall clock, because it shows how long a caller waits.
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

/// Measures the filter with and without a range. The range is over a property whose values are
/// distinct, so that 10 % of the nodes are in it.
Status report_counts(std::ostream& out, Database& database, const MetadataBench& bench,
                     const std::string& when) {
  const auto tenth = static_cast<std::int64_t>(bench.nodes / 10);
  const Parameters bounds{{"low", 4 * tenth}, {"high", 5 * tenth}};
  const std::string plain = std::string(filter) + std::string(counting);
  const std::string ranged = std::string(filter) + std::string(range) + std::string(counting);
  CAIRN_TRY(report_count(out, database, "filter" + when, plain, {}));
  return report_count(out, database, "filter and 10 % range" + when, ranged, bounds);
}

/// Loads without a write-ahead log, as a user loads a large file. Then removes the file.
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

/// Makes one commit per update. Each moves a node into or out of the most frequent value of
/// `level`.
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

// Opens the database again after the load, so that the time of opening can be measured. Commits are
// asynchronous, because the time that the disk needs for a sync is not of interest here. The
// database is not removed.
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

// `cairn-bench facets`: faceted searches over generated records. `now` is the end of their dates.
// The first hundred searches warm caches. Figures are of the wall clock, except for the p99 of
// processor time.

namespace {

constexpr std::int64_t first_second = 1'700'000'000;
constexpr std::int64_t two_years = 730 * 86'400;
constexpr std::size_t searches = 500;
constexpr std::size_t batch = 10'000;

std::string tag_name(std::mt19937_64& random, std::uint64_t tags) {
  return "tag" + std::to_string(below(random, tags));
}

// Draws one to five tags and one of ten types, all equally likely. Dates are distinct and evenly
// spaced.
Properties memory(std::mt19937_64& random, const FacetsBench& bench, std::uint64_t number) {
  List tags;
  for (std::uint64_t i = 1 + below(random, 5); i > 0; --i)
    tags.emplace_back(tag_name(random, bench.tags));
  const auto second = first_second + two_years * static_cast<std::int64_t>(number) /
                                         static_cast<std::int64_t>(bench.nodes);
  const std::chrono::sys_seconds time{std::chrono::seconds{second}};
  const auto date = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day day{date};
  const std::chrono::hh_mm_ss clock{time - date};
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                static_cast<unsigned>(day.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return {{"tags", std::move(tags)},
          {"type", "type" + std::to_string(below(random, 10))},
          {"created_at", text.data()}};
}

/// Loads in bulk, because the speed of loading is not measured here.
Status load(const FacetsBench& bench) {
  Options options;
  options.mode = OpenMode::bulk_load;
  CAIRN_ASSIGN(Database database, Database::open(bench.directory, options));
  std::mt19937_64 random(bench.seed);
  // Shuffles the dates, so that they are independent of ids.
  std::vector<std::uint64_t> numbers(bench.nodes);
  for (std::uint64_t i = 0; i < bench.nodes; ++i) numbers[i] = i;
  std::shuffle(numbers.begin(), numbers.end(), random);
  for (std::size_t begin = 0; begin < numbers.size(); begin += batch) {
    CAIRN_ASSIGN(Transaction transaction, database.begin());
    for (std::size_t i = begin; i < std::min(begin + batch, numbers.size()); ++i)
      CAIRN_TRY(transaction.create_node({{"Memory"}, memory(random, bench, numbers[i])}));
    CAIRN_TRY(transaction.commit());
  }
  return database.close();
}

// Draws a search: two tags of which one must match, a type, and a period before `now`.
FacetedSearch draw(std::mt19937_64& random, const FacetsBench& bench) {
  FacetedSearch search;
  search.tags = {tag_name(random, bench.tags), tag_name(random, bench.tags)};
  search.type_field = "type";
  search.filter =
      Filter::where("type", FilterOperator::equals, "type" + std::to_string(below(random, 10)));
  search.date_from = std::to_string(30 + below(random, 600)) + "d";
  search.date_to = std::to_string(below(random, 20)) + "d";
  search.facets = {{"tags"}, {"type"}, {"created_at", true}};
  return search;
}

void print_figure(std::ostream& out, const char* name, double value, const char* unit) {
  std::array<char, 120> line{};
  std::snprintf(line.data(), line.size(), "%-52s %12.3f %s\n", name, value, unit);
  out << line.data() << std::flush;
}

}  // namespace

// `now` is the end of the generated dates, so that counts by age do not depend on the day of the
// run. The searches have a seed of their own.
Status bench_facets(const FacetsBench& bench, std::ostream& out) {
  CAIRN_TRY(check_new_directory(bench.directory));
  CAIRN_TRY(load(bench));
  CAIRN_ASSIGN(Database database, Database::open(bench.directory, {}));
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  StatementOptions options;
  options.now = (first_second + two_years) * 1'000'000;
  std::mt19937_64 random(bench.seed + 1);
  std::vector<double> times;
  double rows = 0;
  std::vector<double> processor_times;  // exclude time that other programs take
  constexpr std::size_t warming = 100;
  for (std::size_t i = 0; i < warming + searches; ++i) {
    const FacetedSearch search = draw(random, bench);
    const auto begin = Clock::now();
    const std::clock_t cpu_begin = std::clock();
    CAIRN_ASSIGN(const FacetedPage page, faceted_search(snapshot, search, options));
    const double ms = 1e3 * std::chrono::duration<double>(Clock::now() - begin).count();
    if (i < warming) continue;
    const auto ticks = static_cast<double>(std::clock() - cpu_begin);
    processor_times.push_back(1e3 * ticks / CLOCKS_PER_SEC);
    times.push_back(ms);
    rows += static_cast<double>(page.total);
  }
  std::sort(times.begin(), times.end());
  std::sort(processor_times.begin(), processor_times.end());
  print_figure(out, "rows that pass, mean", rows / static_cast<double>(searches), "rows");
  print_figure(out, "faceted search, median", times[times.size() / 2], "ms");
  print_figure(out, "faceted search, p99", times[times.size() * 99 / 100], "ms");
  print_figure(out, "faceted search, p99 of processor time",
               processor_times[processor_times.size() * 99 / 100], "ms");
  return {};
}

}  // namespace cairn::tools
