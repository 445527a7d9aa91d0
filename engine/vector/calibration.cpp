#include "engine/vector/calibration.hpp"

#include "engine/vector/top_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <span>
#include <vector>

namespace cairn::engine {
namespace {

using RowOf = std::function<const float*(std::uint32_t)>;

constexpr std::size_t hits = 10;
constexpr std::size_t most_queries = 64;
constexpr std::size_t most_comparisons = 8'000'000;  // of queries and vectors, all together
constexpr std::array<double, 3> wanted_recall = {0.90, 0.95, 0.99};
// Queries of users differ from the stored vectors more than these differ from each other.
constexpr double safety = 1.5;

double cpu_ns() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// The best of three, for each item.
template <class Work>
double time_each(std::size_t items, Work&& work) {
  double best = 1e18;
  for (int i = 0; i < 3; ++i) {
    const double begin = cpu_ns();
    work();
    best = std::min(best, cpu_ns() - begin);
  }
  return std::max(best / static_cast<double>(items), 0.1);
}

// Half of what a class may miss is left to the codes.
constexpr double missed_share = 0.5;
constexpr std::array<double, 8> tried_misses = {32, 16, 8, 4, 2, 1, 0.5, 0.1};

class Calibrator {
 public:
  explicit Calibrator(const CalibrationInput& input)
      : input_(input),
        measure_(input.measure),
        codes_(input.codes),
        row_of_(input.row_of),
        scores_(codes_.count()) {
    for (std::uint32_t& row : some_)
      row = static_cast<std::uint32_t>(random_() % std::max<std::size_t>(codes_.count(), 1));
  }

  Calibration run() {
    Calibration found;
    time_kernels(found);
    const std::size_t queries =
        std::clamp<std::size_t>(most_comparisons / codes_.count(), 1, most_queries);
    for (std::size_t i = 0; i < queries; ++i) place_neighbours(some_[i]);
    price_partitions(queries, found);
    std::ranges::sort(places_);
    for (std::size_t i = 0; i < wanted_recall.size() && !places_.empty(); ++i) {
      const auto at =
          static_cast<std::size_t>(wanted_recall[i] * static_cast<double>(places_.size() - 1));
      const double kept = safety * static_cast<double>(places_[at] + 1) / hits;
      found.kept[i] = std::clamp(kept, 1.5, 100.0);
    }
    return found;
  }

 private:
  [[nodiscard]] std::span<const float> row(std::uint32_t rank) const {
    return {row_of_(rank), measure_.dimension};
  }

  void time_kernels(Calibration& found) {
    const CodedQuery query = codes_.prepare(row(some_[0]));
    const std::size_t streamed = std::min<std::size_t>(codes_.count(), 32'768);
    found.stream_ns =
        time_each(streamed, [&] { codes_.score(query, 0, streamed, scores_.data()); });
    std::vector<std::int32_t> scores(some_.size());
    found.gather_ns = time_each(some_.size(), [&] { codes_.score(query, some_, scores.data()); });
    std::vector<const float*> rows;
    for (const std::uint32_t rank : some_) rows.push_back(row_of_(rank));
    std::vector<float> distances(rows.size());
    found.float_ns = time_each(rows.size(), [&] {
      measure_.kernels.rows(row(some_[0]).data(), rows.data(), rows.size(), measure_.dimension,
                            distances.data());
    });
  }

  /// The nearest of `allowed` but for the vector itself, by rank.
  std::vector<std::uint32_t> neighbours(std::uint32_t of, const RankSelection& allowed) const {
    TopCandidates top(hits + 1);
    {
      RowScanner scanner(measure_, row_of_(of), top);
      allowed.for_each_block([&](std::span<const std::uint32_t> ranks) {
        for (const std::uint32_t rank : ranks) scanner.add(rank, row_of_(rank));
      });
    }
    std::vector<std::uint32_t> ranks;
    for (const Candidate& candidate : top.all())
      if (candidate.entity != of) ranks.push_back(static_cast<std::uint32_t>(candidate.entity));
    return ranks;
  }

  // How many codes look nearer than those of the true neighbours.
  void place_neighbours(std::uint32_t of) {
    neighbours_.push_back(neighbours(of, RankSelection(input_.slots, nullptr)));
    codes_.score(codes_.prepare(row(of)), 0, codes_.count(), scores_.data());
    for (const std::uint32_t rank : neighbours_.back()) {
      const std::int32_t score = scores_[rank];
      places_.push_back(static_cast<std::size_t>(
          std::ranges::count_if(scores_, [score](std::int32_t other) { return other > score; })));
    }
  }

  void price_partitions(std::size_t queries, Calibration& found) {
    if (input_.partitions.empty()) return;
    const RankSelection all(input_.slots, nullptr);
    price(queries, all, found.all_partitions);
    std::vector<std::uint64_t> ids;
    for (std::uint32_t rank = 0; rank < codes_.count(); ++rank)
      if (random_() % 10 == 0) ids.push_back(input_.slots.entity(input_.slots.slot_at(rank)));
    const codec::IdSet tenth = codec::IdSet::from_sorted(ids);
    const RankSelection some(input_.slots, &tenth);
    neighbours_.clear();
    for (std::size_t i = 0; i < queries; ++i) neighbours_.push_back(neighbours(some_[i], some));
    price(queries, some, found.tenth_partitions);
  }

  // The most that may be missed, from much to little, until the class is reached.
  void price(std::size_t queries, const RankSelection& selection,
             std::array<PartitionPrice, 3>& prices) {
    std::size_t next = 0;
    for (const double missed : tried_misses) {
      const double begin = cpu_ns();
      const double recall = try_partitions(queries, selection, missed);
      const double cost = (cpu_ns() - begin) / static_cast<double>(queries);
      const bool is_last = missed == tried_misses.back();
      while (next < prices.size() &&
             (is_last || recall >= 1 - (1 - wanted_recall[next]) * missed_share))
        prices[next++] = {missed, cost};
    }
  }

  /// The mean recall less its standard error: few queries must not promise what many would not keep.
  double try_partitions(std::size_t queries, const RankSelection& selection, double missed) const {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < queries; ++i) {
      const double recall = try_query(some_[i], neighbours_[i], selection, missed);
      sum += recall;
      squares += recall * recall;
    }
    const auto count = static_cast<double>(queries);
    const double mean = sum / count;
    return mean - std::sqrt(std::max(squares / count - mean * mean, 0.0) / count);
  }

  double try_query(std::uint32_t of, std::span<const std::uint32_t> wanted,
                   const RankSelection& selection, double missed) const {
    const CodedQuery query = codes_.prepare(row(of));
    const LiveSlots live{&input_.slots, nullptr, 0, 0};
    CodedTop top(10 * hits);
    input_.partitions.search(row(of), {codes_, query, selection, live}, {hits, missed}, top);
    std::vector<std::uint32_t> ranks;
    for (const CodedTop::Item& item : top.best()) ranks.push_back(item.rank);
    std::ranges::sort(ranks);
    const auto found = std::ranges::count_if(
        wanted, [&](std::uint32_t rank) { return std::ranges::binary_search(ranks, rank); });
    return wanted.empty() ? 1 : static_cast<double>(found) / static_cast<double>(wanted.size());
  }

  const CalibrationInput& input_;
  const Measure& measure_;
  const CodeTable& codes_;
  const RowOf& row_of_;
  std::mt19937 random_{1};
  std::array<std::uint32_t, 2'048> some_;  // ranks anywhere
  std::vector<std::int32_t> scores_;
  std::vector<std::size_t> places_;
  std::vector<std::vector<std::uint32_t>> neighbours_;  // by query
};

}  // namespace

PartitionPrice Calibration::partition_price(Recall recall, double share) const noexcept {
  const auto at = std::min<std::size_t>(static_cast<std::size_t>(recall), kept.size() - 1);
  const double towards_all = std::clamp(1 + std::log10(std::max(share, 1e-9)), 0.0, 1.0);
  const PartitionPrice &all = all_partitions[at], &tenth = tenth_partitions[at];
  return {std::min(all.missed, tenth.missed + (all.missed - tenth.missed) * towards_all),
          tenth.cost_ns + (all.cost_ns - tenth.cost_ns) * towards_all};
}

Calibration calibrate(const CalibrationInput& input) {
  if (input.codes.count() == 0) return {};
  return Calibrator(input).run();
}

}  // namespace cairn::engine
