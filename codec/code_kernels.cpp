// Scores of vectors stored as 4-bit codes. foreach_target.h compiles this file once for each
// instruction set.
//
// The main function is the inner loop of the flat scan (engine/vector/sq4_codes.cpp): for each
// vector the sum of code * weight over its components, with 4-bit codes and 8-bit weights. One line
// of memory holds 128 components:
//
//   byte i of a line    hhhh llll      l: component i, h: component 64 + i
//
// So each half of a byte is multiplied by one of 64 adjacent weights, without a shuffle. Products
// of neighbours are added in 16 bits (maddubs on x86): at most 2 * 15 * 127 = 3,810. Low and high
// halves together are at most 7,620, so they are widened to 32 bits only after that sum. A line
// adds at most 128 * 15 * 127 = 243,840, so thousands of lines fit.
//
// Other functions: rounding the weights of a query, finding the places of scores above a bound, and
// selecting the nth greatest of some hundred scores. The last two have no branches on the data. All
// functions are safe on any thread.
#include "codec/code_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/code_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::codec::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

// For targets without SIMD, or with registers of unknown length: scores one record at a time.
HWY_INLINE std::int32_t score_one(const CodedRows& coded, const std::uint8_t* record) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < coded.lines * code_line_bytes; ++i) {
    const std::size_t low = i / code_line_bytes * code_line_components + i % code_line_bytes;
    sum += (record[i] & 15) * coded.weights[low];
    sum += (record[i] >> 4) * coded.weights[low + code_line_bytes];
  }
  return sum;
}

template <class RecordAt>
void score(const CodedRows& coded, std::size_t count, RecordAt&& record_at, std::int32_t* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = score_one(coded, record_at(i));
}

#else

using Bytes = hn::CappedTag<std::uint8_t, code_line_bytes>;
using Weights = hn::Repartition<std::int8_t, Bytes>;
using Halves = hn::Repartition<std::int16_t, Bytes>;
using Sums = hn::Repartition<std::int32_t, Bytes>;
constexpr std::size_t lanes = hn::MaxLanes(Sums());

// Returns the sums of neighbouring products code * weight, at most 2 * 15 * 127. Without maddubs,
// the weight of the even byte is shifted up and down again, which extends its sign; the code is
// unsigned and is masked.
HWY_INLINE hn::Vec<Halves> pair_products(hn::Vec<Bytes> codes, hn::Vec<Weights> weights) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::Vec<Halves>{_mm512_maddubs_epi16(codes.raw, weights.raw)};
#elif HWY_TARGET == HWY_AVX2
  return hn::Vec<Halves>{_mm256_maddubs_epi16(codes.raw, weights.raw)};
#elif HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
  return hn::Vec<Halves>{_mm_maddubs_epi16(codes.raw, weights.raw)};
#else
  const Halves halves;
  const auto pairs = hn::BitCast(halves, codes);
  const auto by = hn::BitCast(halves, weights);
  const auto even =
      hn::Mul(hn::And(pairs, hn::Set(halves, 255)), hn::ShiftRight<8>(hn::ShiftLeft<8>(by)));
  return hn::Add(even, hn::Mul(hn::ShiftRight<8>(pairs), hn::ShiftRight<8>(by)));
#endif
}

// Adds the two 16-bit halves of each 32-bit lane. Arithmetic right shifts preserve their signs.
HWY_INLINE hn::Vec<Sums> add_pairs(hn::Vec<Halves> halves) {
  const auto both = hn::BitCast(Sums(), halves);
  return hn::Add(hn::ShiftRight<16>(both), hn::ShiftRight<16>(hn::ShiftLeft<16>(both)));
}

// Returns the partial sums of one record, one per lane.
HWY_INLINE hn::Vec<Sums> score_record(const CodedRows& coded, const std::uint8_t* record) {
  const Bytes bytes;
  const auto low_bits = hn::Set(bytes, 15);
  auto sums = hn::Zero(Sums());
  const std::int8_t* weights = coded.weights;
  for (std::size_t line = 0; line < coded.lines; ++line) {
    for (std::size_t i = 0; i < code_line_bytes; i += hn::Lanes(bytes)) {
      const auto both = hn::LoadU(bytes, record + i);
      const auto high =
          hn::And(hn::BitCast(bytes, hn::ShiftRight<4>(hn::BitCast(Halves(), both))), low_bits);
      const auto products =
          hn::Add(pair_products(hn::And(both, low_bits), hn::LoadU(Weights(), weights + i)),
                  pair_products(high, hn::LoadU(Weights(), weights + code_line_bytes + i)));
      sums = hn::Add(sums, add_pairs(products));
    }
    record += code_line_bytes;
    weights += code_line_components;
  }
  return sums;
}

// Reduces `count` vectors of partial sums (as many as a vector has lanes) to one vector of their
// totals, in order.
template <std::size_t count>
HWY_INLINE hn::Vec<Sums> totals(hn::Vec<Sums>* sums) {
  if constexpr (count == 1) {
    return sums[0];
  } else {
    const Sums tag;
    for (std::size_t i = 0; i < count / 2; ++i)
      sums[i] = hn::Add(hn::ConcatEven(tag, sums[2 * i + 1], sums[2 * i]),
                        hn::ConcatOdd(tag, sums[2 * i + 1], sums[2 * i]));
    return totals<count / 2>(sums);
  }
}

template <class RecordAt>
HWY_INLINE void prefetch(const CodedRows& coded, std::size_t from, std::size_t to,
                         RecordAt&& record_at) {
  for (std::size_t i = from; i < to; ++i)
    for (std::size_t line = 0; line < coded.lines; ++line)
      hwy::Prefetch(record_at(i) + line * code_line_bytes);
}

template <class RecordAt>
HWY_INLINE void score(const CodedRows& coded, std::size_t count, RecordAt&& record_at,
                      std::int32_t* out) {
  // Records may lie anywhere in memory, so each is prefetched 16 records ahead: about the number of
  // cache lines that a core loads at the same time.
  constexpr std::size_t ahead = 16;
  std::size_t i = 0;
  prefetch(coded, 0, HWY_MIN(ahead, count), record_at);
  for (; i + lanes <= count; i += lanes) {
    prefetch(coded, HWY_MIN(i + ahead, count), HWY_MIN(i + ahead + lanes, count), record_at);
    hn::Vec<Sums> sums[lanes];
    for (std::size_t j = 0; j < lanes; ++j) sums[j] = score_record(coded, record_at(i + j));
    hn::StoreU(totals<lanes>(sums), Sums(), out + i);
  }
  for (; i < count; ++i)
    out[i] = hn::GetLane(hn::SumOfLanes(Sums(), score_record(coded, record_at(i))));
}

#endif

// Records are named by 32-bit numbers, which take half the memory of pointers.
void ScoreRows(const CodedRows& coded, const std::uint32_t* rows, std::size_t count,
               std::int32_t* out) {
  const std::size_t bytes = coded.lines * code_line_bytes;
  score(coded, count, [&](std::size_t i) { return coded.codes + rows[i] * bytes; }, out);
}

void ScoreRange(const CodedRows& coded, std::size_t first, std::size_t count, std::int32_t* out) {
  const std::size_t bytes = coded.lines * code_line_bytes;
  const std::uint8_t* begin = coded.codes + first * bytes;
  score(coded, count, [&](std::size_t i) { return begin + i * bytes; }, out);
}

// Processes vectors of D from place `at` on; returns the place after the last full vector.
template <class D>
HWY_INLINE std::size_t raise_to_products(D floats, const float* a, const float* b, std::size_t at,
                                         std::size_t count, float& greatest) {
  auto most = hn::Zero(floats);
  for (; at + hn::Lanes(floats) <= count; at += hn::Lanes(floats))
    most = hn::Max(most, hn::Abs(hn::Mul(hn::LoadU(floats, a + at), hn::LoadU(floats, b + at))));
  greatest = HWY_MAX(greatest, hn::GetLane(hn::MaxOfLanes(floats, most)));
  return at;
}

float GreatestProduct(const float* a, const float* b, std::size_t count) {
  float greatest = 0;
  const std::size_t at = raise_to_products(hn::CappedTag<float, 16>(), a, b, 0, count, greatest);
  raise_to_products(hn::CappedTag<float, 1>(), a, b, at, count, greatest);
  return greatest;
}

// Computes a * b, then times `times`: two roundings in single precision, the same on every machine.
template <class D>
HWY_INLINE std::size_t round_some(D floats, const float* a, const float* b, float times,
                                  std::size_t at, std::size_t count, std::int8_t* out,
                                  RoundingSums& sums) {
  const hn::Rebind<std::int8_t, D> bytes;
  const auto by = hn::Set(floats, times);
  auto squares = hn::Zero(floats), errors = squares;
  for (; at + hn::Lanes(floats) <= count; at += hn::Lanes(floats)) {
    const auto number = hn::Mul(hn::Mul(hn::LoadU(floats, a + at), hn::LoadU(floats, b + at)), by);
    const auto whole = hn::NearestInt(number);
    const auto error = hn::Sub(number, hn::ConvertTo(floats, whole));
    squares = hn::MulAdd(number, number, squares);
    errors = hn::MulAdd(error, error, errors);
    hn::StoreU(hn::DemoteTo(bytes, whole), bytes, out + at);
  }
  sums.squares += hn::GetLane(hn::SumOfLanes(floats, squares));
  sums.errors += hn::GetLane(hn::SumOfLanes(floats, errors));
  return at;
}

RoundingSums RoundProducts(const float* a, const float* b, float times, std::size_t count,
                           std::int8_t* out) {
  RoundingSums sums;
  const std::size_t at = round_some(hn::CappedTag<float, 16>(), a, b, times, 0, count, out, sums);
  round_some(hn::CappedTag<float, 1>(), a, b, times, at, count, out, sums);
  return sums;
}

// Has no branch per number, because such branches would be mispredicted.
std::size_t PlacesAbove(const std::int32_t* scores, std::size_t count, std::int32_t bound,
                        std::uint32_t* out) {
  const hn::CappedTag<std::int32_t, 16> numbers;
  const hn::RebindToUnsigned<decltype(numbers)> places;
  const auto least = hn::Set(numbers, bound);
  const std::size_t step = hn::Lanes(numbers);
  std::size_t found = 0, i = 0;
  for (; i + step <= count; i += step) {
    const auto above = hn::RebindMask(places, hn::Gt(hn::LoadU(numbers, scores + i), least));
    hn::StoreU(hn::Compress(hn::Iota(places, static_cast<std::uint32_t>(i)), above), places,
               out + found);
    found += hn::CountTrue(places, above);
  }
  for (; i < count; ++i)
    if (scores[i] > bound) out[found++] = static_cast<std::uint32_t>(i);
  return found;
}

// CountTrue sums the lanes of each vector immediately, so no 32-bit lane can overflow.
HWY_INLINE std::size_t count_above(const std::int32_t* scores, std::size_t count,
                                   std::int32_t bound) {
  const hn::CappedTag<std::int32_t, 16> numbers;
  const auto least = hn::Set(numbers, bound);
  std::size_t found = 0, i = 0;
  for (; i + hn::Lanes(numbers) <= count; i += hn::Lanes(numbers))
    found += hn::CountTrue(numbers, hn::Gt(hn::LoadU(numbers, scores + i), least));
  for (; i < count; ++i) found += scores[i] > bound ? 1 : 0;
  return found;
}

// Returns the least score above `bound`. Precondition: such a score exists.
HWY_INLINE std::int32_t least_above(const std::int32_t* scores, std::size_t count,
                                    std::int32_t bound) {
  const hn::CappedTag<std::int32_t, 16> numbers;
  std::int32_t last = hwy::HighestValue<std::int32_t>();
  const auto below = hn::Set(numbers, bound), none = hn::Set(numbers, last);
  auto least = none;
  std::size_t i = 0;
  for (; i + hn::Lanes(numbers) <= count; i += hn::Lanes(numbers)) {
    const auto some = hn::LoadU(numbers, scores + i);
    least = hn::Min(least, hn::IfThenElse(hn::Gt(some, below), some, none));
  }
  for (; i < count; ++i)
    if (scores[i] > bound) last = HWY_MIN(last, scores[i]);
  return HWY_MIN(last, hn::GetLane(hn::MinOfLanes(numbers, least)));
}

// Binary search over the range of values, from the least to the greatest score.
std::int32_t NthGreatest(const std::int32_t* scores, std::size_t count, std::size_t nth) {
  const hn::CappedTag<std::int32_t, 16> numbers;
  auto least = hn::Set(numbers, scores[0]), most = least;
  std::size_t i = 0;
  for (; i + hn::Lanes(numbers) <= count; i += hn::Lanes(numbers)) {
    const auto some = hn::LoadU(numbers, scores + i);
    least = hn::Min(least, some);
    most = hn::Max(most, some);
  }
  std::int64_t low = hn::GetLane(hn::MinOfLanes(numbers, least));
  std::int64_t high = hn::GetLane(hn::MaxOfLanes(numbers, most));
  for (; i < count; ++i) {
    low = HWY_MIN(low, scores[i]);
    high = HWY_MAX(high, scores[i]);
  }
  // Invariant: at least nth scores reach `low`, and fewer than nth reach high + 1. The middle is
  // rounded up, because otherwise two neighbours would never be separated. The numbers have 64
  // bits, because high - low may need 33.
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    const auto below = static_cast<std::int32_t>(middle - 1);
    const std::size_t reach = count_above(scores, count, below);
    // Usually the middle falls between the nth score and the next one long before the range is down
    // to one number.
    if (reach == nth) return least_above(scores, count, below);
    if (reach > nth)
      low = middle;
    else
      high = middle - 1;
  }
  return static_cast<std::int32_t>(low);
}

// Maps floats to integers of the same order, and uses the integer version.
float NthGreatestFloat(const float* scores, std::size_t count, std::size_t nth) {
  // The bits of a float are sign and magnitude. With the magnitude of negative floats inverted,
  // they sort as two's complement integers. The same mapping leads back. NaN would sort above
  // infinity; the caller excludes it.
  constexpr std::int32_t all_but_sign = 0x7FFFFFFF;
  std::int32_t ordered[most_floats];
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t bits;
    hwy::CopyBytes<sizeof(bits)>(scores + i, &bits);
    ordered[i] = bits >= 0 ? bits : bits ^ all_but_sign;
  }
  const std::int32_t found = NthGreatest(ordered, count, nth);
  const std::int32_t bits = found >= 0 ? found : found ^ all_but_sign;
  float score;
  hwy::CopyBytes<sizeof(bits)>(&bits, &score);
  return score;
}

}  // namespace cairn::codec::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::codec::kernels {

HWY_EXPORT(ScoreRows);
HWY_EXPORT(ScoreRange);
HWY_EXPORT(GreatestProduct);
HWY_EXPORT(RoundProducts);
HWY_EXPORT(PlacesAbove);
HWY_EXPORT(NthGreatest);
HWY_EXPORT(NthGreatestFloat);

void score_rows(const CodedRows& coded, const std::uint32_t* rows, std::size_t count,
                std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(ScoreRows)(coded, rows, count, out);
}
void score_range(const CodedRows& coded, std::size_t first, std::size_t count, std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(ScoreRange)(coded, first, count, out);
}
float greatest_product(const float* a, const float* b, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(GreatestProduct)(a, b, count);
}
RoundingSums round_products(const float* a, const float* b, float times, std::size_t count,
                            std::int8_t* out) {
  return HWY_DYNAMIC_DISPATCH(RoundProducts)(a, b, times, count, out);
}
std::size_t places_above(const std::int32_t* scores, std::size_t count, std::int32_t bound,
                         std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(PlacesAbove)(scores, count, bound, out);
}

std::int32_t nth_greatest(const std::int32_t* scores, std::size_t count, std::size_t nth) {
  return HWY_DYNAMIC_DISPATCH(NthGreatest)(scores, count, nth);
}
float nth_greatest(const float* scores, std::size_t count, std::size_t nth) {
  return HWY_DYNAMIC_DISPATCH(NthGreatestFloat)(scores, count, nth);
}

}  // namespace cairn::codec::kernels
#endif
