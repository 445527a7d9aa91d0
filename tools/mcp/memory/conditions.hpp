#pragma once
// The filter arguments of tools, which select records.

#include "tools/mcp/memory/tool_arguments.hpp"

#include <cairn/filter.hpp>
#include <cairn/memory/output.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// The conditions of a call.
struct Conditions {
  List filters;                           ///< all must hold
  std::vector<std::string> fields;        ///< fields that the caller named
  std::string empty_list = {};            ///< name of an argument that is an empty list
  std::vector<std::string> remarks = {};  ///< how ages with two readings were read
  bool names_parts = false;               ///< the caller asks for parts of long texts
  /// Returns a value for filter_from().
  [[nodiscard]] Value filter() const;
  /// Returns a filter that counts a long text once: its parts, which store_memory makes, pass only if
  /// the conditions name them.
  [[nodiscard]] Value whole_filter() const;
  /// Removes the warnings of the names that only whole_filter() has added.
  void take_own_names(std::vector<std::string>& warnings) const;
  /// True if no condition was given. Empty groups do not count, because they would pass every
  /// record.
  [[nodiscard]] bool empty() const noexcept { return fields.empty(); }
  void add(std::string_view field, std::string_view op, Value value);
};

/// Reads metadataFilters, metadataFilterGroup, nodeTypes, sessionId, tags, tag_match_all,
/// memory_type, date_from and date_to. Errors: invalid_argument, some with prescribed texts; those
/// of filter_from().
[[nodiscard]] Result<Conditions> read_conditions(const ToolArguments& arguments);

/// For calls that change records: an empty list must not select more records. Errors:
/// invalid_argument.
[[nodiscard]] Status check_lists(const Conditions& conditions);

/// Says how an age such as "30m" is read, which others write for minutes; absent for other texts.
[[nodiscard]] std::optional<std::string> remark_on_age(std::string_view name,
                                                       std::string_view text);

/// The members of these arguments in a schema.
inline constexpr std::string_view condition_schema =
    R"("metadataFilters":{"type":"array","items":{"type":"object"},"description":"All hold: {field, operator, value}. )"
    R"(Operators: equals, not_equals, in, not_in, contains, contained_by, contains_any, exists, not_exists, )"
    R"(greater_than, less_than, between, since, until, matches"},)"
    R"("metadataFilterGroup":{"type":"object","description":"{operator: AND|OR|NOT, filters}"},)"
    R"("nodeTypes":{"type":"array","items":{"type":"string"}},"sessionId":{"type":"string"},)"
    R"("tags":{"type":"array","items":{"type":"string"}},"tag_match_all":{"type":"boolean"},)"
    R"("memory_type":{"type":"string"},"date_from":{"type":"string","description":"ISO 8601 or 7d, 3mo, 30min"},)"
    R"("date_to":{"type":"string"})";

}  // namespace cairn::tools::mcp
