// `cairn-bench facets`: faceted searches over generated records, the clock at the end of their
// dates. The first hundred warm. Figures are of the wall clock, and the p99 of processor time
// beside it.
#include "tools/bench/facets.hpp"

#include "tools/bench/new_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/facets.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace cairn::tools {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::int64_t first_second = 1'700'000'000;
constexpr std::int64_t two_years = 730 * 86'400;
constexpr std::size_t searches = 500;
constexpr std::size_t batch = 10'000;

std::uint64_t below(std::mt19937_64& random, std::uint64_t bound) {
  return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random);
}

std::string tag_name(std::mt19937_64& random, std::uint64_t tags) {
  return "tag" + std::to_string(below(random, tags));
}

// The dates are distinct: one each so many seconds.
// One to five tags of equal chance, one of ten types.
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

/// Bulk load: how fast it goes is not measured here.
Status load(const FacetsBench& bench) {
  Options options;
  options.mode = OpenMode::bulk_load;
  CAIRN_ASSIGN(Database database, Database::open(bench.directory, options));
  std::mt19937_64 random(bench.seed);
  // A shuffled order of dates, so that ids say nothing of them.
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

// Two tags of which one is enough, a type, and a period that ends now; now lies at the end.
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

// `now` is the end of the generated dates, so that counts of ages do not depend on the day of the
// run. The questions have a seed of their own.
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
  std::vector<double> processor_times;  // without what other programs take
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
