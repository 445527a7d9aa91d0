// Kernels for vectors of floats. foreach_target.h compiles this file once for each instruction set.
//
// Distances of 32-bit floats for hnswlib's graph and exact scans, and the double-precision sums
// that scores come from. Dot products are negated so that smaller is nearer under every metric.
//
// Callers rely on this: a pair and a row of many take the same path through distance(), so an exact
// scan and a graph search compute the same bits for a pair. Between machines the order of additions
// differs with the number of lanes. So 32-bit distances only select candidates, precise_sums()
// scores them, and ids break ties.
//
// The vector index refuses NaN and infinity before (check_vector), so they do not occur here.
#include "codec/float_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/float_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::codec::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct NegatedDot {
  template <class V>
  static HWY_INLINE V add(V sum, V a, V b) {
    return hn::MulAdd(a, b, sum);
  }
  static HWY_INLINE float add(float sum, float a, float b) { return sum + a * b; }
  static HWY_INLINE float finish(float sum) { return -sum; }
};

struct SquaredDifference {
  template <class V>
  static HWY_INLINE V add(V sum, V a, V b) {
    const V difference = hn::Sub(a, b);
    return hn::MulAdd(difference, difference, sum);
  }
  static HWY_INLINE float add(float sum, float a, float b) { return sum + (a - b) * (a - b); }
  static HWY_INLINE float finish(float sum) { return sum; }
};

// Sums the components after the last whole vector: four at a time, then one by one. Loads never go
// beyond the arrays, because the last row of a segment may end at the end of a mapped page.
template <class Kind>
HWY_INLINE float tail(const float* a, const float* b, std::size_t at, std::size_t size) {
  const hn::CappedTag<float, 4> few;
  auto sums = hn::Zero(few);
  for (; at + hn::Lanes(few) <= size; at += hn::Lanes(few))
    sums = Kind::add(sums, hn::LoadU(few, a + at), hn::LoadU(few, b + at));
  float sum = hn::GetLane(hn::SumOfLanes(few, sums));
  for (; at < size; ++at) sum = Kind::add(sum, a[at], b[at]);
  return sum;
}

// Four partial sums, so that an addition need not wait for the previous one.
template <class Kind>
float distance(const float* a, const float* b, std::size_t size) {
  const hn::ScalableTag<float> lanes;
  const std::size_t step = hn::Lanes(lanes);
  auto sum0 = hn::Zero(lanes), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  std::size_t i = 0;
  for (; i + 4 * step <= size; i += 4 * step) {
    sum0 = Kind::add(sum0, hn::LoadU(lanes, a + i), hn::LoadU(lanes, b + i));
    sum1 = Kind::add(sum1, hn::LoadU(lanes, a + i + step), hn::LoadU(lanes, b + i + step));
    sum2 = Kind::add(sum2, hn::LoadU(lanes, a + i + 2 * step), hn::LoadU(lanes, b + i + 2 * step));
    sum3 = Kind::add(sum3, hn::LoadU(lanes, a + i + 3 * step), hn::LoadU(lanes, b + i + 3 * step));
  }
  for (; i + step <= size; i += step)
    sum0 = Kind::add(sum0, hn::LoadU(lanes, a + i), hn::LoadU(lanes, b + i));
  // The order of additions is fixed, so that the same two vectors always give the same bits.
  const auto sums = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
  return Kind::finish(hn::GetLane(hn::SumOfLanes(lanes, sums)) + tail<Kind>(a, b, i, size));
}

// After the first lines of a row, the hardware prefetcher loads the rest.
HWY_INLINE void prefetch(const float* row, std::size_t size) {
  // Sizes in floats: a line of 64 bytes, and the first eight lines of a row.
  constexpr std::size_t line = 16, most = 8 * line;
  for (std::size_t i = 0; i < size && i < most; i += line) hwy::Prefetch(row + i);
}

template <class Kind>
void distances(const float* query, const float* const* rows, std::size_t count, std::size_t size,
               float* out) {
  // Rows of an allow-list are anywhere in memory, so rows are prefetched while earlier ones are
  // compared.
  constexpr std::size_t ahead = 4;
  for (std::size_t i = 0; i < count && i < ahead; ++i) prefetch(rows[i], size);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + ahead < count) prefetch(rows[i + ahead], size);
    out[i] = distance<Kind>(query, rows[i], size);
  }
}

template <class Kind>
DistanceKernels kernels_of() {
  return {&distance<Kind>, &distances<Kind>};
}
// Adds the products of vectors of D from place `at` on; returns the place after the last full
// vector. One pass computes all three sums, because reading the vectors costs more than the
// arithmetic. Products of floats are exact in double (24 + 24 bits of 53).
template <class D>
HWY_INLINE std::size_t add_precisely(D lanes, const float* a, const float* b, std::size_t at,
                                     std::size_t size, PreciseSums& sums) {
  const hn::Rebind<float, D> floats;
  auto dot = hn::Zero(lanes), squared_b = dot, squared_difference = dot;
  for (; at + hn::Lanes(lanes) <= size; at += hn::Lanes(lanes)) {
    const auto from_a = hn::PromoteTo(lanes, hn::LoadU(floats, a + at));
    const auto from_b = hn::PromoteTo(lanes, hn::LoadU(floats, b + at));
    const auto difference = hn::Sub(from_a, from_b);
    dot = hn::MulAdd(from_a, from_b, dot);
    squared_b = hn::MulAdd(from_b, from_b, squared_b);
    squared_difference = hn::MulAdd(difference, difference, squared_difference);
  }
  sums.dot += hn::GetLane(hn::SumOfLanes(lanes, dot));
  sums.squared_b += hn::GetLane(hn::SumOfLanes(lanes, squared_b));
  sums.squared_difference += hn::GetLane(hn::SumOfLanes(lanes, squared_difference));
  return at;
}

PreciseSums AddPrecisely(const float* a, const float* b, std::size_t size) {
  PreciseSums sums;
  const std::size_t at = add_precisely(hn::ScalableTag<double>(), a, b, 0, size, sums);
  add_precisely(hn::CappedTag<double, 1>(), a, b, at, size, sums);
  return sums;
}

// Scan over all centroids of the partition table. Rows are stored by component within blocks of 64,
// so one weight is multiplied with a full vector of rows, and no sum over lanes is needed. Blocks
// are padded, so the loop needs no tail. Processes four vectors of rows at a time, so that an
// addition need not wait for the previous one.
void DotBlocks(const float* query, const float* rows, std::size_t blocks, std::size_t size,
               float* out) {
  const hn::CappedTag<float, 16> lanes;
  const std::size_t step = hn::Lanes(lanes);
  for (; blocks > 0; --blocks, rows += size * dot_block, out += dot_block) {
    for (std::size_t part = 0; part < dot_block; part += 4 * step) {
      auto sum0 = hn::Zero(lanes), sum1 = sum0, sum2 = sum0, sum3 = sum0;
      for (std::size_t j = 0; j < size; ++j) {
        const float* column = rows + j * dot_block + part;
        const auto weight = hn::Set(lanes, query[j]);
        sum0 = hn::MulAdd(weight, hn::LoadU(lanes, column), sum0);
        sum1 = hn::MulAdd(weight, hn::LoadU(lanes, column + step), sum1);
        sum2 = hn::MulAdd(weight, hn::LoadU(lanes, column + 2 * step), sum2);
        sum3 = hn::MulAdd(weight, hn::LoadU(lanes, column + 3 * step), sum3);
      }
      hn::StoreU(sum0, lanes, out + part);
      hn::StoreU(sum1, lanes, out + part + step);
      hn::StoreU(sum2, lanes, out + part + 2 * step);
      hn::StoreU(sum3, lanes, out + part + 3 * step);
    }
  }
}

DistanceKernels NegatedDotKernels() { return kernels_of<NegatedDot>(); }
DistanceKernels SquaredDifferenceKernels() { return kernels_of<SquaredDifference>(); }

// Floats of 16 bits.

// Rounds with integer arithmetic, because processors differ in their own conversions. A normal half
// loses 13 bits of the fraction. Adding half of the lost range minus one, plus the last remaining
// bit, carries over exactly if the value must be rounded up (ties to even). For a subnormal half,
// the value is added to a float whose last bit is worth the least half, so that the addition rounds
// it.
template <class V>
HWY_INLINE auto round_to_half(V values) {
  const hn::DFromV<V> floats;
  const hn::RebindToUnsigned<hn::DFromV<V>> words;
  constexpr std::uint32_t least_normal = 113U << 23, exponents_apart = 112U << 23;
  const auto bits = hn::BitCast(words, values);
  const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 0x8000U));
  const auto size = hn::And(bits, hn::Set(words, 0x7FFFFFFFU));
  const auto odd = hn::And(hn::ShiftRight<13>(size), hn::Set(words, 1U));
  const auto normal =
      hn::ShiftRight<13>(hn::Add(hn::Sub(size, hn::Set(words, exponents_apart - 0xFFFU)), odd));
  const auto aside = hn::Set(words, 126U << 23);  // 0.5
  const auto subnormal = hn::Sub(
      hn::BitCast(words, hn::Add(hn::BitCast(floats, size), hn::BitCast(floats, aside))), aside);
  // Both operands are below 2^31, so a signed comparison is correct; every instruction set has one.
  const hn::RebindToSigned<decltype(words)> ints;
  const auto is_small =
      hn::Lt(hn::BitCast(ints, size), hn::BitCast(ints, hn::Set(words, least_normal)));
  const auto half = hn::IfThenElse(hn::RebindMask(words, is_small), subnormal, normal);
  return hn::BitCast(ints, hn::Or(half, sign));
}

template <class D>
HWY_INLINE std::size_t ToHalvesFrom(D floats, const float* values, std::size_t at, std::size_t size,
                                    float times, std::uint16_t* out) {
  const hn::Rebind<std::uint16_t, D> halves;
  const auto factor = hn::Set(floats, times);
  for (; at + hn::Lanes(floats) <= size; at += hn::Lanes(floats)) {
    const auto rounded = round_to_half(hn::Mul(hn::LoadU(floats, values + at), factor));
    hn::StoreU(hn::DemoteTo(halves, rounded), halves, out + at);
  }
  return at;
}

template <class D>
HWY_INLINE std::size_t FromHalvesFrom(D floats, const std::uint16_t* halves, std::size_t at,
                                      std::size_t size, float times, float* out) {
  const hn::Rebind<hwy::float16_t, D> small;
  const auto factor = hn::Set(floats, times);
  for (; at + hn::Lanes(floats) <= size; at += hn::Lanes(floats)) {
    const auto some = hn::LoadU(small, reinterpret_cast<const hwy::float16_t*>(halves + at));
    hn::StoreU(hn::Mul(hn::PromoteTo(floats, some), factor), floats, out + at);
  }
  return at;
}

void ToHalves(const float* values, std::size_t size, float times, std::uint16_t* out) {
  const std::size_t at = ToHalvesFrom(hn::ScalableTag<float>(), values, 0, size, times, out);
  ToHalvesFrom(hn::CappedTag<float, 1>(), values, at, size, times, out);
}

void FromHalves(const std::uint16_t* halves, std::size_t size, float times, float* out) {
  const std::size_t at = FromHalvesFrom(hn::ScalableTag<float>(), halves, 0, size, times, out);
  FromHalvesFrom(hn::CappedTag<float, 1>(), halves, at, size, times, out);
}

}  // namespace cairn::codec::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::codec::kernels {

HWY_EXPORT(NegatedDotKernels);
HWY_EXPORT(SquaredDifferenceKernels);
HWY_EXPORT(AddPrecisely);
HWY_EXPORT(DotBlocks);
HWY_EXPORT(ToHalves);
HWY_EXPORT(FromHalves);

DistanceKernels negated_dot_kernels() { return HWY_DYNAMIC_DISPATCH(NegatedDotKernels)(); }
DistanceKernels squared_difference_kernels() {
  return HWY_DYNAMIC_DISPATCH(SquaredDifferenceKernels)();
}
PreciseSums precise_sums(const float* a, const float* b, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(AddPrecisely)(a, b, size);
}
void dot_blocks(const float* query, const float* rows, std::size_t blocks, std::size_t size,
                float* out) {
  HWY_DYNAMIC_DISPATCH(DotBlocks)(query, rows, blocks, size, out);
}
std::uint64_t instruction_sets() noexcept {
  return static_cast<std::uint64_t>(hwy::SupportedTargets());
}

void to_halves(const float* values, std::size_t size, float times, std::uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(ToHalves)(values, size, times, out);
}
void from_halves(const std::uint16_t* halves, std::size_t size, float times, float* out) {
  HWY_DYNAMIC_DISPATCH(FromHalves)(halves, size, times, out);
}

}  // namespace cairn::codec::kernels
#endif
