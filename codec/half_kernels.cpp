// This file is compiled once for each instruction set: foreach_target.h includes it again.
#include "codec/half_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/half_kernels.cpp"
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::codec::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// By integers, as processors differ in what they round by themselves. A float that becomes a normal
// half loses 13 bits of its fraction: half of what is lost, less one, and one where the last bit that
// stays is odd, carry over where rounding goes up. One that becomes subnormal is added to a float whose
// last bit is worth the least half, so that the addition rounds it.
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
  // Both are below 2^31: compared as signed, which every instruction set can.
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

HWY_EXPORT(ToHalves);
HWY_EXPORT(FromHalves);

void to_halves(const float* values, std::size_t size, float times, std::uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(ToHalves)(values, size, times, out);
}
void from_halves(const std::uint16_t* halves, std::size_t size, float times, float* out) {
  HWY_DYNAMIC_DISPATCH(FromHalves)(halves, size, times, out);
}

}  // namespace cairn::codec::kernels
#endif
