// CREATE.
// Pulls all rows, then makes every pattern for each of them, then hands the rows on with the new
// entities in their slots. Property expressions of a row see what this row has made so far, and
// nothing of it is visible to a MATCH before the clause has ended.

#include "query/bind/bound_query.hpp"
#include "query/execute/write/eager_operator.hpp"
#include "query/execute/write/pattern_creator.hpp"
#include "query/plan/operator_content.hpp"

namespace cairn::query {
namespace {

// One creator for each path, in the order of the text: later paths may use nodes of earlier ones.
class CreatePatternOperator final : public EagerOperator {
 public:
  CreatePatternOperator(const CreatePattern& content, Parts parts)
      : EagerOperator(std::move(parts)) {
    for (const PathPattern& path : content.clause->paths) creators_.push_back(creator_of(path));
  }

 protected:
  Status apply(Row row) override {
    for (PatternCreator& creator : creators_) CAIRN_TRY(creator.create(row));
    return {};
  }

 private:
  PatternCreator creator_of(const PathPattern& path) {
    return {
        editor(),
        path,
        {[&](std::size_t i, Row row) { return evaluate(path.nodes[i].properties, row); },
         [&](std::size_t i, Row row) { return evaluate(path.relationships[i].properties, row); }}};
  }

  Result<MadeRecord> evaluate(const ExpressionPtr& record, Row row) {
    MadeRecord made;
    CAIRN_ASSIGN(made.properties, map_of(properties_of(record), row));
    CAIRN_ASSIGN(made.system, map_of(system_of(record), row));
    return made;
  }

  /// CREATE (n $properties): a map, or null for none. Nulls within are left out when stored.
  Result<Map> map_of(const Expression* properties, Row row) {
    if (properties == nullptr) return Map();
    CAIRN_ASSIGN(const Value value, evaluator().evaluate(*properties, row));
    if (const Map* map = value.map()) return *map;
    if (value.is_null()) return Map();
    return Error{ErrorCode::type_error,
                 "properties are a map, got a " + std::string(to_string(value.type())),
                 properties->where};
  }

  std::vector<PatternCreator> creators_;
};

}  // namespace

OperatorPtr make_operator(const CreatePattern& content, Parts parts) {
  return std::make_unique<CreatePatternOperator>(content, std::move(parts));
}

}  // namespace cairn::query
