#include "tools/embedders/tokenizer/point_kinds.hpp"

#include <unicode/uchar.h>

#include <cstdint>

namespace cairn::tools {
namespace {

bool has_category(char32_t point, std::uint32_t categories) noexcept {
  return (U_GET_GC_MASK(static_cast<UChar32>(point)) & categories) != 0;
}

bool is_ascii(char32_t point) noexcept { return point < 0x80; }

}  // namespace

bool is_blank(char32_t point) noexcept {
  if (point <= U' ') return point == U' ' || (point >= U'\t' && point <= U'\r');
  return point >= 0xA0 && (has_category(point, U_GC_Z_MASK) || point == 0xFEFF);
}

bool is_punctuation(char32_t point) noexcept {
  if (!is_ascii(point)) return has_category(point, U_GC_P_MASK);
  return point > U' ' && point != 0x7F && !(point >= U'0' && point <= U'9') &&
         !(point >= U'a' && point <= U'z') && !(point >= U'A' && point <= U'Z');
}

bool is_control(char32_t point) noexcept {
  if (is_ascii(point))
    return (point < U' ' && point != U'\t' && point != U'\n' && point != U'\r') || point == 0x7F;
  return has_category(point, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK | U_GC_CS_MASK);
}

bool is_ideograph(char32_t point) noexcept {
  return (point >= 0x4E00 && point <= 0x9FFF) || (point >= 0x3400 && point <= 0x4DBF) ||
         (point >= 0xF900 && point <= 0xFAFF);
}

bool is_word_point(char32_t point) noexcept {
  return u_hasBinaryProperty(static_cast<UChar32>(point), UCHAR_ALPHABETIC) != 0 ||
         u_hasBinaryProperty(static_cast<UChar32>(point), UCHAR_JOIN_CONTROL) != 0 ||
         has_category(point, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK);
}

bool is_numeric(char32_t point) noexcept { return has_category(point, U_GC_N_MASK); }

bool is_nonspacing_mark(char32_t point) noexcept {
  return !is_ascii(point) && has_category(point, U_GC_MN_MASK);
}

bool is_mark(char32_t point) noexcept {
  return !is_ascii(point) && has_category(point, U_GC_M_MASK);
}

}  // namespace cairn::tools
