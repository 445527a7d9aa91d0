// What many questions in one call save, by allowed share and way of search: one by one against
// `count` at once, approximate and exact. Processor time of this thread, the best of three passes.
#include "tools/bench/compare/batches.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <ctime>
#include <stdexcept>

namespace cairn::compare {
namespace {

double cpu_us() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

/// The best of three passes over all queries, `count` at once: microseconds a query.
double time_batches(const RegretInput& input, const engine::VectorSearch& like, std::size_t count,
                    std::string& way) {
  double best = 1e18;
  for (int pass = 0; pass < 3; ++pass) {
    const double begin = cpu_us();
    for (std::size_t first = 0; first < input.queries.count(); first += count) {
      std::vector<engine::VectorSearch> some;
      for (std::size_t q = first; q < std::min(first + count, input.queries.count()); ++q) {
        some.push_back(like);
        some.back().query = {input.queries.row(q), input.queries.dimension};
      }
      const auto found = input.state->search_all(some);
      if (!found) throw std::runtime_error(found.error().message);
      way = found->front().executor;
    }
    best = std::min(best, cpu_us() - begin);
  }
  return best / static_cast<double>(input.queries.count());
}

/// Bits are of rows, sets of node ids.
codec::Bitmap ids_of(const RegretInput& input, std::span<const std::uint64_t> bits) {
  std::vector<std::uint64_t> ids;
  for (std::size_t w = 0; w < bits.size(); ++w)
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1)
      ids.push_back(input.names.node(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
  return codec::Bitmap::from_unsorted(std::move(ids));
}

}  // namespace

// Twice, by the planned way and exactly, as the gain of a batch is another in each: an exact search
// reads every vector once for all questions.
void print_batches(const RegretInput& input, std::size_t count) {
  std::printf(
      "| allowed | way | one by one us | %zu at once us | times | exact: one by one us | "
      "%zu at once us | times |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      count, count);
  for (const Cell& cell : uncorrelated_cells(input.p)) {
    const codec::Bitmap ids = ids_of(input, cell.filters.front());
    engine::VectorSearch search;
    search.k = input.k;
    search.allowed = cell.filters.front().empty() ? nullptr : &ids;
    std::string way, exact_way;
    const double one = time_batches(input, search, 1, way);
    const double many = time_batches(input, search, count, way);
    search.exact = true;
    const double exact_one = time_batches(input, search, 1, exact_way);
    const double exact_many = time_batches(input, search, count, exact_way);
    std::printf("| %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", cell.name.c_str(),
                way.c_str(), one, many, one / many, exact_one, exact_many, exact_one / exact_many);
    std::fflush(stdout);
  }
}

}  // namespace cairn::compare
