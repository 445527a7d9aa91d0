// Dot products of arrays of signed bytes, for the vector index. foreach_target.h compiles this file
// once for each instruction set. All sums are integers, so every instruction set returns the same
// numbers.
#include "codec/code_kernels.hpp"

#define HWY_WANT_AVX3_DL  // not enabled by Highway by default; it has vpdpbusd
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/byte_kernels.cpp"
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::codec::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

// Three implementations compute the same integers, depending on the instruction set:
//   AVX3_DL      vpdpbusd: four products of bytes and their sum in one instruction
//   other sets   bytes widened to 16 bits, neighbours multiplied and added to 32 bits
//   no vectors   one byte after the other
// Sums fit in 32 bits: 65,536 products of at most 127 * 127 are 1.06e9. With 128 added to each byte
// of a row, 65,536 * 255 * 127 are 2.12e9, still below 2^31. Sums of a single lane are smaller.
//
// For targets without vectors of known length: one byte after the other.
template <std::size_t count>
void dots(const std::int8_t* query, const std::int8_t* const* rows, std::size_t size,
          std::int32_t* out) {
  for (std::size_t r = 0; r < count; ++r) {
    out[r] = 0;
    for (std::size_t i = 0; i < size; ++i) out[r] += query[i] * rows[r][i];
  }
}

#else

// Reduces `count` vectors of partial sums to totals and stores them in out[0..count). For four
// vectors, neighbours are added pairwise, which takes half the additions of four separate sums over
// lanes.
template <std::size_t count, class D>
HWY_INLINE void store_totals(D tag, hn::Vec<D>* sums, std::int32_t* out) {
  if constexpr (count == 1) {
    out[0] = hn::GetLane(hn::SumOfLanes(tag, sums[0]));
  } else {
    static_assert(count == 4);
    const auto join = [tag](hn::Vec<D> low, hn::Vec<D> high) HWY_ATTR {
      return hn::Add(hn::ConcatEven(tag, high, low), hn::ConcatOdd(tag, high, low));
    };
    auto all = join(join(sums[0], sums[1]), join(sums[2], sums[3]));
    for (std::size_t lanes = hn::Lanes(tag); lanes > count; lanes /= 2) all = join(all, all);
    HWY_ALIGN std::int32_t totals[hn::MaxLanes(tag)];
    hn::Store(all, tag, totals);
    hwy::CopyBytes<count * sizeof(std::int32_t)>(totals, out);
  }
}

#if HWY_TARGET == HWY_AVX3_DL

// Adds to each number the products of its four bytes. Written in assembly, because this version of
// Highway detects the instruction set (AVX512_VNNI) but does not enable it for the compiler.
template <class V, class B>
HWY_INLINE void add_products(V& sums, B unsigned_bytes, B signed_bytes) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums.raw) : "v"(unsigned_bytes.raw), "v"(signed_bytes.raw));
}

// vpdpbusd multiplies unsigned bytes by signed bytes. So 128 is added to the bytes of the rows, and
// 128 times the sum of the query is subtracted at the end.
template <std::size_t count>
HWY_INLINE void dots(const std::int8_t* query, const std::int8_t* const* rows, std::size_t size,
                     std::int32_t* out) {
  const hn::ScalableTag<std::int8_t> bytes;
  const hn::Repartition<std::int32_t, decltype(bytes)> numbers;
  const auto middle = hn::Set(bytes, std::int8_t{-128});  // 128 as an unsigned byte
  hn::Vec<decltype(numbers)> sums[count];
  for (auto& sum : sums) sum = hn::Zero(numbers);
  auto added = hn::Zero(numbers);
  std::size_t i = 0;
  for (; i + hn::Lanes(bytes) <= size; i += hn::Lanes(bytes)) {
    const auto by = hn::LoadU(bytes, query + i);
    add_products(added, middle, by);
    for (std::size_t r = 0; r < count; ++r)
      add_products(sums[r], hn::Xor(hn::LoadU(bytes, rows[r] + i), middle), by);
  }
  // Lanes after the end are zero in the row and the query. The Xor turns the row's zero into 128,
  // but it is multiplied by the query's zero, so nothing is added.
  if (i < size) {
    const auto some = hn::FirstN(bytes, size - i);
    const auto by = hn::MaskedLoad(some, bytes, query + i);
    add_products(added, middle, by);
    for (std::size_t r = 0; r < count; ++r)
      add_products(sums[r], hn::Xor(hn::MaskedLoad(some, bytes, rows[r] + i), middle), by);
  }
  for (auto& sum : sums) sum = hn::Sub(sum, added);
  store_totals<count>(numbers, sums, out);
}

#else

// Adds the products from `at` on, a vector of D after another; returns where it stopped.
template <std::size_t count, class D, class V>
HWY_INLINE std::size_t add_products(D halves, const std::int8_t* query,
                                    const std::int8_t* const* rows, std::size_t at,
                                    std::size_t size, V* sums) {
  const hn::Rebind<std::int8_t, D> bytes;
  const hn::RepartitionToWide<D> numbers;
  // Some machines add the even and odd products to two separate sums; the second one is `more`. The
  // total is the sum of both, in any order.
  V more[count];
  for (auto& sum : more) sum = hn::Zero(numbers);
  for (; at + hn::Lanes(halves) <= size; at += hn::Lanes(halves)) {
    const auto by = hn::PromoteTo(halves, hn::LoadU(bytes, query + at));
    for (std::size_t r = 0; r < count; ++r)
      sums[r] = hn::ReorderWidenMulAccumulate(
          numbers, hn::PromoteTo(halves, hn::LoadU(bytes, rows[r] + at)), by, sums[r], more[r]);
  }
  for (std::size_t r = 0; r < count; ++r) sums[r] = hn::Add(sums[r], more[r]);
  return at;
}

template <std::size_t count>
HWY_INLINE void dots(const std::int8_t* query, const std::int8_t* const* rows, std::size_t size,
                     std::int32_t* out) {
  const hn::ScalableTag<std::int16_t> halves;
  const hn::CappedTag<std::int16_t, byte_step> few;
  const hn::RepartitionToWide<decltype(halves)> numbers;
  const hn::RepartitionToWide<decltype(few)> few_numbers;
  hn::Vec<decltype(numbers)> sums[count];
  hn::Vec<decltype(few_numbers)> rest[count];
  for (auto& sum : sums) sum = hn::Zero(numbers);
  for (auto& sum : rest) sum = hn::Zero(few_numbers);
  // Processes whole vectors first, then byte_step bytes or fewer at a time, because sizes are only
  // multiples of byte_step. The rest is shorter than one vector and costs one more sum over lanes.
  const std::size_t at = add_products<count>(halves, query, rows, 0, size, sums);
  add_products<count>(few, query, rows, at, size, rest);
  store_totals<count>(numbers, sums, out);
  for (std::size_t r = 0; r < count; ++r)
    out[r] += hn::GetLane(hn::SumOfLanes(few_numbers, rest[r]));
}

#endif
#endif

std::int32_t dot(const std::int8_t* a, const std::int8_t* b, std::size_t size) {
  std::int32_t product = 0;
  dots<1>(a, &b, size, &product);
  return product;
}

// Four rows share each load of the query and hide each other's latency.
void dots_of_rows(const std::int8_t* query, const std::int8_t* const* rows, std::size_t count,
                  std::size_t size, std::int32_t* out) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) dots<4>(query, rows + i, size, out + i);
  for (; i < count; ++i) dots<1>(query, rows + i, size, out + i);
}

ByteKernels KernelsOfBytes() { return {&dot, &dots_of_rows}; }

}  // namespace cairn::codec::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::codec::kernels {

HWY_EXPORT(KernelsOfBytes);

ByteKernels byte_kernels() { return HWY_DYNAMIC_DISPATCH(KernelsOfBytes)(); }

}  // namespace cairn::codec::kernels
#endif
