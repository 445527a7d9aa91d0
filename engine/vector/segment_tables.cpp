// What searches of a segment look at before its vectors, made or settled as a whole: all or
// nothing, so that a plan never relies on prices of tables that are not there.
#include "engine/vector/segment_tables.hpp"

#include "codec/float_kernels.hpp"

#include <vector>

namespace cairn::engine {
namespace {

// A code takes a line of 64 bytes, and each component that is added makes it tell more: below this
// the vectors themselves are as cheap.
constexpr std::size_t least_coded = 512;

std::vector<std::uint32_t> partitions_by_rank(const InternalIds& slots,
                                              const Partitioning& partitioning) {
  std::vector<std::uint32_t> partition_of(slots.live());
  for (std::size_t rank = 0; rank < partition_of.size(); ++rank)
    partition_of[rank] = partitioning.partition_of[slots.slot_at(rank)];
  return partition_of;
}

}  // namespace

bool wants_tables(std::uint32_t dimension, std::size_t vectors) noexcept {
  return dimension >= least_coded_dimension && vectors >= least_coded;
}

SegmentTables make_tables(const TableInput& input) {
  SegmentTables made;
  made.codes = Sq4Codes(input.measure, input.slots.live(), input.row_of);
  if (!input.partitioning.empty())
    made.partitions = IvfIndex(input.measure, input.partitioning.means,
                               partitions_by_rank(input.slots, input.partitioning), input.row_of);
  made.cost_model = calibrate({input.measure, input.slots, made.codes, made.partitions,
                               input.row_of, input.walk, input.has_own_walk});
  return made;
}

bool settle(SegmentTables& tables, const DistanceMetric& measure, const InternalIds& slots,
            const Partitioning& partitioning) {
  if (!tables.codes.settle(measure, slots.live()) || !is_plausible(tables.cost_model)) return false;
  if (!partitioning.empty())
    return tables.partitions.settle(measure, partitioning.means,
                                    partitions_by_rank(slots, partitioning));
  tables.partitions = IvfIndex();
  return true;
}

std::uint64_t this_machine() noexcept { return codec::kernels::instruction_sets(); }

}  // namespace cairn::engine
