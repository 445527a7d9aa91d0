// What each way of searching one segment costs and finds here. Stored vectors are the queries;
// their true neighbours are found by comparing all (few queries) or by a deep scan of codes (more
// of them).
//
// time_kernels       a vector compared in full, anywhere in memory
// place_neighbours   of each true neighbour, how many codes look nearer
// price_kept         from these, how many codes to keep for a class of recall
// price_signs        the error of 1-bit codes for the true neighbours
// ScanTiming         a code in order, a selected one, and what a scan takes beside them
// price_partitions   how far to reach, without a filter and with one in ten
// price_walk         which ef, and what it costs
//
// Times are of the thread's processor, the best of three, so that a busy machine spoils little. All
// draws are from one seed. Bounded by counts of comparisons, wide vectors counting more: half a
// second whatever the segment's size. What a class cannot reach at any effort gets a price that
// nobody pays.
//
// Runs on the thread that seals, or opens for reading only; nothing here is shared.
#include "engine/vector/cost_model.hpp"

#include "engine/vector/coded_scan.hpp"
#include "engine/vector/scan_timing.hpp"
#include "engine/vector/top_k_heap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace cairn::engine {
namespace {

using RowOf = std::function<const float*(std::uint32_t)>;

constexpr std::size_t hits = CostModel::calibrated_hits;
constexpr std::size_t most_queries = 128;
constexpr std::size_t most_comparisons = 8'000'000;  // of queries and vectors, all together
constexpr std::size_t most_scores = 60'000'000;      // of queries and codes, all together
constexpr std::size_t walk_queries = 24;
constexpr std::size_t timed_queries = 16;  // of each way, a round
constexpr std::array<double, 3> wanted_recall = {0.90, 0.95, 0.99};
// Queries of users differ from the stored vectors more than these differ from each other.
constexpr double safety = 1.5;
// Of what a class may miss, so much is left to partitions and to the walk.
// The rest is for what comes after: codes that do not tell, hits that rounding exchanges.
constexpr double missed_share = 0.75;
constexpr double least_reach = 1, most_reach = 7, reach_step = 0.25;
// Of hits, a class lets so many through by their 1-bit codes; the safety is for those that were not seen.
constexpr std::array<double, 3> signs_told = {0.95, 0.98, 0.99};
constexpr double sign_safety = 1.6;
constexpr double least_sign_reach = 1, most_sign_reach = 1e4;
constexpr double most_kept = 5'000;  // from here on the planner compares vectors anyway
constexpr double unaffordable_ns = 1e15;
// Whom hnswlib's walk is compared with, and bounds that no measurement reaches.
constexpr std::size_t timed_class = 1;
constexpr double least_hnswlib_times = 0.1, most_hnswlib_times = 100;
constexpr double least_ef = 16, most_ef = 2'048, ef_step = 2.5;

// Wide vectors cost as much more, and it is the time that is limited.
std::size_t at_width(std::size_t limit, std::uint32_t dimension) {
  constexpr std::uint32_t usual = 128;
  return limit / std::max(dimension, usual) * usual;
}

double allowed_recall(std::size_t recall) { return 1 - (1 - wanted_recall[recall]) * missed_share; }

class Calibrator {
 public:
  explicit Calibrator(const CostModelInput& input)
      : input_(input),
        measure_(input.measure),
        codes_(input.codes),
        row_of_(input.row_of),
        scores_(codes_.count()) {
    for (std::uint32_t& row : some_)
      row = static_cast<std::uint32_t>(random_() % std::max<std::size_t>(codes_.count(), 1));
  }

  CostModel run() {
    CostModel found;
    time_kernels(found);
    const std::size_t compared = std::clamp<std::size_t>(
        at_width(most_comparisons, measure_.dimension) / codes_.count(), 1, some_.size());
    for (std::size_t i = 0; i < std::min(compared, most_queries); ++i) place_neighbours(some_[i]);
    price_kept(found);
    price_signs(found);
    const codec::Bitmap tenth = draw_tenth(), few_ids = draw_few();
    const OrdinalSelection some(input_.slots, &tenth), all(input_.slots, nullptr);
    const OrdinalSelection few(input_.slots, &few_ids);
    ScanTiming scans(input_, timed(), {kept_, sign_reach_});
    scans.add_to(rounds_, all, some, few);
    double hnswlib = 0;
    // Once before all others: searches of partitions choose by these prices.
    rounds_.run();
    scans.set(found);
    price_partitions(some, all, found);
    price_walk(all, found, hnswlib);
    rounds_.run();
    scans.set(found);
    if (hnswlib > 0)
      found.hnswlib_times = std::clamp(hnswlib / found.graph[timed_class].cost_ns,
                                       least_hnswlib_times, most_hnswlib_times);
    for (GraphPrice& price : found.graph)
      if (price.cost_ns < unaffordable_ns) price.cost_ns *= walk_reserve();
    return found;
  }

 private:
  [[nodiscard]] std::span<const float> row(std::uint32_t rank) const {
    return {row_of_(rank), measure_.dimension};
  }

  /// work(i) for some queries of those that were drawn.
  template <class Work>
  void time_queries(Work&& work, double& each_ns) {
    rounds_.add_queries(timed().size(), work, each_ns);
  }
  [[nodiscard]] std::span<const std::uint32_t> timed() const {
    return std::span(some_).first(std::min(timed_queries, codes_.count()));
  }

  void time_kernels(CostModel& found) {
    std::vector<const float*> rows;
    for (const std::uint32_t rank : some_) rows.push_back(row_of_(rank));
    std::vector<float> distances(rows.size());
    found.float_ns = time_each(rows.size(), [&] {
      measure_.kernels.rows(row(some_[0]).data(), rows.data(), rows.size(), measure_.dimension,
                            distances.data());
    });
  }

  /// The nearest but for the vector itself, the nearest first, by rank; all of them compared.
  /// One more than hits, as the vector finds itself.
  std::vector<std::uint32_t> neighbours(std::uint32_t of) const {
    TopKHeap top(hits + 1);
    {
      RowScanner scanner(measure_, row_of_(of), top);
      for (std::uint32_t rank = 0; rank < codes_.count(); ++rank) scanner.add(rank, row_of_(rank));
    }
    return ranks_of(top, of);
  }

  /// The same of some, as the codes say: so many are compared that next to none is missed.
  std::vector<std::uint32_t> likely_neighbours(std::uint32_t of,
                                               const OrdinalSelection& selection) const {
    const CodedQuery query = codes_.prepare(row(of));
    const LiveIds live{&input_.slots, nullptr, 0, 0};
    QuantizedTopK coded(compared_, compared_);
    scan_codes({codes_, query, selection, live, sign_reach_, true}, coded);
    TopKHeap top(hits + 1);
    {
      RowScanner scanner(measure_, row_of_(of), top);
      for (const QuantizedTopK::Item& item : coded.best())
        scanner.add(item.rank, row_of_(item.rank));
    }
    return ranks_of(top, of);
  }

  static std::vector<std::uint32_t> ranks_of(const TopKHeap& top, std::uint32_t without) {
    std::vector<Candidate> candidates = top.all();
    std::ranges::sort(candidates, is_nearer);
    std::vector<std::uint32_t> ranks;
    for (const Candidate& candidate : candidates)
      if (candidate.entity != without)
        ranks.push_back(static_cast<std::uint32_t>(candidate.entity));
    return ranks;
  }

  // How many codes look nearer than those of the true neighbours.
  void place_neighbours(std::uint32_t of) {
    const CodedQuery query = codes_.prepare(row(of));
    codes_.score(query, 0, codes_.count(), scores_.data());
    const std::vector<std::uint32_t> nearest = neighbours(of);
    for (const std::uint32_t rank : nearest) {
      // Those with the same score may come first.
      const std::int32_t score = scores_[rank];
      // Those that score as much count as nearer: which of equals remains is chance.
      const auto before =
          std::ranges::count_if(scores_, [score](std::int32_t other) { return other >= score; });
      places_.push_back(static_cast<std::size_t>(before - 1));
    }
    note_sign_errors(query, nearest);
  }

  void note_sign_errors(const CodedQuery& query, std::span<const std::uint32_t> ranks) {
    const SignQuery signs = codes_.prepare_signs(query, 0);
    std::vector<float> told(ranks.size());
    codes_.signs().score(signs, ranks, told.data());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const double scale = double{signs.tables.length} * double{codes_.signs().factor(ranks[i])};
      if (scale > 0) sign_errors_.push_back((scores_[ranks[i]] - double{told[i]}) / scale);
    }
  }

  void price_signs(CostModel& found) {
    std::ranges::sort(sign_errors_);
    if (sign_errors_.empty()) return;
    for (std::size_t i = 0; i < signs_told.size(); ++i) {
      const auto at =
          static_cast<std::size_t>(signs_told[i] * static_cast<double>(sign_errors_.size() - 1));
      found.sign_reach[i] =
          std::clamp(sign_safety * sign_errors_[at], least_sign_reach, most_sign_reach);
    }
    sign_reach_ = static_cast<float>(found.sign_reach.back());
  }

  void price_kept(CostModel& found) {
    std::ranges::sort(places_);
    for (std::size_t i = 0; i < wanted_recall.size() && !places_.empty(); ++i) {
      const auto at =
          static_cast<std::size_t>(wanted_recall[i] * static_cast<double>(places_.size() - 1));
      // Codes a hit: searches for more hits keep as many times more.
      const double kept = safety * static_cast<double>(places_[at] + 1) / hits;
      found.kept[i] = std::clamp(kept, 1.5, most_kept);
    }
    kept_ = static_cast<std::size_t>(std::ceil(found.kept.back() * hits));
    // The neighbours found here are the ground truth for partitions and graph searches: their cost is measured at recall against
    // these.
    compared_ = 8 * kept_;
  }

  void find_neighbours(std::size_t queries, const OrdinalSelection& selection) {
    neighbours_.clear();
    for (std::size_t i = 0; i < queries; ++i)
      neighbours_.push_back(likely_neighbours(some_[i], selection));
  }

  codec::Bitmap draw_tenth() {
    std::vector<std::uint64_t> ids;
    for (std::uint32_t rank = 0; rank < codes_.count(); ++rank)
      if (random_() % 10 == 0) ids.push_back(input_.slots.entity(input_.slots.slot_at(rank)));
    return codec::Bitmap::from_sorted(ids);
  }

  codec::Bitmap draw_few() {
    std::vector<std::uint64_t> ids;
    for (const std::uint32_t rank : std::span(some_).last(ScanTiming::few_of(codes_.count())))
      ids.push_back(input_.slots.entity(input_.slots.slot_at(rank)));
    return codec::Bitmap::from_unsorted(ids);
  }

  void price_partitions(const OrdinalSelection& tenth, const OrdinalSelection& all,
                        CostModel& found) {
    const std::size_t queries = std::clamp<std::size_t>(
        at_width(most_scores, measure_.dimension) / codes_.count(), 1, most_queries);
    find_neighbours(queries, tenth);
    found.farthest_of_tenth = find_farthest();
    if (!input_.partitions.empty()) price(tenth, found, found.tenth_partitions);
    find_neighbours(queries, all);
    found.farthest_of_all = find_farthest();
    if (!input_.partitions.empty()) price(all, found, found.all_partitions);
  }

  /// Some way beyond the farthest tenth hit that was seen, as few were.
  double find_farthest() const {
    constexpr double beyond = 0.25;  // of what lies between the farthest and the median
    std::vector<double> farthest;
    for (std::size_t i = 0; i < neighbours_.size(); ++i) {
      if (neighbours_[i].size() < hits) continue;
      const float* last = row_of_(neighbours_[i][hits - 1]);
      const float distance = measure_.kernels.pair(row_of_(some_[i]), last, measure_.dimension);
      farthest.push_back(farness(measure_, row(some_[i]), distance));
    }
    if (farthest.empty()) return unaffordable_ns;
    std::ranges::sort(farthest);
    const double median = farthest[farthest.size() / 2];
    return farthest.back() + beyond * (farthest.back() - median);
  }

  // Each class keeps no more than its searches keep. Who asks for one hit has no second chance: never less is
  // read for it than for ten.
  void price(const OrdinalSelection& selection, const CostModel& found,
             std::array<PartitionPrice, 3>& prices) {
    double of_ten = least_reach, of_one = least_reach;
    // Classes ascend, so each begins to try where the one before has ended.
    for (std::size_t i = 0; i < prices.size(); ++i) {
      const double allowed = allowed_recall(i);
      const Wish wish{hits, found.kept[i], allowed, found.sign_reach[i]};
      Wish of_first = wish;
      of_first.wanted = 1, of_first.recall -= one_miss();
      const auto ten = least_that_tells(selection, wish, of_ten);
      const auto one = least_that_tells(selection, of_first, of_one);
      prices[i].reach = ten.reach;
      prices[i].reach_of_one = std::max(ten.reach, one.reach);
      prices[i].cost_ns = unaffordable_ns;
      if (!ten.is_enough) continue;
      constexpr float least = -std::numeric_limits<float>::infinity();
      time_queries(
          [this, &selection, wish, &found, reach = ten.reach](std::size_t query) {
            try_query(some_[query], {}, selection, wish, found.effort_of(reach, least));
          },
          prices[i].cost_ns);
    }
  }

  struct Wish {
    std::size_t wanted = 0;
    double kept = 0;  ///< codes a hit
    double recall = 0;
    double sign_reach = 0;
  };
  struct Reached {
    double reach = 0;
    bool is_enough = true;
  };

  // Raises the effort in steps from `tried` on; the next class begins there. A recall that is not reached
  // although everything was read has no cost: the plan then compares codes or vectors.
  Reached least_that_tells(const OrdinalSelection& selection, const Wish& wish,
                           double& tried) const {
    for (;; tried += reach_step) {
      const bool is_last = tried > most_reach;
      const double reach = is_last ? ProbeBounds::everything : tried;
      const bool is_enough = try_partitions(selection, wish, reach) >= wish.recall;
      if (is_enough || is_last) return {reach, is_enough};
    }
  }

  // The smallest ef that reaches the class, between two that were tried by the logarithms.
  void price_walk(const OrdinalSelection& all, CostModel& found, double& hnswlib_ns) {
    if (!input_.walk) return;
    const std::size_t queries = std::min(walk_queries, codes_.count());
    if (neighbours_.empty()) find_neighbours(queries, all);
    const std::size_t walked = std::min(queries, neighbours_.size());
    const double reserve = walk_reserve();
    std::size_t next = 0;
    double before = 0, reached = 0;
    for (double ef = least_ef; next < found.graph.size(); ef *= ef_step) {
      const double recall = mean_recall(walked, [&](std::size_t i) {
        return try_walk(some_[i], neighbours_[i], static_cast<std::size_t>(ef));
      });
      while (next < found.graph.size() && (ef > most_ef || recall >= allowed_recall(next))) {
        const double part =
            recall > reached && before > 0
                ? std::clamp((allowed_recall(next) - reached) / (recall - reached), 0.0, 1.0)
                : 1;
        const double least = part < 1 ? before * std::pow(ef / before, part) : ef;
        GraphPrice& price = found.graph[next];
        price = {least * reserve, unaffordable_ns};
        if (recall >= allowed_recall(next)) time_walks(least, GraphSearcher::own, price.cost_ns);
        if (next == timed_class && input_.has_own_walk && recall >= allowed_recall(next))
          time_walks(least, GraphSearcher::hnswlib, hnswlib_ns);
        ++next;
      }
      before = ef;
      reached = recall;
    }
  }

  /// What ef is raised by. hnswlib's walk goes through the slot of the query, to which links lead; a user's
  /// question is not. Our own goes as if it were not there, and needs no reserve.
  [[nodiscard]] double walk_reserve() const { return input_.has_own_walk ? 1 : safety; }

  void time_walks(double ef, GraphSearcher graph_searcher, double& each_ns) {
    time_queries(
        [this, ef = static_cast<std::size_t>(ef), graph_searcher](std::size_t query) {
          input_.walk(input_.slots.slot_at(some_[query]), ef, graph_searcher);
        },
        each_ns);
  }

  /// The mean less half of its standard error: few queries must not promise what many would not keep.
  template <class RecallOf>
  static double mean_recall(std::size_t queries, RecallOf&& recall_of) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < queries; ++i) {
      const double recall = recall_of(i);
      sum += recall;
      squares += recall * recall;
    }
    const auto count = static_cast<double>(std::max<std::size_t>(queries, 1));
    const double mean = sum / count;
    return mean - 0.5 * std::sqrt(std::max(squares / count - mean * mean, 0.0) / count);
  }

  double try_walk(std::uint32_t of, std::span<const std::uint32_t> wanted, std::size_t ef) const {
    const std::vector<std::uint32_t> slots =
        input_.walk(input_.slots.slot_at(of), ef, GraphSearcher::own);
    const auto found = std::ranges::count_if(wanted, [&](std::uint32_t rank) {
      return std::ranges::find(slots, input_.slots.slot_at(rank)) != slots.end();
    });
    return wanted.empty() ? 1 : static_cast<double>(found) / static_cast<double>(wanted.size());
  }

  // Of so many hits one may be missed by chance, at whatever effort; of few queries that says nothing.
  [[nodiscard]] double one_miss() const {
    constexpr std::size_t enough = 100;
    const std::size_t queries = neighbours_.size();
    return queries >= enough ? 1.5 / static_cast<double>(queries) : 0;
  }

  double try_partitions(const OrdinalSelection& selection, const Wish& wish, double reach) const {
    return mean_recall(neighbours_.size(), [&](std::size_t i) {
      // By the partition: what is gathered separately is of an earlier bound, and so no less.
      return try_query(some_[i], neighbours_[i], selection, wish, {reach});
    });
  }

  double try_query(std::uint32_t of, std::span<const std::uint32_t> nearest,
                   const OrdinalSelection& selection, const Wish& wish,
                   const ProbeBounds& effort) const {
    const auto hoped = nearest.first(std::min(wish.wanted, nearest.size()));
    const CodedQuery query = codes_.prepare(row(of));
    const LiveIds live{&input_.slots, nullptr, 0, 0};
    // The vector itself is not a hit, and must not take the place of one.
    const std::size_t wanted = wish.wanted + (selection.contains(of) ? 1 : 0);
    const double kept = std::ceil(wish.kept * static_cast<double>(wanted));
    QuantizedTopK top(std::max(static_cast<std::size_t>(kept), wanted), wanted);
    input_.partitions.search(row(of),
                             {codes_, query, selection, live, static_cast<float>(wish.sign_reach)},
                             effort, input_.partitions.plan_probes(row(of)), top);
    std::vector<std::uint32_t> ranks;
    for (const QuantizedTopK::Item& item : top.best()) ranks.push_back(item.rank);
    std::ranges::sort(ranks);
    const auto found = std::ranges::count_if(
        hoped, [&](std::uint32_t rank) { return std::ranges::binary_search(ranks, rank); });
    return hoped.empty() ? 1 : static_cast<double>(found) / static_cast<double>(hoped.size());
  }

  const CostModelInput& input_;
  const DistanceMetric& measure_;
  const Sq4Codes& codes_;
  const RowOf& row_of_;
  std::mt19937 random_{1};
  std::array<std::uint32_t, 2'048> some_;  // ranks anywhere
  std::vector<std::int32_t> scores_;
  std::vector<std::size_t> places_;
  std::vector<double> sign_errors_;  // of hits
  float sign_reach_ = 0;
  std::size_t kept_ = hits;                             // of the highest class
  std::size_t compared_ = hits;                         // so that next to none is missed
  std::vector<std::vector<std::uint32_t>> neighbours_;  // by query
  TimedRounds rounds_;
};

}  // namespace

// Ranges, not truth: a file's numbers may be wrong without harm, as long as no plan divides by zero
// or asks for an endless walk.
bool is_plausible(const CostModel& costs) noexcept {
  bool is_sound = costs.hnswlib_times >= least_hnswlib_times &&
                  costs.hnswlib_times <= most_hnswlib_times && costs.float_ns >= least_ns &&
                  costs.stream_ns >= least_ns && costs.gather_ns >= least_ns;
  visit_numbers(costs, [&](double number) {
    is_sound = is_sound && number >= 0 && number <= unaffordable_ns;
  });
  for (const double kept : costs.kept) is_sound = is_sound && kept >= 1 && kept <= most_kept;
  for (const double reach : costs.sign_reach) is_sound = is_sound && reach <= most_sign_reach;
  for (const GraphPrice& price : costs.graph)
    is_sound =
        is_sound && price.ef <= most_ef * ef_step * safety && (price.ef >= 1 || price.cost_ns == 0);
  return is_sound;
}

CostModel calibrate(const CostModelInput& input) {
  if (input.codes.count() == 0) return {};
  return Calibrator(input).run();
}

}  // namespace cairn::engine
