#pragma once
// RequestReader: the map that a memory call takes, read member by member.

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

/// A member that is null counts as one that is not there. check() reports the first mistake, so that a request is read
/// without a test behind each line. An unknown member is a mistake too; the error names the nearest known one.
///
/// Lifetime: of the map.
class RequestReader {
 public:
  /// `call` is what errors name: "memory.search()".
  RequestReader(std::string_view call, const Map& map) : call_(call), map_(map) {}
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  /// Null where it is not there.
  [[nodiscard]] const Value* find(std::string_view name);

  // Each leaves `out` as it is where there is no such member.
  void read(std::string_view name, std::string& out);
  void read(std::string_view name, std::optional<std::string>& out);
  /// One text stands for a list of it.
  void read(std::string_view name, std::vector<std::string>& out);
  void read(std::string_view name, bool& out);
  void read(std::string_view name, std::optional<bool>& out);
  /// Whole numbers of 0 or more; a float may be whole, as the numbers of JavaScript are.
  void read_count(std::string_view name, std::size_t& out);
  void read_integer(std::string_view name, std::int64_t& out);
  void read(std::string_view name, double& out);
  void read(std::string_view name, Properties& out);
  /// "user:user:ada", or a map as to_value() makes it.
  void read(std::string_view name, std::optional<memory::StructuredId>& out);
  /// `expires_at`, a moment, and `time_to_live`: a duration, seconds, or a text such as "30d".
  [[nodiscard]] std::optional<memory::Lifetime> lifetime();
  /// One of the words; its place among them.
  void read_word(std::string_view name, std::span<const std::string_view> words, std::size_t& out);

  void fail(Error error);
  /// `what` the member must be: "a string".
  void refuse(std::string_view name, std::string_view what, const Value& value);
  /// The first mistake, or the first member that is not known.
  [[nodiscard]] Status check() const;
  [[nodiscard]] const std::string& call() const noexcept { return call_; }

 private:
  const std::string call_;
  const Map& map_;
  std::vector<std::string_view> known_;
  std::optional<Error> error_;
};

/// The map among the arguments of a call; an empty one where it is left out or null. Errors: type_error.
[[nodiscard]] Result<Map> request_map(std::string_view call, std::span<const Value> arguments,
                                      std::size_t place = 0);

}  // namespace cairn::query
