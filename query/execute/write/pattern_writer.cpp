// Creates the records of a pattern, for CREATE, and for MERGE if nothing matches.

#include "query/bind/bound_query.hpp"
#include "query/execute/pipeline/running_plan.hpp"
#include "query/execute/write/eager_operator.hpp"
#include "query/execute/write/graph_editor.hpp"
#include "query/execute/write/operators.hpp"
#include "query/functions/call.hpp"
#include "query/functions/label_names.hpp"
#include "query/plan/operator_content.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Adds the place of the expression to an error without one.
template <class T>
Result<T> at(const ExpressionPtr& expression, Result<T> result) {
  if (!result && !result.error().where) result.error().where = expression->where;
  return result;
}

// A relationship has exactly one type.
Result<std::string> only_type(const Value& value) {
  CAIRN_ASSIGN(std::vector<std::string> names, label_names({}, {value}));
  if (names.size() == 1) return std::move(names.front());
  return Error{ErrorCode::invalid_argument,
               "a relationship is made with exactly one type, got " + std::to_string(names.size()),
               std::nullopt};
}

// PatternCreator makes the records of one path for one row: first the nodes that are not bound,
// then the relationships, then the value of the path variable. CREATE and MERGE differ in where the
// properties come from.

class PatternCreator {
 public:
  /// Returns the content of the new node or relationship at a position of the path.
  struct Properties {
    std::function<Result<MadeRecord>(std::size_t position, Row row)> of_node;
    std::function<Result<MadeRecord>(std::size_t position, Row row)> of_relationship;
    /// The value of the labels or of the type, if they are given by value.
    std::function<Result<Value>(std::size_t position, Row row)> labels;
    std::function<Result<Value>(std::size_t position, Row row)> type;
  };

  PatternCreator(GraphEditor& editor, const PathPattern& path, Properties properties)
      : editor_(editor), path_(path), properties_(std::move(properties)) {}

  /// Fills the slots of the pattern, including its path variable.
  [[nodiscard]] Status create(Row row);

 private:
  [[nodiscard]] Status create_node(std::size_t position, Row row);
  [[nodiscard]] Status create_relationship(std::size_t position, Row row);
  [[nodiscard]] Result<std::string> type_of(std::size_t position, Row row);
  void bind_path(Row row) const;

  GraphEditor& editor_;
  const PathPattern& path_;
  Properties properties_;
};

Status PatternCreator::create(Row row) {
  for (std::size_t i = 0; i < path_.nodes.size(); ++i) CAIRN_TRY(create_node(i, row));
  for (std::size_t i = 0; i < path_.relationships.size(); ++i)
    CAIRN_TRY(create_relationship(i, row));
  bind_path(row);
  return {};
}

// A node that was bound earlier, in this pattern or in an earlier clause, is used unchanged. The
// binder rejects labels and properties of such a node.
Status PatternCreator::create_node(std::size_t position, Row row) {
  const NodePattern& node = path_.nodes[position];
  if (node.is_bound) return {};
  std::vector<std::string> labels;
  if (node.labels_by_value) {
    CAIRN_ASSIGN(const Value value, properties_.labels(position, row));
    CAIRN_ASSIGN(labels, at(node.labels_by_value, label_names(node.labels, value.as_list())));
  }
  CAIRN_ASSIGN(const MadeRecord made, properties_.of_node(position, row));
  CAIRN_ASSIGN(row[node.slot],
               editor_.create_node(node.labels_by_value ? labels : node.labels, made));
  return {};
}

Result<std::string> PatternCreator::type_of(std::size_t position, Row row) {
  const RelationshipPattern& step = path_.relationships[position];
  if (!step.type_by_value) return step.types.front();
  CAIRN_ASSIGN(const Value value, properties_.type(position, row));
  return at(step.type_by_value, only_type(value));
}

// A relationship without a direction goes from left to right. A null end, as from OPTIONAL MATCH,
// is an error.
Status PatternCreator::create_relationship(std::size_t position, Row row) {
  const RelationshipPattern& step = path_.relationships[position];
  const Value* source = &row[path_.nodes[position].slot];
  const Value* target = &row[path_.nodes[position + 1].slot];
  if (step.direction == PatternDirection::left) std::swap(source, target);
  CAIRN_ASSIGN(const std::string type, type_of(position, row));
  CAIRN_ASSIGN(const MadeRecord record, properties_.of_relationship(position, row));
  CAIRN_ASSIGN(Value made, editor_.create_relationship(*source, type, *target, record));
  row[step.slot] = std::move(made);
  return {};
}

// Called after all parts of the path exist. The parts are in the order of the text, whatever the
// direction of the arrows.
void PatternCreator::bind_path(Row row) const {
  if (!path_.slot) return;
  Path path;
  for (const NodePattern& node : path_.nodes) path.nodes.push_back(row[node.slot].as_node());
  for (const RelationshipPattern& step : path_.relationships)
    path.relationships.push_back(row[step.slot].as_relationship());
  row[*path_.slot] = std::move(path);
}

}  // namespace

// CREATE: reads all rows, creates every pattern for each row, and returns the rows with the new
// entities in their slots. Property expressions, with their subqueries, see what the clause has
// created so far, for this row and earlier ones.

namespace {

// There is one creator per path, in the order of the text, so that later paths may use nodes of
// earlier ones.
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
  // Properties are evaluated on the row when each record is created.
  PatternCreator creator_of(const PathPattern& path) {
    return {
        editor(),
        path,
        {[&](std::size_t i, Row row) { return evaluate(path.nodes[i].properties, row); },
         [&](std::size_t i, Row row) { return evaluate(path.relationships[i].properties, row); },
         [&](std::size_t i, Row row) {
           return evaluator().evaluate(*path.nodes[i].labels_by_value, row);
         },
         [&](std::size_t i, Row row) {
           return evaluator().evaluate(*path.relationships[i].type_by_value, row);
         }}};
  }

  Result<MadeRecord> evaluate(const ExpressionPtr& record, Row row) {
    MadeRecord made;
    CAIRN_ASSIGN(made.properties, map_of(properties_of(record), row));
    CAIRN_ASSIGN(made.system, map_of(system_of(record), row));
    return made;
  }

  /// Evaluates CREATE (n $properties). The value is a map, or null for no properties. Nulls in the
  /// map are dropped when stored.
  Result<Map> map_of(const Expression* properties, Row row) {
    if (properties == nullptr) return Map();
    CAIRN_ASSIGN(const Value value, evaluator().evaluate(*properties, row));
    if (const Map* map = value.map()) return *map;
    if (value.is_null()) return Map();
    return Error{ErrorCode::type_error, "the properties must be a map, got " + described(value),
                 properties->where};
  }

  std::vector<PatternCreator> creators_;
};

}  // namespace

OperatorPtr make_operator(const CreatePattern& content, Parts parts) {
  return std::make_unique<CreatePatternOperator>(content, std::move(parts));
}

// MERGE: for each row, evaluates the properties and matches the pattern. Then it applies ON MATCH
// to all matches, or creates the pattern and applies ON CREATE. A row sees what earlier rows
// created. There is no second writer in a writing transaction, so nothing can change between
// matching and creating.

namespace {

using PropertyList = std::vector<MergePattern::Property>;

// Matches or creates the pattern as a whole. An incomplete match is never completed.
class MergePatternOperator final : public EagerOperator {
 public:
  // The creator reads property values from the slots that evaluate_properties() fills.
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
                  },
                  [&content](std::size_t i, Row row) -> Result<Value> {
                    return row[content.node_names[i].slot];
                  },
                  [&content](std::size_t i, Row row) -> Result<Value> {
                    return row[content.relationship_names[i].slot];
                  }}) {}

 protected:
  /// The match for the next row finds the new records. Rebuilding cached sets after each creation
  /// is the additional cost of MERGE over CREATE.
  Status apply(Row row) override {
    CAIRN_TRY(evaluate_properties(row));
    CAIRN_ASSIGN(const bool has_matched, hand_on_matches(row));
    if (has_matched) return {};
    CAIRN_TRY(creator_.create(row));
    CAIRN_TRY(apply_items(content_.clause->on_create, context_, editor(), row));
    return hand_on(row);
  }

 private:
  // Reads the evaluated properties from their slots.
  static Result<MadeRecord> made_of(const PropertyList& properties, Row row) {
    MadeRecord made;
    for (const MergePattern::Property& property : properties)
      (property.is_system ? made.system : made.properties)
          .emplace(property.name, row[property.slot]);
    return made;
  }

  /// Evaluates names and properties before matching, into slots that matching and creating both
  /// read.
  Status evaluate_properties(Row row) {
    const PathPattern& path = content_.clause->path;
    for (std::size_t i = 0; i < path.nodes.size(); ++i) {
      CAIRN_ASSIGN(const auto labels, labels_of(i, row));
      CAIRN_TRY(evaluate({codec::EntityKind::node, labels}, content_.node_properties[i], row));
    }
    for (std::size_t i = 0; i < path.relationships.size(); ++i) {
      CAIRN_ASSIGN(const auto types, types_of(i, row));
      CAIRN_TRY(evaluate({codec::EntityKind::relationship, types},
                         content_.relationship_properties[i], row));
    }
    return {};
  }

  /// Returns all labels of a node. Stores labels given by value in their slot.
  Result<std::vector<std::string>> labels_of(std::size_t position, Row row) {
    const NodePattern& node = content_.clause->path.nodes[position];
    if (!node.labels_by_value) return node.labels;
    CAIRN_ASSIGN(const Value value, evaluator().evaluate(*node.labels_by_value, row));
    CAIRN_ASSIGN(auto names, at(node.labels_by_value, label_names(node.labels, value.as_list())));
    row[content_.node_names[position].slot] = List(names.begin(), names.end());
    return names;
  }

  /// Returns the type of a relationship. Stores a type given by value in its slot.
  Result<std::vector<std::string>> types_of(std::size_t position, Row row) {
    const RelationshipPattern& step = content_.clause->path.relationships[position];
    if (!step.type_by_value) return step.types;
    CAIRN_ASSIGN(const Value value, evaluator().evaluate(*step.type_by_value, row));
    CAIRN_ASSIGN(std::string type, at(step.type_by_value, only_type(value)));
    row[content_.relationship_names[position].slot] = type;
    return std::vector<std::string>{std::move(type)};
  }

  /// The node or relationship whose properties are evaluated.
  struct Owner {
    codec::EntityKind kind;
    const std::vector<std::string>& labels_or_type;
  };

  // Rejects null, which never matches: MERGE would create the record again each time.
  Status evaluate(const Owner& owner, const PropertyList& properties, Row row) {
    for (const MergePattern::Property& property : properties) {
      Value& value = row[property.slot];
      CAIRN_ASSIGN(value, evaluator().evaluate(*property.value, row));
      if (value.is_null())
        return Error{ErrorCode::invalid_argument,
                     std::string("MERGE cannot use null for ") +
                         (property.is_system ? "@" : "property \"") + property.name +
                         (property.is_system ? "" : "\"") +
                         ", because nothing equals null; give it a value, or omit it",
                     property.value->where};
      if (!property.is_system) CAIRN_TRY(convert(owner, property, value));
    }
    return {};
  }

  Status convert(const Owner& owner, const MergePattern::Property& property, Value& value) {
    auto stored = editor().stored_form(owner.kind, owner.labels_or_type, property.name, value);
    if (!stored) {
      Error error = stored.error();
      error.where = property.value->where;
      return error;
    }
    value = *std::move(stored);
    return {};
  }

  // Finds all matches before ON MATCH changes the first one. Each match becomes one output row.
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
