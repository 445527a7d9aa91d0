#pragma once
// SegmentTables: what a search of one segment looks at before the vectors. Made of the vectors, or
// taken from a file, which is a matter of time only: both answer alike.

#include "engine/vector/calibration.hpp"
#include "engine/vector/code_table.hpp"
#include "engine/vector/partition_table.hpp"
#include "engine/vector/partitioning.hpp"
#include "engine/vector/slot_map.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace cairn::engine {

struct SegmentTables {
  CodeTable codes;            ///< by rank
  PartitionTable partitions;  ///< empty where there is no partitioning
  Calibration calibration;

  /// What a file holds, in its order: visit(std::vector<T>&).
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    CodeTable::visit_arrays(self.codes, visit);
    PartitionTable::visit_arrays(self.partitions, visit);
    CodeTable::visit_signs(self.codes, visit);
  }
  /// The numbers beside them: visit(float&), visit(double&).
  template <class Self, class Visit>
  static void visit_numbers(Self& self, Visit&& visit) {
    PartitionTable::visit_numbers(self.partitions, visit);
    engine::visit_numbers(self.calibration, visit);
  }
};

/// The vectors that tables are made of.
struct TableInput {
  const Measure& measure;
  const SlotMap& slots;
  const Partitioning& partitioning;                          ///< may be empty
  const std::function<const float*(std::uint32_t)>& row_of;  ///< by rank
  /// As those of CalibrationInput.
  std::function<std::vector<std::uint32_t>(std::uint32_t slot, std::size_t ef, Walker)> walk;
  bool has_own_walk = false;
};

/// Whether there are to be tables: codes are no smaller than short vectors, and few vectors are
/// compared one and all.
[[nodiscard]] bool wants_tables(std::uint32_t dimension, std::size_t vectors) noexcept;

/// Cost: for 340,000 vectors of 100 components about a second.
[[nodiscard]] SegmentTables make_tables(const TableInput& input);

/// To be called when a file filled `tables`: false where they are not to be used.
[[nodiscard]] bool settle(SegmentTables& tables, const Measure& measure, const SlotMap& slots,
                          const Partitioning& partitioning);

/// Tables of another version, or of a machine whose instructions cost something else, are made anew.
/// The version goes up whenever the same vectors give other tables.
inline constexpr std::uint32_t tables_version = 7;
[[nodiscard]] std::uint64_t this_machine() noexcept;

}  // namespace cairn::engine
