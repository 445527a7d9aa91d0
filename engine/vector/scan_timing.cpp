// Four timed pieces of work give four costs of a flat scan:
//
// piece      what it does                                        cost derived
// stream     scores all codes in order                           stream_ns: one code in order
// gather     scores one code in ten                              gather_ns: one selected code
// word       finds these codes in their bitmap, scores none      bit_word_ns: 64 bits of the bitmap
// search     searches a few hundred vectors completely           scan_ns: the fixed rest
//
// Each piece runs several queries, because 1-bit codes let through many vectors for one query and
// few for another.
#include "engine/vector/scan_timing.hpp"

#include "engine/vector/coded_scan.hpp"
#include "engine/vector/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::engine {
namespace {

constexpr std::size_t timed_hits = CostModel::calibrated_hits;
/// Bounds of few_of(): at most 512 vectors, and one in 32.
constexpr std::size_t most_few = 512, least_share = 32;

double words_of(std::size_t ranks) { return std::ceil(static_cast<double>(ranks) / 64); }

}  // namespace

std::size_t ScanTiming::few_of(std::size_t count) noexcept {
  return std::clamp<std::size_t>(count / least_share, 1, most_few);
}

void ScanTiming::add_to(TimedRounds& rounds, const OrdinalSelection& all,
                        const OrdinalSelection& some, const OrdinalSelection& few) {
  some_ = some.count();
  few_ = few.count();
  const std::size_t queries = queries_.size();
  rounds.add_queries(queries, [this, &all](std::size_t i) { scan(i, all, true); }, stream_);
  rounds.add_queries(queries, [this, &some](std::size_t i) { scan(i, some, false); }, gather_);
  rounds.add_queries(queries, [this, &few](std::size_t i) { search(i, few); }, search_);
  rounds.add(
      [this, &some] {
        some.for_each_block<1'024>(
            [&](std::span<const std::uint32_t> ranks) { seen_ += ranks.back(); });
      },
      words_of(input_.codes.count()), word_);
}

void ScanTiming::set(CostModel& found) const {
  const auto count = static_cast<double>(input_.codes.count());
  const auto some = static_cast<double>(std::max<std::size_t>(some_, 1));
  const auto few = static_cast<double>(few_);
  found.stream_ns = std::max(stream_ / count, least_ns);
  // Finding the selected vectors costs the same however many they are, so it is subtracted from the
  // time of gathering.
  found.bit_word_ns = word_;
  const double finding = words_of(input_.codes.count()) * word_;
  found.gather_ns = std::max((gather_ - finding) / some, least_ns);
  const double compared = std::min(static_cast<double>(effort_.rerank_depth), few);
  found.scan_ns = std::max(search_ - few * found.gather_ns - compared * found.float_ns, least_ns);
}

// Scans the codes of the selected vectors.
void ScanTiming::scan(std::size_t query, const OrdinalSelection& selection,
                      bool is_streamed) const {
  const CodedQuery coded = input_.codes.prepare(row(query));
  const LiveIds live{&input_.slots, nullptr, 0, 0};
  QuantizedTopK top(effort_.rerank_depth, timed_hits);
  scan_codes({input_.codes, coded, selection, live, effort_.sign_reach, is_streamed}, top);
}

// Does everything that a search by codes does: scan, full comparison of the best, measured errors.
void ScanTiming::search(std::size_t query, const OrdinalSelection& selection) const {
  const CodedQuery coded = input_.codes.prepare(row(query));
  const LiveIds live{&input_.slots, nullptr, 0, 0};
  QuantizedTopK top(effort_.rerank_depth, timed_hits);
  scan_codes({input_.codes, coded, selection, live, effort_.sign_reach, false}, top);
  const std::vector<QuantizedTopK::Item> best = top.best();
  const std::vector<SlotDistance> compared = compare(best, row(query));
  (void)least_hit_score({input_.measure, row(query), coded, input_.slots, best, compared},
                        std::min(timed_hits, compared.size()));
}

// Compares the vectors of `items` with the query in full precision.
std::vector<SlotDistance> ScanTiming::compare(std::span<const QuantizedTopK::Item> items,
                                              std::span<const float> query) const {
  std::vector<SlotDistance> compared;
  std::vector<const float*> rows;
  std::vector<float> distances(items.size());
  for (const QuantizedTopK::Item& item : items) rows.push_back(input_.row_of(item.rank));
  input_.measure.kernels.rows(query.data(), rows.data(), rows.size(), query.size(),
                              distances.data());
  for (std::size_t i = 0; i < items.size(); ++i)
    compared.push_back({input_.slots.slot_at(items[i].rank), distances[i]});
  return compared;
}

PartitionPrice CostModel::partition_price(Accuracy recall, double share) const noexcept {
  const auto at =
      std::min<std::size_t>(static_cast<std::size_t>(recall), rerank_per_hit.size() - 1);
  // 1 without a filter, 0 at a share of a tenth or less, and in between by the logarithm of the
  // share.
  const double towards_all = std::clamp(1 + std::log10(std::max(share, 1e-9)), 0.0, 1.0);
  const PartitionPrice &all = all_partitions[at], &tenth = tenth_partitions[at];
  const auto between = [&](double from, double to) { return from + (to - from) * towards_all; };
  return {between(tenth.reach, all.reach), between(tenth.reach_of_one, all.reach_of_one),
          between(tenth.cost_ns, all.cost_ns)};
}

double CostModel::farthest_hit(double share) const noexcept {
  // The number of times that the share is divided by ten; beyond one the line is extrapolated.
  const double tenths = -std::log10(std::clamp(share, 1e-9, 1.0));
  return farthest_of_all + (farthest_of_tenth - farthest_of_all) * tenths;
}

}  // namespace cairn::engine
