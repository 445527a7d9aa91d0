#pragma once
// Neighbourhood: the steps from nodes along some relationships, within a set of nodes.

#include "codec/bitmap.hpp"
#include "query/search/search_request.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cairn::query {

struct ExecutionContext;

/// A relationship and the node at its other end.
struct GraphStep {
  std::uint64_t other = 0;
  std::uint64_t relationship = 0;
};

/// Reads the relationships of a node once. Relationships that may not be seen are left out.
class Neighbourhood {
 public:
  /// Steps lead to `members` alone. All must outlive it.
  Neighbourhood(ExecutionContext& context, const GraphQuestion& question,
                const codec::Bitmap& members)
      : context_(context), question_(question), members_(members) {}

  /// False where no relationship can be of the types, because none of them is in use.
  [[nodiscard]] Result<bool> begin();
  /// In the order of the store; valid as long as this. Cost: as GraphReader::expand(), the first time.
  [[nodiscard]] Result<const std::vector<GraphStep>*> around(std::uint64_t node);

  [[nodiscard]] const codec::Bitmap& members() const noexcept { return members_; }

 private:
  ExecutionContext& context_;
  const GraphQuestion& question_;
  const codec::Bitmap& members_;
  std::vector<std::uint32_t> types_;              // ascending; none: all
  const codec::Bitmap* relationships_ = nullptr;  // null: all may be seen
  std::unordered_map<std::uint64_t, std::vector<GraphStep>> steps_;
};

}  // namespace cairn::query
