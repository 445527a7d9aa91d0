#pragma once
// SegmentTables: what a search of one segment looks at before the vectors. Made of the vectors, or
// taken from a file, which is a matter of time only: both answer alike.

#include "engine/vector/cost_model.hpp"
#include "engine/vector/internal_ids.hpp"
#include "engine/vector/ivf_index.hpp"
#include "engine/vector/partitioning.hpp"
#include "engine/vector/sq4_codes.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace cairn::engine {

struct SegmentTables {
  Sq4Codes codes;       ///< by rank
  IvfIndex partitions;  ///< empty where there is no partitioning
  CostModel cost_model;

  /// What a file holds, in its order: visit(std::vector<T>&).
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    Sq4Codes::visit_arrays(self.codes, visit);
    IvfIndex::visit_arrays(self.partitions, visit);
    Sq4Codes::visit_signs(self.codes, visit);
  }
  /// The numbers beside them: visit(float&), visit(double&).
  template <class Self, class Visit>
  static void visit_numbers(Self& self, Visit&& visit) {
    IvfIndex::visit_numbers(self.partitions, visit);
    engine::visit_numbers(self.cost_model, visit);
  }
};

/// The vectors that tables are made of.
struct TableInput {
  const DistanceMetric& measure;
  const InternalIds& slots;
  const Partitioning& partitioning;                          ///< may be empty
  const std::function<const float*(std::uint32_t)>& row_of;  ///< by rank
  /// As those of CostModelInput.
  std::function<std::vector<std::uint32_t>(std::uint32_t slot, std::size_t ef, GraphSearcher)> walk;
  bool has_own_walk = false;
};

/// Whether there are to be tables: codes are no smaller than short vectors, and few vectors are
/// compared one and all.
[[nodiscard]] bool wants_tables(std::uint32_t dimension, std::size_t vectors) noexcept;

/// Cost: for 340,000 vectors of 100 components about a second.
[[nodiscard]] SegmentTables make_tables(const TableInput& input);

/// To be called when a file filled `tables`: false where they are not to be used.
[[nodiscard]] bool settle(SegmentTables& tables, const DistanceMetric& measure,
                          const InternalIds& slots, const Partitioning& partitioning);

/// Tables of another version, or of a machine whose instructions cost something else, are rebuilt.
/// The version goes up whenever the same vectors give other tables.
inline constexpr std::uint32_t tables_version = 7;
[[nodiscard]] std::uint64_t this_machine() noexcept;

}  // namespace cairn::engine
