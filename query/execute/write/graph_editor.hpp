#pragma once
// GraphEditor: makes the changes of writing clauses through the transaction's writer, and counts
// them.

#include "query/execute/pipeline/execution_context.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// The content of a new record: properties, and system fields by their names.
struct MadeRecord {
  Map properties;
  Map system;
};

/// Which relationships are deleted together with their node: only those that the statement does not see, or all.
enum class Attached { hidden, all };

class GraphEditor {
 public:
  explicit GraphEditor(ExecutionContext& context) : context_(context) {}

  /// Drops null properties and null system fields.
  [[nodiscard]] Result<Value> create_node(std::span<const std::string> labels,
                                          const MadeRecord& record);
  /// Errors: type_error if an end is not a node; those of Writer::create_relationship().
  [[nodiscard]] Result<Value> create_relationship(const Value& source, std::string_view type,
                                                  const Value& target, const MadeRecord& record);

  /// Returns the value in the form in which a node with all of these labels, or a relationship of
  /// this type, stores it. Equality finds the record only by this form.
  /// Errors: invalid_argument if a vector index refuses the value.
  [[nodiscard]] Result<Value> stored_form(codec::EntityKind kind,
                                          std::span<const std::string> labels_or_type,
                                          std::string_view name, const Value& value);

  /// The target is a node, a relationship or null. Null changes nothing. This applies to all
  /// functions up to remove_labels().
  [[nodiscard]] Status set_property(const Value& target, std::string_view name, const Value& value);
  [[nodiscard]] Status replace_properties(const Value& target, const Value& properties);
  [[nodiscard]] Status merge_properties(const Value& target, const Value& properties);
  /// If `moment` is null, the record never expires.
  [[nodiscard]] Status set_expiry(const Value& target, const Value& moment);
  [[nodiscard]] Status add_labels(const Value& target, std::span<const std::string> labels);
  [[nodiscard]] Status remove_labels(const Value& target, std::span<const std::string> labels);

  /// Records that the statement has deleted already are skipped.
  /// Errors: conflict if a node still has relationships.
  [[nodiscard]] Status erase_relationship(std::uint64_t id);
  [[nodiscard]] Status erase_node(std::uint64_t id);
  /// Adds the relationships of the node that `which` selects to `relationships`.
  [[nodiscard]] Status find_attached(std::uint64_t node, Attached which,
                                     codec::Bitmap& relationships);
  /// Deletes a relationship, of any namespace, because one of its nodes is deleted.
  [[nodiscard]] Status erase_attached(std::uint64_t id);

  /// Makes all changes visible to later reads of the statement. Only deletions need it.
  void publish() { context_.graph.forget(); }

 private:
  [[nodiscard]] engine::Writer& writer() {
    context_.graph.begin_change();
    return *context_.writer;
  }
  [[nodiscard]] Result<Map> property_map(const Value& source);
  /// Keeps the type of a relationship that is deleted next.
  [[nodiscard]] Status keep_type(std::uint64_t relationship);
  /// True if the relationship is in a namespace that the statement reads or writes.
  [[nodiscard]] Result<bool> is_of_read_name_space(std::uint64_t relationship);

  ExecutionContext& context_;
};

}  // namespace cairn::query
