#pragma once
// Errors are values: every call that can fail returns a Result, and its message names the thing,
// the place and the mend. The member names are those of std::expected.
//
//     auto database = cairn::Database::open("my.cairn");
//     if (!database) return report(database.error());       // code for programs, message for people
//     CAIRN_TRY(database->checkpoint());                     // or hand the error on
//
// No exception leaves the library, but for std::bad_alloc. Threads: a Result is a plain value.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace cairn {

/// What a program can do about an error. The list is closed; numbers are never reused.
///
/// Worth trying again: busy, and after a change of the options resource_limit. A mistake of the caller:
/// invalid_argument, parse_error, type_error. For a person to look at: io_error, corruption. What a call
/// returns beyond that stands at the call.
enum class ErrorCode : std::uint8_t {
  invalid_argument = 1,  ///< the caller passed something that can never work
  parse_error = 2,       ///< the text is not a statement, or names what does not exist in scope
  type_error = 3,        ///< a value has another type than the operation needs
  not_found = 4,         ///< the named thing is not there
  already_exists = 5,    ///< the named thing is there already
  conflict = 6,          ///< the data forbid it (a node with relationships, a used name)
  busy = 7,              ///< somebody else holds it; trying again may work
  cancelled = 8,         ///< the caller asked to stop
  resource_limit = 9,    ///< a limit of the options was reached; the message names it
  io_error = 10,         ///< the operating system or the disk refused
  corruption = 11,       ///< stored bytes are not what was written
  format_too_new = 12,   ///< written by a newer Cairn
  unsupported = 13,      ///< a known thing that this version cannot do
};

/// The code's name as in the enumeration, for logs and tests.
[[nodiscard]] constexpr std::string_view to_string(ErrorCode code) noexcept {
  constexpr std::string_view names[] = {"",
                                        "invalid_argument",
                                        "parse_error",
                                        "type_error",
                                        "not_found",
                                        "already_exists",
                                        "conflict",
                                        "busy",
                                        "cancelled",
                                        "resource_limit",
                                        "io_error",
                                        "corruption",
                                        "format_too_new",
                                        "unsupported"};
  return names[static_cast<std::size_t>(code)];
}

/// A half-open range of bytes in a statement's text, with the position a person counts in.
///
/// text.substr(begin, end - begin) is what the message is about; an empty range stands between two
/// bytes, for instance at the end of a text in which something is missing.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t line = 1;    ///< from 1
  std::size_t column = 1;  ///< from 1, in code points

  friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// Why a call failed: a code for programs, a message for people, and where in a text.
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message;  ///< a sentence, without a full stop; several lines where it shows text
  std::optional<TextRange> where;  ///< for errors of a statement's text

  friend bool operator==(const Error&, const Error&) = default;
};

/// A value or an Error. The compiler warns where one is dropped.
///
/// Cost: as its larger half; moving it moves the value.
/// Reading `value()` of an error, or `error()` of a value, is a broken precondition.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  /// Whether there is a value; the same question in two spellings.
  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// The value. It is not checked whether there is one.
  [[nodiscard]] T& value() & { return *std::get_if<0>(&state_); }
  [[nodiscard]] const T& value() const& { return *std::get_if<0>(&state_); }
  [[nodiscard]] T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return std::get_if<0>(&state_); }
  [[nodiscard]] const T* operator->() const { return std::get_if<0>(&state_); }

  /// Why there is none. It is not checked whether there is an error.
  [[nodiscard]] Error& error() & { return *std::get_if<1>(&state_); }
  [[nodiscard]] const Error& error() const& { return *std::get_if<1>(&state_); }
  [[nodiscard]] Error&& error() && { return std::move(*std::get_if<1>(&state_)); }

  /// The value, or `fallback` where there is an error.
  [[nodiscard]] T value_or(T fallback) && {
    return has_value() ? std::move(*this).value() : std::move(fallback);
  }

 private:
  std::variant<T, Error> state_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] Error& error() & { return *error_; }
  [[nodiscard]] const Error& error() const& { return *error_; }
  [[nodiscard]] Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace cairn

#define CAIRN_DETAIL_JOIN2(a, b) a##b
#define CAIRN_DETAIL_JOIN(a, b) CAIRN_DETAIL_JOIN2(a, b)
#define CAIRN_DETAIL_ASSIGN(result, declaration, ...)        \
  auto result = (__VA_ARGS__);                               \
  if (!result.has_value()) return std::move(result).error(); \
  declaration = std::move(result).value()

/// Return the error of `expression` from the enclosing function, or go on.
///
///     CAIRN_TRY(transaction.commit());
#define CAIRN_TRY(...)                                                \
  do {                                                                \
    if (auto cairn_status = (__VA_ARGS__); !cairn_status.has_value()) \
      return std::move(cairn_status).error();                         \
  } while (false)

/// Declare or assign `declaration` from the value of an expression, or return its error.
///
///     CAIRN_ASSIGN(const NodeId node, transaction.create_node({{"Person"}, {{"name", "Ada"}}}));
///
/// It makes two statements, so it needs braces where one is allowed (behind an `if`, for instance).
#define CAIRN_ASSIGN(declaration, ...) \
  CAIRN_DETAIL_ASSIGN(CAIRN_DETAIL_JOIN(cairn_result_, __LINE__), declaration, __VA_ARGS__)
