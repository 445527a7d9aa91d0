// Nodes, relationships, paths and labels.
#include "query/syntax/text_printer.hpp"

namespace cairn::query {

using ast::LabelKind;

void TextPrinter::labels(const ast::LabelExpression& labels) {
  if (labels.empty()) return;
  put(":");
  label_part(labels);
}

void TextPrinter::label_part(const ast::LabelExpression& labels) {
  switch (labels.kind) {
    case LabelKind::name:
      name(labels.name);
      break;
    case LabelKind::any_label:
      put("%");
      break;
    case LabelKind::negation:
      put("!");
      label_operand(labels.operands.front(), LabelKind::negation);
      break;
    case LabelKind::all_of:
    case LabelKind::any_of:
      list(labels.operands, labels.kind == LabelKind::all_of ? "&" : "|",
           [&](const auto& operand) { label_operand(operand, labels.kind); });
      break;
    case LabelKind::by_value:
      put("$(");
      expression(labels.value.front());
      put(")");
      break;
    case LabelKind::absent:
      break;
  }
}

void TextPrinter::label_operand(const ast::LabelExpression& operand, LabelKind outer) {
  const bool is_list = operand.kind == LabelKind::all_of || operand.kind == LabelKind::any_of;
  // & binds more than |.
  const bool is_bare =
      !is_list || (outer == LabelKind::any_of && operand.kind == LabelKind::all_of);
  if (!is_bare) put("(");
  label_part(operand);
  if (!is_bare) put(")");
}

// Brackets around a path have no meaning of their own and are not printed.
void TextPrinter::path(const ast::PathPattern& path) {
  static constexpr std::string_view searches[] = {"", "shortestPath(", "allShortestPaths("};
  if (!path.variable.empty()) {
    variable(path.variable);
    put(" = ");
  }
  put(searches[static_cast<std::size_t>(path.element.search)]);
  node(path.element.first);
  for (const ast::PathStep& step : path.element.steps) {
    relationship(step.relationship);
    node(step.node);
  }
  if (path.element.search != ast::PathSearch::every) put(")");
}

void TextPrinter::paths(const std::vector<ast::PathPattern>& paths) {
  list(paths, ", ", [this](const auto& each) { path(each); });
}

void TextPrinter::node(const ast::NodePattern& node) {
  put("(");
  variable(node.variable);
  labels(node.labels);
  const bool has_more = !node.variable.empty() || !node.labels.empty();
  optional(has_more ? " " : "", node.properties);
  optional(has_more || !node.properties.empty() ? " @ " : "@ ", node.system);
  optional(" WHERE ", node.where);
  put(")");
}

// Without details there are no brackets: --> and not -[]->.
void TextPrinter::relationship(const ast::RelationshipPattern& relationship) {
  put(relationship.points_left ? "<-" : "-");
  if (relationship.details != ast::RelationshipDetails{}) details(relationship.details);
  put(relationship.points_right ? "->" : "-");
  quantifier(relationship.quantifier);
}

void TextPrinter::details(const ast::RelationshipDetails& details) {
  put("[");
  variable(details.variable);
  labels(details.types);
  hops(details.hops);
  optional(" ", details.properties);
  optional(" @ ", details.system);
  optional(" WHERE ", details.where);
  put("]");
}

// *, *2, *1..3, *1.. and *..3
void TextPrinter::hops(const ast::Hops& hops) {
  if (!hops.is_present) return;
  put("*");
  if (hops.least) put(std::to_string(*hops.least));
  if (hops.is_range) put("..");
  if (hops.most) put(std::to_string(*hops.most));
}

// {2}, {1,3} and {1,}
void TextPrinter::quantifier(const ast::Hops& hops) {
  if (!hops.is_present) return;
  put("{" + std::to_string(hops.least.value_or(0)));
  if (hops.is_range) put(",");
  if (hops.most) put(std::to_string(*hops.most));
  put("}");
}

}  // namespace cairn::query
