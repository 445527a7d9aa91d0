#pragma once
// Vectors that a program or a service has sent as JSON, checked before they are used.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <vector>

namespace cairn::tools {

inline constexpr std::size_t most_dimensions = 4'096;

/// Makes a vector of a list of numbers. `dimension` 0 accepts 1 to 4,096 components. Errors:
/// io_error for another dimension, and for a component that is not a finite 32-bit float.
[[nodiscard]] Result<Vector> vector_of(const Value& numbers, std::size_t dimension);

/// Makes `count` vectors, all of one dimension, of a list of lists. Errors: those of vector_of();
/// io_error for another number of lists.
[[nodiscard]] Result<std::vector<Vector>> vectors_of(const Value& lists, std::size_t count,
                                                     std::size_t dimension);

/// Checks the number of vectors in an answer. Errors: io_error if it differs from the number of
/// texts that were sent.
[[nodiscard]] Status check_count(std::size_t vectors, std::size_t texts);

/// The longest answer that `count` vectors can need, in bytes.
[[nodiscard]] constexpr std::size_t most_answer_bytes(std::size_t count) noexcept {
  constexpr std::size_t bytes_a_component = 64;
  return (std::size_t{1} << 20) + count * most_dimensions * bytes_a_component;
}

}  // namespace cairn::tools
