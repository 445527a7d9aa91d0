// FOREACH: runs the updates of an inner pipeline for each element of a list. The pipeline is a
// chain of writing operators over one row. Each element sees the changes of the previous one. Input
// rows pass on unchanged: variables of FOREACH are not visible outside.

#include "query/execute/holding.hpp"
#include "query/execute/pipeline/running_plan.hpp"
#include "query/execute/write/eager_operator.hpp"
#include "query/functions/call.hpp"
#include "query/functions/sequence.hpp"
#include "query/plan/operator_content.hpp"

#include <string>

namespace cairn::query {
namespace {

class ForeachOperator final : public EagerOperator {
 public:
  ForeachOperator(const Foreach& content, Parts parts)
      : EagerOperator(std::move(parts)),
        clause_(*content.clause),
        updates_(context_, content.updates) {}

 protected:
  /// The inner row is a copy with room for the element. Variables of the body are discarded with
  /// it.
  Status apply(Row row) override {
    CAIRN_ASSIGN(const Value value, evaluator().evaluate(*clause_.list, row));
    if (value.is_null()) return {};
    // The list stays in memory until the last change: range(1, 900000) takes 50 MB.
    Holding held(context_.budget);
    CAIRN_TRY(held.add_one(value));
    List storage;
    const List* items = sequence_of(value, storage);
    if (items == nullptr)
      return Error{ErrorCode::type_error, "FOREACH needs a list, got " + described(value),
                   clause_.list->where};
    std::vector<Value> inner(row.begin(), row.end());
    if (inner.size() <= clause_.slot) inner.resize(clause_.slot + 1);
    for (const Value& item : *items) {
      inner[clause_.slot] = item;
      updates_.start(inner);
      CAIRN_TRY(drain());
    }
    return {};
  }

 private:
  // Runs the updates. Their rows are not used.
  Status drain() {
    RowBatch rows;
    while (true) {
      CAIRN_ASSIGN(const bool more, updates_.next(rows));
      if (!more) return {};
    }
  }

  const ForeachClause& clause_;
  RunningPipeline updates_;
};

}  // namespace

OperatorPtr make_operator(const Foreach& content, Parts parts) {
  return std::make_unique<ForeachOperator>(content, std::move(parts));
}

}  // namespace cairn::query
