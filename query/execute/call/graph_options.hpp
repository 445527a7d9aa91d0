#pragma once
// GraphOptions: the map of options of a graph procedure.

#include "query/algorithm/graph_selection.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace cairn::query {

/// What a number may be.
struct NumberRange {
  double least = 0;
  double most = 0;
};

/// Reads options by name, and refuses what is not one. Errors of all: type_error and invalid_argument, which name the option,
/// what was expected and what was given.
class GraphOptions {
 public:
  /// `procedure` is how errors name it; the options are the argument at `place`, which may be left out or null. `own` are the names
  /// of the procedure's options beside labels, types, filter and relationship_filter.
  [[nodiscard]] static Result<GraphOptions> read(std::string_view procedure,
                                                 std::span<const Value> arguments,
                                                 std::size_t place,
                                                 std::initializer_list<std::string_view> own);

  /// labels, types, direction, weight, filter and relationship_filter.
  [[nodiscard]] Result<GraphRequest> request(engine::Direction usual) const;
  [[nodiscard]] Result<double> number(std::string_view name, double usual, NumberRange range) const;
  /// A whole number of `least` or more.
  [[nodiscard]] Result<std::size_t> count(std::string_view name, std::size_t usual,
                                          std::size_t least) const;
  [[nodiscard]] Result<std::uint64_t> seed() const;
  [[nodiscard]] Result<bool> flag(std::string_view name) const;
  /// Empty where it is not given.
  [[nodiscard]] Result<std::string> text(std::string_view name) const;
  /// Null where it is not given.
  [[nodiscard]] const Value& value(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return !value(name).is_null(); }

  /// The error of an option that is not what it must be.
  [[nodiscard]] Error wrong(std::string_view name, std::string_view expected) const;

 private:
  GraphOptions(std::string_view procedure, Map options)
      : procedure_(procedure), options_(std::move(options)) {}

  std::string procedure_;
  Map options_;
};

}  // namespace cairn::query
