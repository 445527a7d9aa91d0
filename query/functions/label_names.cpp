// Reads the value of $(expression) in a pattern, in SET and in REMOVE.

#include "query/functions/label_names.hpp"

#include "query/functions/call.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::query {
namespace {

Status add_name(const Value& value, std::vector<std::string>& names) {
  const std::string* name = value.string();
  if (name == nullptr || name->empty())
    return Error{ErrorCode::type_error,
                 "a label or type given by $(...) must be a non-empty string or a list of such "
                 "strings, got " +
                     described(value),
                 std::nullopt};
  names.push_back(*name);
  return {};
}

}  // namespace

Status add_label_names(const Value& value, std::vector<std::string>& names) {
  const List* list = value.list();
  if (list == nullptr) return add_name(value, names);
  for (const Value& one : *list) CAIRN_TRY(add_name(one, names));
  return {};
}

Result<std::vector<std::string>> label_names(const Value& value) {
  std::vector<std::string> names;
  CAIRN_TRY(add_label_names(value, names));
  return names;
}

Result<std::vector<std::string>> label_names(std::vector<std::string> names, const List& values) {
  for (const Value& value : values) CAIRN_TRY(add_label_names(value, names));
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

}  // namespace cairn::query
