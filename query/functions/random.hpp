#pragma once
// Chance that comes in as a seed: the same statement with the same seed draws the same numbers.

#include "query/functions/function_entry.hpp"

#include <cstdint>

namespace cairn::query {

/// The next 64 random bits of a statement (SplitMix64).
[[nodiscard]] inline std::uint64_t draw(const FunctionContext& context) noexcept {
  std::uint64_t x = context.seed + ++context.draws * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace cairn::query
