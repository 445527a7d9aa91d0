#pragma once
// RequestReader: reads the members of the map that a memory call takes.

#include <cairn/memory/records.hpp>
#include <cairn/memory/structured_id.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// A member that is null counts as absent. check() reports the first mistake, so that requests can be read without a test
/// after each line. An unknown member is a mistake too; the error suggests the nearest known name.
///
/// The map must outlive the reader.
class RequestReader {
 public:
  /// `call` names the call in errors: "memory.search()".
  RequestReader(std::string_view call, const Map& map) : call_(call), map_(map) {}
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  /// The member with the name; nullptr if it is absent. Marks the name as known.
  [[nodiscard]] const Value* find(std::string_view name);

  // Each function leaves `out` unchanged if the member is absent.
  void read(std::string_view name, std::string& out);
  void read(std::string_view name, std::optional<std::string>& out);
  /// A single text is read as a list of one.
  void read(std::string_view name, std::vector<std::string>& out);
  void read(std::string_view name, bool& out);
  void read(std::string_view name, std::optional<bool>& out);
  /// Reads a whole number of 0 or more. A whole float is accepted too, since all numbers of JavaScript are floats.
  void read_count(std::string_view name, std::size_t& out);
  void read_integer(std::string_view name, std::int64_t& out);
  void read(std::string_view name, double& out);
  void read(std::string_view name, Properties& out);
  /// Reads the fields of a new record. A lifetime and an external id are members of the request, and are refused among the fields.
  void read_fields(std::string_view name, Properties& out);
  /// Reads "user:user:ada", or a map in the form of to_value().
  void read(std::string_view name, std::optional<memory::StructuredId>& out);
  /// Reads `expires_at` (a time) and `time_to_live` (a duration, a number of seconds, or a text such as "30d").
  [[nodiscard]] std::optional<memory::Lifetime> lifetime();
  /// Reads one of the words and returns its index.
  void read_word(std::string_view name, std::span<const std::string_view> words, std::size_t& out);

  /// Stores an error, unless there is one already.
  void fail(Error error);
  /// Stores a type_error. `what` says what the member must be: "a string".
  void refuse(std::string_view name, std::string_view what, const Value& value);
  /// Returns the first mistake, or the error of the first unknown member.
  [[nodiscard]] Status check() const;
  [[nodiscard]] const std::string& call() const noexcept { return call_; }

 private:
  const std::string call_;
  const Map& map_;
  std::vector<std::string_view> known_;  // names that were asked for
  std::optional<Error> error_;           // the first mistake
};

/// The map among the arguments of a call; empty if it is absent or null. Errors: type_error.
[[nodiscard]] Result<Map> request_map(std::string_view call, std::span<const Value> arguments,
                                      std::size_t place = 0);

}  // namespace cairn::query
