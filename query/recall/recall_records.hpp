#pragma once
// What a recall reads of records: their texts, their neighbours, and their order within groups.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/recall/recall_roles.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::query {

/// Limit of the order values that in_order() reads for the groups of one recall. A group that exceeds what is left
/// stays in the order of creation.
inline constexpr std::uint64_t most_ordered = 16'384;

/// Returns the texts of nodes in the properties of a full-text index, in the order of `ids`. The elements of a list are
/// joined.
[[nodiscard]] Result<std::vector<std::string>> indexed_texts(const engine::View& view,
                                                             const codec::IndexEntry& index,
                                                             std::span<const std::uint64_t> ids);
/// Looks up the property index. Appends the ids to `found` if the result is exact and not empty. A range excludes
/// `high`.
[[nodiscard]] Status find_exact_ids(ExecutionContext& context, std::uint32_t path,
                                    engine::IndexPredicate::Operation operation, const Value& low,
                                    const Value& high, std::vector<codec::Bitmap>& found);

/// The neighbours of a record: the members that a relationship in either direction connects to it.
class RecallNeighbours {
 public:
  /// Follows relationships of these types, of all types if `types` is empty, to records in `members`. The references
  /// must outlive the object.
  RecallNeighbours(ExecutionContext& context, const std::vector<std::string>& types,
                   const codec::Bitmap& members)
      : context_(context), names_(types), members_(members) {}

  /// Finds the types to follow, and which relationships are visible. Called before all others.
  [[nodiscard]] Status find_types();
  /// True if relationships are followed.
  [[nodiscard]] bool follows() const noexcept { return follows_; }
  /// True if relationships of all types are followed.
  [[nodiscard]] bool follows_all() const noexcept { return types_.empty(); }
  /// Returns the neighbours, once for each relationship; none if there are more than 64.
  [[nodiscard]] Result<std::vector<std::uint64_t>> of(std::uint64_t id);

 private:
  ExecutionContext& context_;
  const std::vector<std::string>& names_;
  const codec::Bitmap& members_;
  std::vector<std::uint32_t> types_;              // sorted; empty: all
  bool follows_ = false;                          // true if relationships are followed
  const codec::Bitmap* relationships_ = nullptr;  // visible relationships; nullptr: all
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> known_;  // cache of of()
};

/// The groups of records, found by the property indexes, and the order within a group, by the values of order
/// properties.
class RecallGroups {
 public:
  /// Groups have the records in `members`. The references must outlive the object.
  RecallGroups(ExecutionContext& context, const RecallRoles& roles, const codec::Bitmap& members)
      : context_(context), view_(context.graph.view()), roles_(roles), members_(members) {}

  /// Returns the distinct groups; `group_of[i]` becomes the index of the group of `ids[i]`.
  [[nodiscard]] Result<std::vector<codec::Bitmap>> of(const std::vector<std::uint64_t>& ids,
                                                      std::vector<std::size_t>& group_of) const;
  /// Returns the properties by which groups of these records are sorted.
  [[nodiscard]] Result<std::vector<std::string>> order_properties(
      const std::vector<std::uint64_t>& ids) const;
  /// Returns the records of a group in their order. `room` is the number of values that may be read, and is reduced.
  [[nodiscard]] Result<std::vector<std::uint64_t>> in_order(
      const codec::Bitmap& group, const std::vector<std::string>& properties,
      std::uint64_t& room) const;
  /// Sorts records by the properties; stable. Strings that are times compare as instants.
  [[nodiscard]] Status sort(const std::vector<std::string>& properties,
                            std::vector<std::uint64_t>& ids) const;

 private:
  [[nodiscard]] std::optional<std::uint32_t> path_of(std::string_view property) const;
  [[nodiscard]] Result<codec::Bitmap> members_with(const std::vector<std::uint32_t>& paths,
                                                   const List& values) const;

  ExecutionContext& context_;
  const engine::View& view_;
  const RecallRoles& roles_;
  const codec::Bitmap& members_;
};

}  // namespace cairn::query
