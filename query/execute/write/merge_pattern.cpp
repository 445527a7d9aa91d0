// MERGE: for each row, the matches of the pattern, or the pattern made. A row sees what the rows
// before it made.
// For each row: evaluate the properties, look for the pattern, then either apply ON MATCH to all
// matches or make the pattern and apply ON CREATE. Within one writing transaction there is no
// second writer, so that looking and making cannot be torn apart.

#include "query/execute/pipeline/running_plan.hpp"
#include "query/execute/write/eager_operator.hpp"
#include "query/execute/write/pattern_creator.hpp"
#include "query/execute/write/set_items.hpp"
#include "query/plan/operator_content.hpp"

namespace cairn::query {
namespace {

using PropertyList = std::vector<MergePattern::Property>;

// All parts of the pattern are found together or made together; nothing is completed.
class MergePatternOperator final : public EagerOperator {
 public:
  MergePatternOperator(const MergePattern& content, Parts parts)
      : EagerOperator(std::move(parts)),
        content_(content),
        match_(context_, content.match),
        creator_(editor(), content.clause->path,
                 {[&content](std::size_t i, Row row) {
                    return made_of(content.node_properties[i], row);
                  },
                  [&content](std::size_t i, Row row) {
                    return made_of(content.relationship_properties[i], row);
                  }}) {}

 protected:
  /// publish() after each creation, for the next row's look to find it: kept sets are rebuilt,
  /// which is what MERGE costs beside a CREATE.
  Status apply(Row row) override {
    CAIRN_TRY(evaluate_properties(row));
    CAIRN_ASSIGN(const bool has_matched, hand_on_matches(row));
    if (has_matched) return {};
    CAIRN_TRY(creator_.create(row));
    CAIRN_TRY(apply_items(content_.clause->on_create, context_, editor(), row));
    editor().publish();
    return hand_on(row);
  }

 private:
  static Result<MadeRecord> made_of(const PropertyList& properties, Row row) {
    MadeRecord made;
    for (const MergePattern::Property& property : properties)
      (property.is_system ? made.system : made.properties)
          .emplace(property.name, row[property.slot]);
    return made;
  }

  /// Before the search, into slots that search and creation both read.
  Status evaluate_properties(Row row) {
    for (const PropertyList& properties : content_.node_properties)
      CAIRN_TRY(evaluate(properties, row));
    for (const PropertyList& properties : content_.relationship_properties)
      CAIRN_TRY(evaluate(properties, row));
    return {};
  }

  // A null never matches, and what was made could not be found again.
  Status evaluate(const PropertyList& properties, Row row) {
    for (const MergePattern::Property& property : properties) {
      CAIRN_ASSIGN(row[property.slot], evaluator().evaluate(*property.value, row));
      if (row[property.slot].is_null())
        return Error{ErrorCode::invalid_argument,
                     std::string("MERGE cannot use null for ") +
                         (property.is_system ? "@" : "property \"") + property.name +
                         (property.is_system ? "" : "\""),
                     property.value->where};
    }
    return {};
  }

  // All matches are found before ON MATCH changes the first.
  // Each match is a row of its own.
  Result<bool> hand_on_matches(Row row) {
    match_.start(row);
    std::vector<RowBatch> matches;
    while (true) {
      RowBatch batch;
      CAIRN_ASSIGN(const bool more, match_.next(batch));
      if (!more) break;
      matches.push_back(std::move(batch));
    }
    for (RowBatch& batch : matches)
      for (std::size_t i = 0; i < batch.size(); ++i) {
        CAIRN_TRY(apply_items(content_.clause->on_match, context_, editor(), batch[i]));
        CAIRN_TRY(hand_on(batch[i]));
      }
    if (!matches.empty() && !content_.clause->on_match.empty()) editor().publish();
    return !matches.empty();
  }

  const MergePattern& content_;
  RunningPipeline match_;
  PatternCreator creator_;
};

}  // namespace

OperatorPtr make_operator(const MergePattern& content, Parts parts) {
  return std::make_unique<MergePatternOperator>(content, std::move(parts));
}

}  // namespace cairn::query
