#pragma once
// Forms of Unicode over aligned text.

#include "tools/embedders/tokenizer/aligned_text.hpp"

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::tools {

enum class UnicodeForm : std::uint8_t { nfc, nfd, nfkc, nfkd };

/// Normalises a text. Points that a form joins or splits stand for all bytes of their group.
[[nodiscard]] Status normalise(AlignedText& text, UnicodeForm form);

/// Lower case without a language: with the final sigma of Greek.
void lower_case(AlignedText& text);

}  // namespace cairn::tools
