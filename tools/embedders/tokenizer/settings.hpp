#pragma once
// Settings: a JSON object of a tokenizer's file. The error for a missing required member, or for a
// member that Cairn does not know, has the name of the member.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The error of an invalid file.
[[nodiscard]] Error wrong_model(std::string message);
/// The error of a file that needs something that Cairn does not have.
[[nodiscard]] Error unknown_part(std::string message);

class Settings {
 public:
  /// Wraps an object. `role` names the object in messages: "normalizer". Precondition: the value
  /// outlives the result. Errors: corruption if the value is not an object.
  [[nodiscard]] static Result<Settings> of(const Value& value, std::string role);

  /// The member "type"; empty if there is none.
  [[nodiscard]] const std::string& type() const noexcept { return type_; }
  /// For messages: "the normalizer Replace".
  [[nodiscard]] std::string name() const;

  /// Returns a member, or null.
  [[nodiscard]] const Value& member(std::string_view name) const;
  /// A flag, `otherwise` if it is missing or null. Errors: corruption for another type.
  [[nodiscard]] Result<bool> flag(std::string_view name, bool otherwise) const;
  [[nodiscard]] Result<std::string> text(std::string_view name) const;
  /// A text, none if it is missing or null.
  [[nodiscard]] Result<std::optional<std::string>> optional_text(std::string_view name) const;
  /// A number from 0 to 2^32 - 1, none if it is missing or null.
  [[nodiscard]] Result<std::optional<std::uint32_t>> number(std::string_view name) const;
  /// A list; a missing one is empty.
  [[nodiscard]] Result<const List*> list(std::string_view name) const;

  /// Checks that all members are known. Errors: unsupported for a member that is neither null nor
  /// among these names.
  [[nodiscard]] Status check_names(std::initializer_list<std::string_view> known) const;
  /// The error for a type that Cairn does not have.
  [[nodiscard]] Error unknown_type() const;
  [[nodiscard]] Error wrong(std::string_view name, std::string_view expected) const;

 private:
  Settings(const Map* members, std::string role);

  const Map* members_;
  std::string role_;
  std::string type_;
};

}  // namespace cairn::tools
