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

/// The allowed range of a number.
struct NumberRange {
  double least = 0;
  double most = 0;
};

/// Reads options by name and rejects unknown names.
/// Errors: type_error and invalid_argument. The message names the option, the expected value and
/// the given value.
class GraphOptions {
 public:
  /// `procedure` is the name for errors. The options are the argument at `place`, which may be
  /// absent or null. `own` lists the options of this procedure besides labels, types, filter and
  /// relationship_filter.
  [[nodiscard]] static Result<GraphOptions> read(std::string_view procedure,
                                                 std::span<const Value> arguments,
                                                 std::size_t place,
                                                 std::initializer_list<std::string_view> own);

  /// Reads labels, types, direction, weight, filter and relationship_filter.
  [[nodiscard]] Result<GraphRequest> request(engine::Direction usual) const;
  /// Returns `usual` if the option is absent.
  [[nodiscard]] Result<double> number(std::string_view name, double usual, NumberRange range) const;
  /// Reads a whole number of at least `least`.
  [[nodiscard]] Result<std::size_t> count(std::string_view name, std::size_t usual,
                                          std::size_t least) const;
  /// Returns 0 if the option is absent.
  [[nodiscard]] Result<std::uint64_t> seed() const;
  /// Returns false if the option is absent.
  [[nodiscard]] Result<bool> flag(std::string_view name) const;
  /// Returns "" if the option is absent.
  [[nodiscard]] Result<std::string> text(std::string_view name) const;
  /// Returns null if the option is absent.
  [[nodiscard]] const Value& value(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return !value(name).is_null(); }

  /// Makes the error for an option with a wrong value. `expected` completes the sentence
  /// "the option must be ...".
  [[nodiscard]] Error wrong(std::string_view name, std::string_view expected) const;

 private:
  GraphOptions(std::string_view procedure, Map options)
      : procedure_(procedure), options_(std::move(options)) {}

  std::string procedure_;
  Map options_;
};

}  // namespace cairn::query
