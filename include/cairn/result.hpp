#pragma once
// Result: the return type of every call that can fail. An error's message names the thing, the
// place and the repair. Member names are those of std::expected.
//
//     auto database = cairn::Database::open("my.cairn");
//     if (!database) return report(database.error());       // code for programs, message for people
//     CAIRN_TRY(database->checkpoint());                     // or return the error
//
// A function of your own that passes errors on returns a Result too:
//
//     Result<std::size_t> count_labels(const Database& database) {
//       CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
//       CAIRN_ASSIGN(const auto labels, snapshot.labels());
//       return labels.size();
//     }
//
// The library throws no exceptions except std::bad_alloc. Threads: a Result is a plain value.

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

/// The kinds of errors, by what a program can do. Numbers are never reused.
///
/// Worth a retry: busy; resource_limit after raising the limit, or when the disk has space again.
/// Mistakes of the caller: invalid_argument, parse_error, type_error. For a person to examine:
/// io_error, corruption. Each call lists its errors.
///
/// Codes keep their numbers and meanings; messages may change with any version. A full disk is
/// resource_limit if the store notices it, and io_error for files besides the store.
enum class ErrorCode : std::uint8_t {
  /// A value out of range, a vector of another dimension, contradicting options, or a value over a
  /// limit when it is written.
  invalid_argument = 1,  ///< the caller passed something invalid
  /// `Error::where` has the position in the statement's text.
  parse_error = 2,  ///< the text is not a valid statement, or uses an unknown name
  /// At run time of a statement, and when a node, relationship or path is written as a property.
  type_error = 3,  ///< a value has another type than the operation requires
  /// Only if absence is an error; otherwise calls return an empty optional or false.
  not_found = 4,       ///< the named thing does not exist
  already_exists = 5,  ///< the named thing already exists
  /// Also a call on a transaction that has ended, and a directory in which a bulk load did not
  /// finish.
  conflict = 6,  ///< the data forbid it (a node with relationships, a used name)
  /// Another process has the database open, another writer has the writer lock, or this transaction
  /// lost it by idleness.
  busy = 7,       ///< something else uses it; a retry may succeed
  cancelled = 8,  ///< the caller requested the end
  /// Of a statement: time, memory or rows. Of a transaction: bytes. Of the machine: disk or memory.
  resource_limit = 9,  ///< a limit was reached; the message names it
  /// If a commit's message says so, open the database again; only then is it known what is on disk.
  io_error = 10,    ///< an error of the operating system or the disk
  corruption = 11,  ///< stored bytes differ from what was written
  /// The message has both version numbers. The store was not opened.
  format_too_new = 12,  ///< written by a newer version of Cairn
  /// For example writing to a read-only database, or searching an index created in the same
  /// transaction.
  unsupported = 13,  ///< a valid request that this version or mode cannot do
};

/// Returns the code's name as in the enumeration, for logs and tests. Precondition: one of the
/// enumerators. Lifetime: as long as the program.
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

/// A half-open range of bytes in a statement's text, with line and column.
///
/// The message is about text.substr(begin, end - begin). An empty range is a position between two
/// bytes, for example at the end of a text in which something is missing.
///
/// Lines end at LF; a tab is one column. To show the place, print the line and `column - 1` blanks
/// below it.
struct TextRange {
  /// The first byte that the message is about, counted from 0.
  std::size_t begin = 0;
  /// One after the last byte; never less than `begin`.
  std::size_t end = 0;
  std::size_t line = 1;    ///< counted from 1
  std::size_t column = 1;  ///< counted from 1, in code points

  friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// Why a call failed: a code for programs, a message for people, and a position in a text.
///
/// The message names the thing, what is wrong with it and, if possible, what to do: property "age"
/// of node 42 is a string, expected an integer. It may contain the caller's data, so show it only
/// to people who may see these. Programs should use `code` and not parse the message.
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message;  ///< a sentence without a full stop; several lines if it shows text
  std::optional<TextRange> where;  ///< for errors in a statement's text

  friend bool operator==(const Error&, const Error&) = default;
};

namespace detail {

/// Writes which result was misused to standard error, and ends the program (std::abort).
[[noreturn]] CAIRN_EXPORT void fail_value(const Error& error) noexcept;
[[noreturn]] CAIRN_EXPORT void fail_error() noexcept;

}  // namespace detail

/// A value or an Error. The compiler warns if a Result is ignored.
///
///     Result<NodeId> made = transaction.create_node({{"Person"}});
///     if (!made) return made.error();
///     use(*made);
///
/// Converts implicitly from a value and from an Error, so that `return value;` and `return
/// Error{...};` both work. A Result of a move-only type is move-only. value() of an error and
/// error() of a value end the program: they write why to standard error, with the error's message,
/// and call std::abort(). Cost: the size of the larger alternative; moving it moves the content.
/// Threads: like T; one object must not be changed while another thread uses it.
template <class T>
class [[nodiscard]] Result {
 public:
  /// Implicit on purpose: success is `return value;`, failure `return Error{code, message, {}};`.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  /// Accepts everything that converts to T implicitly, so a function that returns Result<Value> can
  /// `return 1;`.
  template <class U>
    requires(std::is_class_v<T> && std::convertible_to<U, T> && !std::convertible_to<U, Error> &&
             !std::same_as<std::remove_cvref_t<U>, T> &&
             !std::same_as<std::remove_cvref_t<U>, Result>)
  Result(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  /// True if there is a value; both forms are equivalent.
  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// Returns the value. If there is an error, ends the program with its message.
  [[nodiscard]] T& value() & { return *pointer(); }
  [[nodiscard]] const T& value() const& { return *pointer(); }
  /// For a temporary, moves the value out, so that `for (auto& row : call().value())` iterates over
  /// a living object.
  [[nodiscard]] T value() && { return std::move(*pointer()); }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return pointer(); }
  [[nodiscard]] const T* operator->() const { return pointer(); }

  /// Returns the error. Ends the program if this has a value.
  [[nodiscard]] Error& error() & { return *failure(); }
  [[nodiscard]] const Error& error() const& { return *failure(); }
  [[nodiscard]] Error error() && { return std::move(*failure()); }

  /// Returns the value, or `fallback` instead of an error, which is lost. For temporaries only,
  /// where every failure means the same default.
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
/// A default-constructed Status is a success, so functions end with `return {};`. It has no
/// value(): use CAIRN_TRY, not CAIRN_ASSIGN.
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

/// The return type of calls that can fail and return nothing else.
using Status = Result<void>;

}  // namespace cairn

// The variable's name ends with a unique number, so one block can have several CAIRN_ASSIGN.
#define CAIRN_DETAIL_JOIN2(a, b) a##b
#define CAIRN_DETAIL_JOIN(a, b) CAIRN_DETAIL_JOIN2(a, b)
#define CAIRN_DETAIL_ASSIGN(result, declaration, ...)        \
  auto result = (__VA_ARGS__);                               \
  if (!result.has_value()) return std::move(result).error(); \
  declaration = std::move(result).value()

/// Evaluates `expression`, and returns its error from the enclosing function if it failed.
///
///     CAIRN_TRY(transaction.commit());
/// Accepts a Status, or a Result whose value is not needed. The enclosing function must return a
/// Result of any type or a Status. The expression is evaluated once.
#define CAIRN_TRY(...)                                                \
  do {                                                                \
    if (auto cairn_status = (__VA_ARGS__); !cairn_status.has_value()) \
      return std::move(cairn_status).error();                         \
  } while (false)

/// Declares or assigns `declaration` from the value of an expression, or returns its error.
///
///     CAIRN_ASSIGN(const NodeId node, transaction.create_node({{"Person"}, {{"name", "Ada"}}}));
///
/// Expands to several statements, so after an `if` it needs braces. The value is moved out of the
/// result, so move-only types work. `declaration` may be an existing variable: `CAIRN_ASSIGN(rows,
/// statement.run(database));`.
#define CAIRN_ASSIGN(declaration, ...) \
  CAIRN_DETAIL_ASSIGN(CAIRN_DETAIL_JOIN(cairn_result_, __COUNTER__), declaration, __VA_ARGS__)
