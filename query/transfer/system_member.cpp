#include "query/transfer/system_member.hpp"

#include <cairn/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

using Time = std::optional<std::int64_t> SystemFields::*;

constexpr std::string_view name_space_member = "namespace";
constexpr std::array<std::pair<std::string_view, Time>, 6> times{{
    {"created", &SystemFields::created},
    {"updated", &SystemFields::updated},
    {"deletedAt", &SystemFields::deleted_at},
    {"expiresAt", &SystemFields::expires_at},
    {"validFrom", &SystemFields::valid_from},
    {"validTo", &SystemFields::valid_to},
}};

Error wrong(std::string message) {
  return {ErrorCode::invalid_argument, "\"system\" " + std::move(message), std::nullopt};
}

Status read_member(const std::string& name, const Value& value, SystemFields& fields) {
  if (name == name_space_member) {
    if (value.string() == nullptr) return wrong("has a namespace that is no text");
    fields.name_space = *value.string();
    return {};
  }
  const auto* const time =
      std::ranges::find(times, std::string_view(name), [](const auto& one) { return one.first; });
  if (time == times.end()) {
    std::string names(name_space_member);
    for (const auto& [known, field] : times) names += ", " + std::string(known);
    return wrong("has the unknown member \"" + name + "\"; there are " + names);
  }
  if (value.type() != ValueType::integer)
    return wrong("has a \"" + name + "\" that is no whole number of microseconds since 1970");
  fields.*(time->second) = value.as_integer();
  return {};
}

}  // namespace

std::string to_system_member(const SystemFields& fields) {
  std::string text;
  const auto append = [&](std::string_view name, const std::string& value) {
    text += (text.empty() ? "\"" : ",\"") + std::string(name) + "\":" + value;
  };
  if (!fields.name_space.empty()) append(name_space_member, to_json(Value(fields.name_space)));
  for (const auto& [name, field] : times)
    if (const auto& time = fields.*field) append(name, std::to_string(*time));
  return "{" + text + "}";
}

Result<SystemFields> parse_system_member(const Value& value) {
  if (value.map() == nullptr) return wrong("is no object");
  SystemFields fields;
  for (const auto& [name, member] : *value.map()) CAIRN_TRY(read_member(name, member, fields));
  return fields;
}

}  // namespace cairn::query
