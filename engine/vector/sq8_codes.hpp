#pragma once
// Sq8Codes: scalar quantization of vectors to 8 bits a component, a fourth of their size. Precise
// enough to search a graph by.
//
// element := byte:s8{dimension, rounded up to 4} scale:f32 offset:f32
//
// A vector x is stored as x - centre = scale * bytes + error. The scale makes the largest component
// 127. Scales are per vector, so an outlier does not cost other vectors precision. The centre is
// the median of each component: it removes what all vectors have in common, so that no bits are
// spent on it. Let p be the inner product of two elements (scale * bytes of each), and o and o'
// their offsets. Then the distance (distance.hpp) is
//
// metric       offset of x                                    distance
// euclidean    |scale * bytes|^2                              o + o' - 2 p
// cosine       |scale * bytes|^2 / 2 - 1 / 2                  o + o' - p, as -ab = |a - b|^2 / 2 - 1
// dot product  -((x - centre) centre + |centre|^2 / 2)        o + o' - p
//
// Hence equal elements have the least possible distance, except with the dot product.

#include "codec/code_kernels.hpp"
#include "engine/vector/distance.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

/// The quantizer of one segment: its centre, and codes encoded and compared with it.
class Sq8Codes {
 public:
  /// `centre` has one component for each dimension, each within the range of stored vectors.
  Sq8Codes(const DistanceMetric& measure, std::vector<float> centre);
  /// Learns the centre: the medians of a sample of `rows`, which must not be empty.
  static Sq8Codes learn(const DistanceMetric& measure, std::span<const float* const> rows);

  /// Returns whether near elements belong to near vectors, tested on a sample of `rows`.
  ///
  /// False if the differences between neighbours are small compared with what the vectors have in
  /// common, or with one dominant component. Cost: at most half a million comparisons.
  [[nodiscard]] bool tells_neighbours(std::span<const float* const> rows) const;

  /// Size of an element in bytes.
  [[nodiscard]] static std::size_t element_bytes(std::uint32_t dimension) noexcept {
    return bytes_of(dimension) + 2 * sizeof(float);
  }
  [[nodiscard]] std::size_t element_bytes() const noexcept {
    return element_bytes(measure_.dimension);
  }
  /// Encodes `row` into `out`, which has room for element_bytes().
  void encode(const float* row, char* out) const;
  /// Returns whether `element`, encoded from `row`, represents more than its largest component. A
  /// query may be of another kind than the stored vectors, so that 8 bits lose too much of it.
  [[nodiscard]] bool tells(const float* row, const char* element) const;
  /// Returns whether an element read from a file can come from a valid vector. If so, the distance
  /// of two elements is finite.
  [[nodiscard]] bool is_sound(const char* element) const;

  /// Prefetches an element for a distance that is computed soon.
  void fetch(const char* element) const noexcept {
    constexpr std::size_t line = 64;
    for (std::size_t at = 0; at < bytes_ + 2 * sizeof(float); at += line)
      __builtin_prefetch(element + at);
  }
  /// The approximate distance of two vectors; smaller is nearer.
  [[nodiscard]] float distance(const char* a, const char* b) const noexcept;
  /// Writes out[i] = distance(query, elements[i]), bit for bit.
  void distances(const char* query, std::span<const char* const> elements, float* out) const;
  /// The error bound of `distance`: by how much it may exceed the distance of the vectors, four
  /// standard deviations of the rounding errors.
  [[nodiscard]] double reach(const char* query, const char* element, float distance) const noexcept;

  [[nodiscard]] std::span<const float> centre() const noexcept { return centre_; }

  /// What an element represents: centre + scale * bytes. There are byte_count() bytes, of which those
  /// after the last component are zero.
  struct Element {
    const std::int8_t* bytes = nullptr;
    float scale = 0;
  };
  [[nodiscard]] Element read(const char* element) const noexcept {
    return {reinterpret_cast<const std::int8_t*>(element), scale(element)};
  }
  [[nodiscard]] std::size_t byte_count() const noexcept { return bytes_; }
  [[nodiscard]] const codec::kernels::ByteKernels& kernels() const noexcept { return kernels_; }

 private:
  [[nodiscard]] static std::size_t bytes_of(std::uint32_t dimension) noexcept {
    constexpr std::size_t step = codec::kernels::byte_step;
    return (dimension + step - 1) / step * step;
  }
  // The float number `place` after the bytes of an element: 0 is the scale, 1 the offset.
  [[nodiscard]] float number(const char* element, std::size_t place) const noexcept;
  [[nodiscard]] float scale(const char* element) const noexcept { return number(element, 0); }
  [[nodiscard]] float offset(const char* element) const noexcept { return number(element, 1); }
  [[nodiscard]] float distance(double offset, double scale, const char* element,
                               std::int32_t product) const noexcept;

  DistanceMetric measure_;
  std::vector<float> centre_;
  codec::kernels::ByteKernels kernels_;
  std::size_t bytes_;  // padded size of an element's bytes
  double times_;       // factor of the product in the distance: 2 for euclidean, else 1
};

}  // namespace cairn::engine
