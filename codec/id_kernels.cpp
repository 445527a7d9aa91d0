// Inner loops of bitmaps. foreach_target.h compiles the part between HWY_BEFORE_NAMESPACE and
// HWY_AFTER_NAMESPACE once for each instruction set.
//
// The kernels combine and count bitmaps of 1,024 words, list the set bits as ids, widen ids, and
// intersect sorted arrays. Arrays are intersected in blocks of 8 or 16 values: rotations of one
// block compare every lane with every lane of the other (Schlegel, Willhalm, Lehner, "Fast
// Sorted-Set Intersection using SIMD Instructions", ADMS 2011, use the same scheme with another
// comparison). Matching ids are moved to the front by Compress if the machine has it for 16 bits,
// and by a table of shuffles otherwise.
//
// All kernels store whole vectors, so outputs need room for `array_slack` more values than the
// result. Threads: any.
#include "codec/id_kernels.hpp"

#include <cstddef>
#include <cstdint>

#define HWY_WANT_AVX3_DL 1  // not enabled by Highway by default
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/id_kernels.cpp"
// clang-format off: the order of these headers matters
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

// The table is the same for all instruction sets, so only the first pass over this file defines it.
#ifndef CAIRN_CODEC_LANE_PACKING
#define CAIRN_CODEC_LANE_PACKING
namespace cairn::codec::kernels {
namespace {

/// For each subset of eight 16-bit lanes, the byte shuffle that moves these lanes to the front.
/// Highway's Compress has a table like this too, but gcc copies that one to the stack at each use.
struct LanePacking {
  alignas(16) std::uint8_t bytes[256][16] = {};
};

// For each set of 8 lanes of 16 bits: the places of the bytes that move these lanes to the front.
constexpr LanePacking make_lane_packing() {
  LanePacking packing;
  for (std::size_t lanes = 0; lanes < 256; ++lanes) {
    std::uint8_t* next = packing.bytes[lanes];
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      *next++ = static_cast<std::uint8_t>(2 * lane);
      *next++ = static_cast<std::uint8_t>(2 * lane + 1);
    }
  }
  return packing;
}

constexpr LanePacking lane_packing = make_lane_packing();

}  // namespace
}  // namespace cairn::codec::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cairn::codec::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct And {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::And(a, b);
  }
};

struct Or {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Or(a, b);
  }
};

struct AndNot {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::AndNot(b, a);
  }
};

// Combines two bitmaps and counts the result; only counts if `out` is null. Counts per lane are at
// most 64 * 1,024 and cannot overflow. 1,024 is a multiple of the length of every vector.
template <class Operation>
HWY_INLINE std::uint32_t combine(const std::uint64_t* a, const std::uint64_t* b,
                                 std::uint64_t* out) {
  const hn::ScalableTag<std::uint64_t> lanes;
  auto total = hn::Zero(lanes);
  for (std::size_t i = 0; i < words_in_bitmap; i += hn::Lanes(lanes)) {
    const auto word = Operation{}(hn::LoadU(lanes, a + i), hn::LoadU(lanes, b + i));
    if (out != nullptr) hn::StoreU(word, lanes, out + i);
    total = hn::Add(total, hn::PopulationCount(word));
  }
  return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(lanes, total)));
}

std::uint32_t AndWords(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  return combine<And>(a, b, out);
}
std::uint32_t OrWords(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  return combine<Or>(a, b, out);
}
std::uint32_t AndNotWords(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  return combine<AndNot>(a, b, out);
}
std::uint32_t CountAndWords(const std::uint64_t* a, const std::uint64_t* b) {
  return combine<And>(a, b, nullptr);
}

// Lists the set bits of a bitmap. Eight positions are written for every word, however many bits it
// has: a word of an array's bitmap has at most four on average, and a branch on their number would often be
// mispredicted.
std::size_t ListWords(const std::uint64_t* words, std::uint16_t* out) {
  // Places after the last bit of a word are filled with 63 and overwritten by the next word.
  // never_zero keeps the count of trailing zeros defined. The bitmap must have at most 4,096 set
  // bits, because `out` has room for an array and its slack.
  constexpr std::size_t usual_bits = 8;
  constexpr std::uint64_t never_zero = std::uint64_t{1} << 63;
  std::size_t total = 0;
  for (std::size_t w = 0; w < words_in_bitmap; ++w) {
    std::uint64_t left = words[w];
    const std::size_t count = hwy::PopCount(left);
    for (std::size_t i = 0; i < usual_bits || i < count; ++i) {
      out[total + i] = static_cast<std::uint16_t>(
          w * 64 + hwy::Num0BitsBelowLS1Bit_Nonzero64(left | never_zero));
      left &= left - 1;
    }
    total += count;
  }
  return total;
}

// The sum wraps modulo 2^32 on purpose: callers add differences that may be negative
// (engine/vector/internal_ids.cpp).
void WidenArray(const std::uint16_t* values, std::size_t count, std::uint32_t add,
                std::uint32_t* out) {
  const hn::CappedTag<std::uint32_t, 16> numbers;
  const hn::Rebind<std::uint16_t, decltype(numbers)> narrow;
  std::size_t i = 0;
  for (; i + hn::Lanes(numbers) <= count; i += hn::Lanes(numbers))
    hn::StoreU(
        hn::Add(hn::PromoteTo(numbers, hn::LoadU(narrow, values + i)), hn::Set(numbers, add)),
        numbers, out + i);
  for (; i < count; ++i) out[i] = values[i] + add;
}

// Processes 64 positions at once if the machine can look up bytes in tables of 128; otherwise one
// set bit after the other, because most words have few.
std::size_t KeepGroups(const std::uint64_t* words, std::size_t count,
                       const GroupedPositions& positions, const std::uint8_t* groups,
                       std::uint64_t* out) {
  std::size_t total = 0;
#if HWY_TARGET == HWY_AVX3_DL
  const __m512i quarters[] = {_mm512_loadu_si512(groups), _mm512_loadu_si512(groups + 64),
                              _mm512_loadu_si512(groups + 128), _mm512_loadu_si512(groups + 192)};
  for (std::size_t w = 0; w < count; ++w) {
    const __m512i at = _mm512_loadu_si512(positions.bytes + 64 * w);
    const __m512i low = _mm512_permutex2var_epi8(quarters[0], at, quarters[1]);
    const __m512i high = _mm512_permutex2var_epi8(quarters[2], at, quarters[3]);
    const __m512i found = _mm512_mask_blend_epi8(_mm512_movepi8_mask(at), low, high);
    out[w] = words[w] & _mm512_test_epi8_mask(found, _mm512_loadu_si512(positions.bits + 64 * w));
    total += hwy::PopCount(out[w]);
  }
#else
  for (std::size_t w = 0; w < count; ++w) {
    std::uint64_t kept = 0;
    for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
      const std::size_t bit = hwy::Num0BitsBelowLS1Bit_Nonzero64(left), at = 64 * w + bit;
      const bool is_in = (groups[positions.bytes[at]] & positions.bits[at]) != 0;
      kept |= std::uint64_t{is_in} << bit;
    }
    out[w] = kept;
    total += hwy::PopCount(kept);
  }
#endif
  return total;
}

bool KeepsGroupsByWord() { return HWY_TARGET == HWY_AVX3_DL; }

// Expands 16 or 8 bits at a time if vectors are that long. The bits of a word are in its bytes in
// order, because these machines are little-endian.
std::size_t ListBits(const std::uint64_t* words, std::size_t count, std::uint32_t first,
                     std::uint32_t* out) {
  std::size_t total = 0;
#if HWY_TARGET == HWY_AVX3_DL
  // 64 bits at once: the register holds 0 to 63 as bytes, those of set bits are compressed to the
  // front, and then widened 16 at a time:
  //   word  ...0010 1001   ->   0 3 5 -   ->   first + 0, first + 3, first + 5
  // Most words of a filter have few bits, so the later quarters are only widened if they hold any.
  const __m512i bytes = hn::Iota(hn::ScalableTag<std::uint8_t>(), 0).raw;
  for (std::size_t w = 0; w < count; ++w, first += 64) {
    const __m512i set = _mm512_maskz_compress_epi8(words[w], bytes);
    const auto found = hwy::PopCount(words[w]);
    const auto widen = [&](__m128i some, std::size_t at) {
      _mm512_storeu_si512(
          out + total + at,
          _mm512_add_epi32(_mm512_cvtepu8_epi32(some), _mm512_set1_epi32(static_cast<int>(first))));
    };
    widen(_mm512_castsi512_si128(set), 0);
    if (found > 16) {
      widen(_mm512_extracti32x4_epi32(set, 1), 16);
      if (found > 32) widen(_mm512_extracti32x4_epi32(set, 2), 32);
      if (found > 48) widen(_mm512_extracti32x4_epi32(set, 3), 48);
    }
    total += found;
  }
#elif HWY_TARGET != HWY_SCALAR && HWY_CAP_GE256
  const hn::CappedTag<std::uint32_t, 16> numbers;
  constexpr std::size_t lanes = hn::MaxLanes(numbers);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(words);
  auto places = hn::Iota(numbers, first);
  for (std::size_t at = 0; at < count * 64; at += lanes) {
    const auto set = hn::LoadMaskBits(numbers, bytes + at / 8);
    hn::StoreU(hn::Compress(places, set), numbers, out + total);
    total += hn::CountTrue(numbers, set);
    places = hn::Add(places, hn::Set(numbers, static_cast<std::uint32_t>(lanes)));
  }
#else
  for (std::size_t w = 0; w < count; ++w)
    for (std::uint64_t left = words[w]; left != 0; left &= left - 1)
      out[total++] =
          first + static_cast<std::uint32_t>(w * 64 + hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
#endif
  return total;
}

#if HWY_TARGET != HWY_SCALAR
#if HWY_CAP_GE256
using Block = hn::Full256<std::uint16_t>;
#else
using Block = hn::Full128<std::uint16_t>;
#endif
constexpr std::size_t block_size = hn::MaxLanes(Block{});

// Updates the minimum over rotations of `b` of a XOR b. The XOR is zero in lanes that are equal, so
// the minimum is zero where any rotation matched. Eight rotations cover 16 bytes; longer blocks
// repeat them with the halves of b swapped.
template <int bytes, class D, class V>
HWY_INLINE V min_after_rotation(D lanes, V least, V a, V b) {
  return hn::Min(least, hn::Xor(a, hn::CombineShiftRightBytes<bytes>(lanes, b, b)));
}

// Returns zero in each lane of `a` that equals a lane in the same sixteen bytes of `b`.
template <class D, class V>
HWY_INLINE V differences(D lanes, V a, V b) {
  V least = hn::Xor(a, b);
  least = min_after_rotation<2>(lanes, least, a, b);
  least = min_after_rotation<4>(lanes, least, a, b);
  least = min_after_rotation<6>(lanes, least, a, b);
  least = min_after_rotation<8>(lanes, least, a, b);
  least = min_after_rotation<10>(lanes, least, a, b);
  least = min_after_rotation<12>(lanes, least, a, b);
  return min_after_rotation<14>(lanes, least, a, b);
}

// Returns true for each lane of `a` whose value occurs anywhere in `b`.
HWY_INLINE auto found_in(hn::VFromD<Block> a, hn::VFromD<Block> b) {
  const Block lanes;
#if HWY_CAP_GE512
  // Puts both orders of b's halves into one register: one round of rotations over 64 bytes instead
  // of two over 32.
  const hn::Full512<std::uint16_t> twice;
  const auto swapped = hn::ConcatLowerUpper(lanes, b, b);
  const auto both = differences(twice, hn::Combine(twice, a, a), hn::Combine(twice, swapped, b));
  const auto least = hn::Min(hn::LowerHalf(lanes, both), hn::UpperHalf(lanes, both));
#elif HWY_CAP_GE256
  const auto swapped = hn::ConcatLowerUpper(lanes, b, b);
  const auto least = hn::Min(differences(lanes, a, b), differences(lanes, a, swapped));
#else
  const auto least = differences(lanes, a, b);
#endif
  return hn::Eq(least, hn::Zero(lanes));
}

// Writes the common values of two blocks to `out` and returns their number.
#if HWY_TARGET == HWY_AVX3_DL
HWY_INLINE std::size_t intersect_block(const std::uint16_t* a, const std::uint16_t* b,
                                       std::uint16_t* out) {
  const Block lanes;
  const auto values = hn::LoadU(lanes, a);
  const auto common = found_in(values, hn::LoadU(lanes, b));
  hn::StoreU(hn::Compress(values, common), lanes, out);
  return hn::CountTrue(lanes, common);
}
#else
// Without Compress for 16 bits, a shuffle moves the selected values to the front, eight at a time.
HWY_INLINE std::size_t pack_eight(const std::uint16_t* values, std::uint8_t bits,
                                  std::uint16_t* out) {
  const hn::Full128<std::uint16_t> lanes;
  const hn::Full128<std::uint8_t> bytes;
  const auto order = hn::BitCast(lanes, hn::Load(bytes, lane_packing.bytes[bits]));
  hn::StoreU(hn::TableLookupBytes(hn::LoadU(lanes, values), order), lanes, out);
  return hwy::PopCount(bits);
}

HWY_INLINE std::size_t intersect_block(const std::uint16_t* a, const std::uint16_t* b,
                                       std::uint16_t* out) {
  const Block lanes;
  // StoreMaskBits may write eight bytes, whatever the number of lanes.
  std::uint8_t bits[8];
  hn::StoreMaskBits(lanes, found_in(hn::LoadU(lanes, a), hn::LoadU(lanes, b)), bits);
  std::size_t found = pack_eight(a, bits[0], out);
  if constexpr (block_size == 16) found += pack_eight(a + 8, bits[1], out + found);
  return found;
}
#endif
#endif

// Compares whole blocks, then advances the block with the smaller last value. No branch depends on
// the data, neither here nor in the remainder.
std::size_t IntersectArrays(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                            std::uint16_t* out) {
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t found = 0;
#if HWY_TARGET != HWY_SCALAR
  while (i + block_size <= a.size() && j + block_size <= b.size()) {
    found += intersect_block(a.data() + i, b.data() + j, out + found);
    const std::uint16_t a_last = a[i + block_size - 1];
    const std::uint16_t b_last = b[j + block_size - 1];
    // If the last values are equal, both blocks advance. Either way each pair of equal values is
    // compared exactly once, in the blocks that are current when the smaller of their last values
    // is.
    i += block_size * static_cast<std::size_t>(a_last <= b_last);
    j += block_size * static_cast<std::size_t>(b_last <= a_last);
  }
#endif
  while (i < a.size() && j < b.size()) {
    const std::uint16_t from_a = a[i];
    const std::uint16_t from_b = b[j];
    out[found] = from_a;
    found += static_cast<std::size_t>(from_a == from_b);
    i += static_cast<std::size_t>(from_a <= from_b);
    j += static_cast<std::size_t>(from_b <= from_a);
  }
  return found;
}

}  // namespace cairn::codec::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::codec::kernels {

HWY_EXPORT(AndWords);
HWY_EXPORT(OrWords);
HWY_EXPORT(AndNotWords);
HWY_EXPORT(CountAndWords);
HWY_EXPORT(ListWords);
HWY_EXPORT(ListBits);
HWY_EXPORT(KeepGroups);
HWY_EXPORT(KeepsGroupsByWord);
HWY_EXPORT(WidenArray);
HWY_EXPORT(IntersectArrays);

std::uint32_t and_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(AndWords)(a, b, out);
}
std::uint32_t or_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(OrWords)(a, b, out);
}
std::uint32_t and_not_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(AndNotWords)(a, b, out);
}
std::uint32_t count_and_words(const std::uint64_t* a, const std::uint64_t* b) {
  return HWY_DYNAMIC_DISPATCH(CountAndWords)(a, b);
}
std::size_t list_words(const std::uint64_t* words, std::uint16_t* out) {
  return HWY_DYNAMIC_DISPATCH(ListWords)(words, out);
}
std::size_t list_bits(const std::uint64_t* words, std::size_t count, std::uint32_t first,
                      std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(ListBits)(words, count, first, out);
}
std::size_t keep_groups(const std::uint64_t* words, std::size_t count,
                        const GroupedPositions& positions, const std::uint8_t* groups,
                        std::uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(KeepGroups)(words, count, positions, groups, out);
}
bool keeps_groups_by_word() { return HWY_DYNAMIC_DISPATCH(KeepsGroupsByWord)(); }
void widen_array(std::span<const std::uint16_t> values, std::uint32_t add, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(WidenArray)(values.data(), values.size(), add, out);
}
std::size_t intersect_arrays(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                             std::uint16_t* out) {
  return HWY_DYNAMIC_DISPATCH(IntersectArrays)(a, b, out);
}

}  // namespace cairn::codec::kernels
#endif
