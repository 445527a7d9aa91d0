#pragma once
// Errors are values: every call that can fail returns a Result, and its message names the thing,
// the place and the repair. The member names are those of std::expected.
//
//     auto database = cairn::Database::open("my.cairn");
//     if (!database) return report(database.error());       // code for programs, message for people
//     CAIRN_TRY(database->checkpoint());                     // or hand the error on
//
// A function of one's own that passes errors on returns a Result as well:
//
//     Result<std::size_t> count_labels(const Database& database) {
//       CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
//       CAIRN_ASSIGN(const auto labels, snapshot.labels());
//       return labels.size();
//     }
//
// No exception leaves the library, but for std::bad_alloc. Threads: a Result is a plain value.

#include <cairn/visibility.hpp>

#include <concepts>
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
/// Worth trying again: busy, and resource_limit after a change of the options or once the disk has room. A mistake of the caller:
/// invalid_argument, parse_error, type_error. For a person to look at: io_error, corruption. What a call
/// returns beyond that stands at the call.
///
/// Stable: a code keeps its number and its meaning, the message behind it may be worded again with
/// any version. A full disk is resource_limit where the store meets it, and io_error where a file
/// beside the store does.
enum class ErrorCode : std::uint8_t {
  /// A value out of its range, a vector of another dimension, an option that contradicts another
  /// one, a value over a limit of the options or the format when it is written.
  invalid_argument = 1,  ///< the caller passed something that can never work
  /// `Error::where` says at which bytes of a statement's text.
  parse_error = 2,  ///< the text is not a statement, or names what does not exist in scope
  /// At run time of a statement, and when a node, relationship or path is written as a property.
  type_error = 3,  ///< a value has another type than the operation needs
  /// Where absence is an answer and no error, a call gives an empty optional or false instead.
  not_found = 4,       ///< the named thing is not there
  already_exists = 5,  ///< the named thing is there already
  /// Also a call on a transaction that has ended, and a directory in which a bulk load did not end.
  conflict = 6,  ///< the data forbid it (a node with relationships, a used name)
  /// Another process has the database open, another writer holds the writer lock, or this one lost it by
  /// idleness.
  busy = 7,       ///< somebody else holds it; trying again may work
  cancelled = 8,  ///< the caller asked to stop
  /// Of a statement: time, memory or rows; of a transaction: its bytes; of the machine: disk or
  /// memory.
  resource_limit = 9,  ///< a limit of the options was reached; the message names it
  /// After one of these from a commit whose message says so, open the database again: nothing else tells what is
  /// on disk.
  io_error = 10,    ///< the operating system or the disk refused
  corruption = 11,  ///< stored bytes are not what was written
  /// The message has both numbers; the store was not opened.
  format_too_new = 12,  ///< written by a newer Cairn
  /// Writing to what is open for reading, searching an index that its own transaction has just
  /// made.
  unsupported = 13,  ///< a known thing that this version cannot do
};

/// The code's name as in the enumeration, for logs and tests.
/// Precondition: one of the enumerators. Lifetime: the text lives as long as the program.
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
///
/// Lines end at LF; a tab is one column. To show the place, print the line and `column - 1` blanks.
struct TextRange {
  /// The first byte that the message is about, from 0.
  std::size_t begin = 0;
  /// The byte behind the last one; never less than `begin`.
  std::size_t end = 0;
  std::size_t line = 1;    ///< from 1
  std::size_t column = 1;  ///< from 1, in code points

  friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// Why a call failed: a code for programs, a message for people, and where in a text.
///
/// The message names the thing, what is wrong with it and, where there is one, the way out:
/// property "age" of node 42 is a string, expected an integer. It holds pieces of the caller's
/// data, so it is for people who may see these, and no text to take apart: a program decides by
/// `code`.
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message;  ///< a sentence, without a full stop; several lines where it shows text
  std::optional<TextRange> where;  ///< for errors of a statement's text

  friend bool operator==(const Error&, const Error&) = default;
};

namespace detail {

/// Says on the standard error what was read of what, and ends the program (std::abort).
[[noreturn]] CAIRN_EXPORT void fail_value(const Error& error) noexcept;
[[noreturn]] CAIRN_EXPORT void fail_error() noexcept;

}  // namespace detail

/// A value or an Error. The compiler warns where one is dropped.
///
///     Result<NodeId> made = transaction.create_node({{"Person"}});
///     if (!made) return made.error();
///     use(*made);
///
/// Made of a value or of an Error without further words, so that `return value;` and `return
/// Error{...};` both do. A Result of a handle only moves, as the handle does.
/// Reading `value()` of an error, or `error()` of a value, ends the program: it says why on the standard
/// error, with the error's message, and calls std::abort().
/// Cost: as its larger half; moving it moves the value.
/// Threads: as T; one object must not be changed by one thread while another one uses it.
template <class T>
class [[nodiscard]] Result {
 public:
  /// Implicit on purpose: success is `return value;`, failure `return Error{code, message, {}};`.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  /// Of what becomes a T without further words, so that a call that gives a Value can `return 1;`.
  template <class U>
    requires(std::is_class_v<T> && std::convertible_to<U, T> && !std::convertible_to<U, Error> &&
             !std::same_as<std::remove_cvref_t<U>, T> &&
             !std::same_as<std::remove_cvref_t<U>, Result>)
  Result(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  /// Whether there is a value; the same question in two spellings.
  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// The value. An error ends the program with its message.
  [[nodiscard]] T& value() & { return *pointer(); }
  [[nodiscard]] const T& value() const& { return *pointer(); }
  /// Of a temporary, the value moves out, so that `for (auto& row : call().value())` has what it walks over.
  [[nodiscard]] T value() && { return std::move(*pointer()); }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return pointer(); }
  [[nodiscard]] const T* operator->() const { return pointer(); }

  /// Why there is no value. Ends the program if there is one.
  [[nodiscard]] Error& error() & { return *failure(); }
  [[nodiscard]] const Error& error() const& { return *failure(); }
  [[nodiscard]] Error error() && { return std::move(*failure()); }

  /// The value, or `fallback` where there is an error.
  /// Of a temporary only, and it drops the error: for where any failure means the same default.
  [[nodiscard]] T value_or(T fallback) && {
    return has_value() ? std::move(*this).value() : std::move(fallback);
  }

 private:
  [[nodiscard]] const T* pointer() const {
    if (!has_value()) detail::fail_value(*std::get_if<1>(&state_));
    return std::get_if<0>(&state_);
  }
  [[nodiscard]] T* pointer() { return const_cast<T*>(std::as_const(*this).pointer()); }
  [[nodiscard]] const Error* failure() const {
    if (has_value()) detail::fail_error();
    return std::get_if<1>(&state_);
  }
  [[nodiscard]] Error* failure() { return const_cast<Error*>(std::as_const(*this).failure()); }

  std::variant<T, Error> state_;
};

/// Success, or an Error.
///
///     if (Status done = transaction.commit(); !done) log(done.error().message);
///
/// Default construction is success, so a function that changes something ends with `return {};`.
/// There is no value(): CAIRN_TRY takes it, CAIRN_ASSIGN does not.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] Error& error() & { return checked(), *error_; }
  [[nodiscard]] const Error& error() const& { return checked(), *error_; }
  [[nodiscard]] Error error() && { return checked(), std::move(*error_); }

 private:
  void checked() const {
    if (has_value()) detail::fail_error();
  }

  std::optional<Error> error_;
};

/// What calls return that can fail and have nothing to give.
using Status = Result<void>;

}  // namespace cairn

// The result's name ends with a number of its own, so that one block can have several CAIRN_ASSIGN.
#define CAIRN_DETAIL_JOIN2(a, b) a##b
#define CAIRN_DETAIL_JOIN(a, b) CAIRN_DETAIL_JOIN2(a, b)
#define CAIRN_DETAIL_ASSIGN(result, declaration, ...)        \
  auto result = (__VA_ARGS__);                               \
  if (!result.has_value()) return std::move(result).error(); \
  declaration = std::move(result).value()

/// Return the error of `expression` from the enclosing function, or go on.
///
///     CAIRN_TRY(transaction.commit());
/// Takes a Status, or a Result whose value is not wanted. The enclosing function must return a
/// Result of any type: an Error turns into each of them. The expression is evaluated once.
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
/// The value is moved out of the result, so move-only handles are fine, and `declaration` may be a
/// variable that is there already: `CAIRN_ASSIGN(rows, statement.run(database));`.
#define CAIRN_ASSIGN(declaration, ...) \
  CAIRN_DETAIL_ASSIGN(CAIRN_DETAIL_JOIN(cairn_result_, __COUNTER__), declaration, __VA_ARGS__)
