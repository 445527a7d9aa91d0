#pragma once
// Sq8Codes: vectors as bytes, a fourth of their size, near enough to the vectors to walk a graph by.
//
// element := byte:s8{dimension, rounded up to 4} scale:f32 offset:f32
//
// x - centre = scale * bytes + error, scale being such that the largest component becomes 127: a
// vector that is longer than all others blurs nobody but itself. The centre, a median by component,
// takes out what all vectors have in common, so that bytes are not spent on it. With p the product of
// scales and bytes of two elements and o their offsets, the distance (distance.hpp) is
//
// metric       offset of x                                    distance
// euclidean    |scale * bytes|^2                              o + o' - 2 p
// cosine       |scale * bytes|^2 / 2 - 1 / 2                  o + o' - p, as -ab = |a - b|^2 / 2 - 1
// dot product  -((x - centre) centre + |centre|^2 / 2)        o + o' - p
//
// so that elements alike have the least distance there is, but for the dot product.

#include "codec/code_kernels.hpp"
#include "engine/vector/distance.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

class Sq8Codes {
 public:
  /// `centre` has a component for each dimension, none above those of vectors that are stored.
  Sq8Codes(const DistanceMetric& measure, std::vector<float> centre);
  /// With the medians of some of `rows`, of which there is one at least.
  static Sq8Codes learn(const DistanceMetric& measure, std::span<const float* const> rows);

  /// Whether those whose elements are near a vector are those that are near it: asked of a sample.
  /// Not so where what tells neighbours apart is small beside what they have in common, or beside
  /// one great component. Cost: half a million comparisons at most.
  [[nodiscard]] bool tells_neighbours(std::span<const float* const> rows) const;

  [[nodiscard]] static std::size_t element_bytes(std::uint32_t dimension) noexcept {
    return bytes_of(dimension) + 2 * sizeof(float);
  }
  [[nodiscard]] std::size_t element_bytes() const noexcept {
    return element_bytes(measure_.dimension);
  }
  /// `out` has room for an element.
  void encode(const float* row, char* out) const;
  /// Whether `element`, made of `row`, tells more of it than its largest component: a question may be
  /// of another kind than what is stored.
  [[nodiscard]] bool tells(const float* row, const char* element) const;
  /// Whether this element, of a file, can have come from a vector that is stored: then no distance of
  /// two such elements is infinite or none.
  [[nodiscard]] bool is_sound(const char* element) const;

  /// Starts to bring an element near, for a distance soon.
  void fetch(const char* element) const noexcept {
    constexpr std::size_t line = 64;
    for (std::size_t at = 0; at < bytes_ + 2 * sizeof(float); at += line)
      __builtin_prefetch(element + at);
  }
  /// Smaller is nearer; about that of the vectors.
  [[nodiscard]] float distance(const char* a, const char* b) const noexcept;
  /// out[i] = distance of `query` and `elements[i]`: the same numbers.
  void distances(const char* query, std::span<const char* const> elements, float* out) const;
  /// By how much `distance` may exceed that of the vectors: four deviations of the errors of rounding.
  [[nodiscard]] double reach(const char* query, const char* element, float distance) const noexcept;

  [[nodiscard]] std::span<const float> centre() const noexcept { return centre_; }

 private:
  [[nodiscard]] static std::size_t bytes_of(std::uint32_t dimension) noexcept {
    constexpr std::size_t step = codec::kernels::byte_step;
    return (dimension + step - 1) / step * step;
  }
  [[nodiscard]] float number(const char* element, std::size_t place) const noexcept;
  [[nodiscard]] float scale(const char* element) const noexcept { return number(element, 0); }
  [[nodiscard]] float offset(const char* element) const noexcept { return number(element, 1); }
  [[nodiscard]] float distance(double offset, double scale, const char* element,
                               std::int32_t product) const noexcept;

  DistanceMetric measure_;
  std::vector<float> centre_;
  codec::kernels::ByteKernels kernels_;
  std::size_t bytes_;
  double times_;  // of the product
};

}  // namespace cairn::engine
