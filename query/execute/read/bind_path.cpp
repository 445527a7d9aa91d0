// The path variable of a pattern, put together from the nodes and relationships of the row.
// Paths cost memory and, for variable lengths, reads; so they are made last, behind all steps, and
// only where the pattern has a name for it. One row in, one row out.

#include "query/execute/read/operators.hpp"
#include "query/execute/read/path_value.hpp"
#include "query/plan/operator_content.hpp"

namespace cairn::query {
namespace {

class BindPathOperator final : public PhysicalOperator {
 public:
  BindPathOperator(const BindPath& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        pattern_(*content.path) {}

 protected:
  /// A row in, a row out. A path through a null (of OPTIONAL MATCH) is null as a whole.
  Result<bool> produce(RowBatch& out) override {
    CAIRN_ASSIGN(const bool more, input().next(out));
    for (std::size_t row = 0; row < out.size(); ++row) {
      CAIRN_ASSIGN(auto path, path_of(pattern_, out[row], graph()));
      if (path) CAIRN_TRY(out.hold(path_bytes + 2 * path->nodes.capacity() * sizeof(Node)));
      out[row][*pattern_.slot] = path ? Value(std::move(*path)) : Value();
    }
    return more;
  }

 private:
  static constexpr std::size_t path_bytes = 96;  // beside its nodes and relationships

  const PathPattern& pattern_;
};

}  // namespace

OperatorPtr make_operator(const BindPath& content, Parts parts) {
  return std::make_unique<BindPathOperator>(content, std::move(parts));
}

}  // namespace cairn::query
