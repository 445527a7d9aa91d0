#pragma once
// GraphEditor: the changes that writing clauses make, through the transaction's writer, counted.

#include "query/execute/pipeline/execution_context.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// What a record is made with: properties, and system fields by their names.
struct MadeRecord {
  Map properties;
  Map system;
};

class GraphEditor {
 public:
  explicit GraphEditor(ExecutionContext& context) : context_(context) {}

  /// Null properties are left out, and so are null system fields.
  [[nodiscard]] Result<Value> create_node(std::span<const std::string> labels,
                                          const MadeRecord& record);
  /// Errors: type_error where an end is not a node.
  [[nodiscard]] Result<Value> create_relationship(const Value& source, std::string_view type,
                                                  const Value& target, const MadeRecord& record);

  /// The target of these is a node or a relationship, or null, which changes nothing.
  [[nodiscard]] Status set_property(const Value& target, std::string_view name, const Value& value);
  [[nodiscard]] Status replace_properties(const Value& target, const Value& properties);
  [[nodiscard]] Status merge_properties(const Value& target, const Value& properties);
  /// Null: it never expires.
  [[nodiscard]] Status set_expiry(const Value& target, const Value& moment);
  [[nodiscard]] Status add_labels(const Value& target, std::span<const std::string> labels);
  [[nodiscard]] Status remove_labels(const Value& target, std::span<const std::string> labels);

  /// What is gone already is passed over. Errors: conflict where a node still has relationships.
  [[nodiscard]] Status erase_relationship(std::uint64_t id);
  [[nodiscard]] Status erase_node(std::uint64_t id);
  /// Adds the relationships that DETACH DELETE of the node erases.
  [[nodiscard]] Status find_attached(std::uint64_t node, codec::Bitmap& relationships);

  /// Reads from now on see the changes.
  void publish() { context_.graph.forget(); }

 private:
  [[nodiscard]] engine::Writer& writer() { return *context_.writer; }
  [[nodiscard]] Result<Map> property_map(const Value& source);
  /// Whether a relationship is of a namespace that the statement neither reads nor writes.
  [[nodiscard]] Result<bool> is_foreign(std::uint64_t relationship,
                                        std::span<const std::uint32_t> name_spaces);
  /// Erase those of the node that are: they go with it and are not counted.
  [[nodiscard]] Status erase_foreign(std::uint64_t node);

  ExecutionContext& context_;
};

}  // namespace cairn::query
