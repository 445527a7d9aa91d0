// calibrate(): measures what each strategy costs on one segment and what effort each accuracy class
// needs. Stored vectors serve as queries. Their true neighbours are found by comparing all vectors
// (for few queries) or by a deep scan of codes (for more queries).
//
// time_kernels       cost of comparing a full vector at a random address
// place_neighbours   for each true neighbour, how many codes have a better score
// price_reranking         from these, how many codes a class has to rescore
// price_signs        error of the 1-bit codes of true neighbours
// ScanTiming         costs of a flat scan
// price_partitions   how far to reach, without a filter and with one that selects one in ten
// price_walk         the ef of a graph search and its cost
//
// Times are CPU times of the thread, the least of three rounds, so that a busy machine distorts
// little. All random draws come from one seed. Counts of comparisons are bounded, and wide vectors
// count more, so calibrate() takes at most about half a second, whatever the size of the segment. A
// class that cannot be reached by any effort gets a prohibitive cost.
//
// It runs on the thread that seals the segment or opens it for reading only. Nothing here is shared.
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
constexpr std::size_t most_queries = 128;  // queries whose true neighbours are determined
// Query-vector comparisons in total, at 128 components.
constexpr std::size_t most_comparisons = 8'000'000;
constexpr std::size_t most_scores = 60'000'000;  // query-code scores in total, at 128 components
constexpr std::size_t walk_queries = 24;         // queries of a graph search
constexpr std::size_t timed_queries = 16;        // queries of each strategy in a timing round
// By class: fast, standard, high.
constexpr std::array<double, 3> wanted_recall = {0.90, 0.95, 0.99};
// Factor on efforts: queries of users differ from the stored vectors more than these differ from
// each other.
constexpr double safety = 1.5;
// The share of a class's misses that partitions and graph searches may use up. The rest is left to
// later steps: codes that rank a hit too low, and hits whose order rounding changes.
constexpr double missed_share = 0.75;
// Bounds and step of the reach of partitions, in standard deviations.
constexpr double least_reach = 1, most_reach = 7, reach_step = 0.25;
// By class: the share of hits that 1-bit codes must let through. sign_safety covers errors that the
// sample does not contain.
constexpr std::array<double, 3> sign_quantiles = {0.95, 0.98, 0.99};
constexpr double sign_safety = 1.6;
constexpr double least_sign_reach = 1, most_sign_reach = 1e4;
constexpr double most_reranked_per_hit = 5'000;  // beyond it the planner compares vectors anyway
constexpr double unaffordable_ns = 1e15;  // prohibitive cost of a class that no effort reaches
// The class at which hnswlib's search is timed against our own, and bounds for the ratio.
constexpr std::size_t timed_class = 1;
constexpr double least_hnswlib_times = 0.1, most_hnswlib_times = 100;
// Bounds of ef, and the factor from one tried ef to the next.
constexpr double least_ef = 16, most_ef = 2'048, ef_step = 2.5;

// Lowers a limit that holds for 128 components, because comparing wide vectors takes longer.
std::size_t at_width(std::size_t limit, std::uint32_t dimension) {
  constexpr std::uint32_t usual = 128;
  return limit / std::max(dimension, usual) * usual;
}

// The recall that partitions and graph searches must reach for a class.
double allowed_recall(std::size_t recall) { return 1 - (1 - wanted_recall[recall]) * missed_share; }

/// The state of one calibrate() call. The methods are listed at the top of this file.
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
    price_reranking(found);
    price_signs(found);
    const codec::Bitmap tenth = draw_tenth(), few_ids = draw_few();
    const OrdinalSelection some(input_.slots, &tenth), all(input_.slots, nullptr);
    const OrdinalSelection few(input_.slots, &few_ids);
    ScanTiming scans(input_, timed(), {rerank_depth_, sign_reach_});
    scans.add_to(rounds_, all, some, few);
    double hnswlib = 0;
    // The scans are timed first, because searches of partitions decide by their costs.
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

  /// Adds work(i) for the first few sample queries to the timing rounds.
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

  /// The true nearest neighbours of the vector `of`, nearest first, by rank, without itself.
  /// Compares all vectors. The heap has room for `hits` + 1, because the vector finds itself.
  std::vector<std::uint32_t> neighbours(std::uint32_t of) const {
    TopKHeap top(hits + 1);
    {
      RowScanner scanner(measure_, row_of_(of), top);
      for (std::uint32_t rank = 0; rank < codes_.count(); ++rank) scanner.add(rank, row_of_(rank));
    }
    return ranks_of(top, of);
  }

  /// The nearest neighbours among `selection` by a deep scan of codes: so many codes are rescored
  /// that hardly any is missed.
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

  // Records for each true neighbour of `of` how many codes score better than its own.
  void place_neighbours(std::uint32_t of) {
    const CodedQuery query = codes_.prepare(row(of));
    codes_.score(query, 0, codes_.count(), scores_.data());
    const std::vector<std::uint32_t> nearest = neighbours(of);
    for (const std::uint32_t rank : nearest) {
      const std::int32_t score = scores_[rank];
      // Equal scores count as better: which of them a search keeps is arbitrary.
      const auto before =
          std::ranges::count_if(scores_, [score](std::int32_t other) { return other >= score; });
      places_.push_back(static_cast<std::size_t>(before - 1));
    }
    note_sign_errors(query, nearest);
  }

  // Records by how much the 1-bit codes of true neighbours score too low (unit: see
  // CostModel::sign_reach).
  void note_sign_errors(const CodedQuery& query, std::span<const std::uint32_t> ranks) {
    const SignQuery signs = codes_.prepare_signs(query, 0);
    std::vector<float> estimated(ranks.size());
    codes_.signs().score(signs, ranks, estimated.data());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const double scale = double{signs.tables.length} * double{codes_.signs().factor(ranks[i])};
      if (scale > 0) sign_errors_.push_back((scores_[ranks[i]] - double{estimated[i]}) / scale);
    }
  }

  void price_signs(CostModel& found) {
    std::ranges::sort(sign_errors_);
    if (sign_errors_.empty()) return;
    for (std::size_t i = 0; i < sign_quantiles.size(); ++i) {
      const auto at = static_cast<std::size_t>(sign_quantiles[i] *
                                               static_cast<double>(sign_errors_.size() - 1));
      found.sign_reach[i] =
          std::clamp(sign_safety * sign_errors_[at], least_sign_reach, most_sign_reach);
    }
    sign_reach_ = static_cast<float>(found.sign_reach.back());
  }

  void price_reranking(CostModel& found) {
    std::ranges::sort(places_);
    for (std::size_t i = 0; i < wanted_recall.size() && !places_.empty(); ++i) {
      const auto at =
          static_cast<std::size_t>(wanted_recall[i] * static_cast<double>(places_.size() - 1));
      // Codes to rescore for each hit, since a search for more hits rescores proportionally more.
      const double per_hit = safety * static_cast<double>(places_[at] + 1) / hits;
      found.rerank_per_hit[i] = std::clamp(per_hit, 1.5, most_reranked_per_hit);
    }
    rerank_depth_ = static_cast<std::size_t>(std::ceil(found.rerank_per_hit.back() * hits));
    // The deep scan of likely_neighbours() rescores eight times as many codes as the highest class. Its result is the
    // ground truth for partitions and graph searches.
    compared_ = 8 * rerank_depth_;
  }

  // Finds the likely neighbours of the first `queries` sample queries.
  void find_neighbours(std::size_t queries, const OrdinalSelection& selection) {
    neighbours_.clear();
    for (std::size_t i = 0; i < queries; ++i)
      neighbours_.push_back(likely_neighbours(some_[i], selection));
  }

  // A random filter that selects one vector in ten.
  codec::Bitmap draw_tenth() {
    std::vector<std::uint64_t> ids;
    for (std::uint32_t rank = 0; rank < codes_.count(); ++rank)
      if (random_() % 10 == 0) ids.push_back(input_.slots.entity(input_.slots.slot_at(rank)));
    return codec::Bitmap::from_sorted(ids);
  }

  // A filter that selects the few vectors of ScanTiming::few_of().
  codec::Bitmap draw_few() {
    std::vector<std::uint64_t> ids;
    for (const std::uint32_t rank : std::span(some_).last(ScanTiming::few_of(codes_.count())))
      ids.push_back(input_.slots.entity(input_.slots.slot_at(rank)));
    return codec::Bitmap::from_unsorted(ids);
  }

  // Measures how far a search must probe partitions (the reach) and how far its hits lie (the
  // farness), both with the filter `tenth` and without a filter.
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

  /// The farness of the farthest tenth hit of all sample queries. As the sample is small, a quarter
  /// of the difference from the median is added.
  double find_farthest() const {
    constexpr double beyond = 0.25;
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

  // Determines the reach and cost of the three classes under one filter, with as many rescored
  // codes as each class has. A search for one hit has no second chance, so its reach is at least
  // the reach for ten hits.
  void price(const OrdinalSelection& selection, const CostModel& found,
             std::array<PartitionPrice, 3>& prices) {
    double of_ten = least_reach, of_one = least_reach;
    // Accuracy classes ascend, so each class starts with the effort at which the one before it
    // ended.
    for (std::size_t i = 0; i < prices.size(); ++i) {
      const double allowed = allowed_recall(i);
      const Wish wish{hits, found.rerank_per_hit[i], allowed, found.sign_reach[i]};
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

  /// What a trial search asks for and must reach.
  struct Wish {
    std::size_t wanted = 0;
    /// Codes to rescore for each wanted hit.
    double rerank_per_hit = 0;
    /// Recall that suffices.
    double recall = 0;
    double sign_reach = 0;
  };
  /// The reach that a class needs; is_enough is false if even reading everything misses the class.
  struct Reached {
    double reach = 0;
    bool is_enough = true;
  };

  // Raises the reach in steps, starting at `tried`, until the recall suffices. `tried` ends at the
  // reach found, where the next class starts.
  //
  // If a class misses its recall although everything is read, it gets a prohibitive cost. The
  // planner then compares codes or vectors.
  Reached least_that_tells(const OrdinalSelection& selection, const Wish& wish,
                           double& tried) const {
    for (;; tried += reach_step) {
      const bool is_last = tried > most_reach;
      const double reach = is_last ? ProbeBounds::everything : tried;
      const bool is_enough = try_partitions(selection, wish, reach) >= wish.recall;
      if (is_enough || is_last) return {reach, is_enough};
    }
  }

  // Finds the smallest ef that reaches each class: tries growing ef and interpolates between two by
  // the logarithm.
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

  /// Factor on a measured ef. hnswlib's search passes through the slot of the query, whose links
  /// lead to its neighbours; a user's query has no slot. Our own search treats that slot as absent,
  /// so it needs no margin.
  [[nodiscard]] double walk_reserve() const { return input_.has_own_walk ? 1 : safety; }

  void time_walks(double ef, GraphSearcher graph_searcher, double& each_ns) {
    time_queries(
        [this, ef = static_cast<std::size_t>(ef), graph_searcher](std::size_t query) {
          input_.walk(input_.slots.slot_at(some_[query]), ef, graph_searcher);
        },
        each_ns);
  }

  /// The mean recall minus half of its standard error, so that few queries do not promise too much.
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

  // The recall of one graph search with the vector `of` as the query.
  double try_walk(std::uint32_t of, std::span<const std::uint32_t> wanted, std::size_t ef) const {
    const std::vector<std::uint32_t> slots =
        input_.walk(input_.slots.slot_at(of), ef, GraphSearcher::own);
    const auto found = std::ranges::count_if(wanted, [&](std::uint32_t rank) {
      return std::ranges::find(slots, input_.slots.slot_at(rank)) != slots.end();
    });
    return wanted.empty() ? 1 : static_cast<double>(found) / static_cast<double>(wanted.size());
  }

  // Tolerance for one and a half misses in all queries together, which may be chance at any effort. Zero for fewer than
  // 100 queries, where it would be a large share of the recall.
  [[nodiscard]] double one_miss() const {
    constexpr std::size_t enough = 100;
    const std::size_t queries = neighbours_.size();
    return queries >= enough ? 1.5 / static_cast<double>(queries) : 0;
  }

  // The recall of partition searches with `reach` over all sample queries, as mean_recall()
  // computes it.
  double try_partitions(const OrdinalSelection& selection, const Wish& wish, double reach) const {
    return mean_recall(neighbours_.size(), [&](std::size_t i) {
      // ProbeBounds without costs: all partitions within reach are read. Gathering single vectors
      // would use an earlier bound and so find no less.
      return try_query(some_[i], neighbours_[i], selection, wish, {reach});
    });
  }

  // The recall of one search of partitions with the vector `of` as the query.
  double try_query(std::uint32_t of, std::span<const std::uint32_t> nearest,
                   const OrdinalSelection& selection, const Wish& wish,
                   const ProbeBounds& effort) const {
    const auto hoped = nearest.first(std::min(wish.wanted, nearest.size()));
    const CodedQuery query = codes_.prepare(row(of));
    const LiveIds live{&input_.slots, nullptr, 0, 0};
    // The vector itself is found but is not a hit, so it must not take the place of one.
    const std::size_t wanted = wish.wanted + (selection.contains(of) ? 1 : 0);
    const double depth = std::ceil(wish.rerank_per_hit * static_cast<double>(wanted));
    QuantizedTopK top(std::max(static_cast<std::size_t>(depth), wanted), wanted);
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
  std::array<std::uint32_t, 2'048> some_;  // ranks of sample vectors
  // Code scores of all ranks for one query.
  std::vector<std::int32_t> scores_;
  // For each true neighbour, how many codes score better.
  std::vector<std::size_t> places_;
  std::vector<double> sign_errors_;  // errors of the 1-bit codes of true neighbours
  // The error allowed for 1-bit codes by the highest class.
  float sign_reach_ = 0;
  std::size_t rerank_depth_ = hits;                     // codes that the highest class rescores
  std::size_t compared_ = hits;                         // codes that a deep scan rescores
  std::vector<std::vector<std::uint32_t>> neighbours_;  // by sample query: ranks, nearest first
  TimedRounds rounds_;
};

}  // namespace

// Checks ranges only. A file may contain wrong numbers without harm, as long as no plan divides by
// zero or asks for an endless graph search.
bool is_plausible(const CostModel& costs) noexcept {
  bool is_sound = costs.hnswlib_times >= least_hnswlib_times &&
                  costs.hnswlib_times <= most_hnswlib_times && costs.float_ns >= least_ns &&
                  costs.stream_ns >= least_ns && costs.gather_ns >= least_ns;
  visit_numbers(costs, [&](double number) {
    is_sound = is_sound && number >= 0 && number <= unaffordable_ns;
  });
  for (const double count : costs.rerank_per_hit)
    is_sound = is_sound && count >= 1 && count <= most_reranked_per_hit;
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
