#include "tools/embedders/tokenizer/settings.hpp"

#include "tools/text/shown_text.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::tools {

Error wrong_model(std::string message) { return {ErrorCode::corruption, std::move(message), {}}; }
Error unknown_part(std::string message) { return {ErrorCode::unsupported, std::move(message), {}}; }

Settings::Settings(const Map* members, std::string role)
    : members_(members), role_(std::move(role)) {
  if (const auto* const type = member("type").string()) type_ = *type;
}

Result<Settings> Settings::of(const Value& value, std::string role) {
  if (value.map() == nullptr) return wrong_model("the " + role + " is not an object");
  return Settings(value.map(), std::move(role));
}

std::string Settings::name() const {
  return "the " + role_ + (type_.empty() ? "" : " " + shown_text(type_));
}

const Value& Settings::member(std::string_view name) const {
  static const Value none;
  const auto found = members_->find(name);
  return found == members_->end() ? none : found->second;
}

Error Settings::wrong(std::string_view name, std::string_view expected) const {
  return wrong_model("\"" + std::string(name) + "\" of " + this->name() + " must be " +
                     std::string(expected) + ", got " + shown_text(member(name).to_text()));
}

Result<bool> Settings::flag(std::string_view name, bool otherwise) const {
  const Value& value = member(name);
  if (value.is_null()) return otherwise;
  if (const auto* const flag = value.get_if<bool>()) return *flag;
  return wrong(name, "true or false");
}

Result<std::string> Settings::text(std::string_view name) const {
  if (const auto* const text = member(name).string()) return *text;
  return wrong(name, "a text");
}

Result<std::optional<std::string>> Settings::optional_text(std::string_view name) const {
  if (member(name).is_null()) return std::optional<std::string>();
  CAIRN_ASSIGN(auto given, text(name));
  return std::optional(std::move(given));
}

Result<std::optional<std::uint32_t>> Settings::number(std::string_view name) const {
  const Value& value = member(name);
  if (value.is_null()) return std::optional<std::uint32_t>();
  const auto* const number = value.get_if<std::int64_t>();
  if (number == nullptr || *number < 0 || *number > std::numeric_limits<std::uint32_t>::max())
    return wrong(name, "a number from 0 to 2^32 - 1");
  return std::optional(static_cast<std::uint32_t>(*number));
}

Result<const List*> Settings::list(std::string_view name) const {
  static const List none;
  const Value& value = member(name);
  if (value.is_null()) return &none;
  if (value.list() == nullptr) return wrong(name, "a list");
  return value.list();
}

Status Settings::check_names(std::initializer_list<std::string_view> known) const {
  for (const auto& [name, value] : *members_) {
    const bool is_known = name == "type" || std::ranges::find(known, name) != known.end();
    if (!is_known && !value.is_null())
      return unknown_part(this->name() + " has the setting \"" + shown_text(name) +
                          "\", which Cairn does not know");
  }
  return {};
}

Error Settings::unknown_type() const {
  return unknown_part("the " + role_ + " is " +
                      (type_.empty() ? "of no type" : "a " + shown_text(type_)) +
                      ", which Cairn does not have");
}

}  // namespace cairn::tools
