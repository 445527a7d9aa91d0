#pragma once
// The words of the language, for editors and shells that complete or colour them.

#include <cairn/visibility.hpp>

#include <span>
#include <string_view>

namespace cairn {

/// Every keyword of the language in capitals, in order. Keywords are read in any case.
///
/// Most of them may be names as well; those that may not are quoted by `...`. Words of transactions (BEGIN,
/// COMMIT, ROLLBACK), which belong to the shell, are not among them.
/// Lifetime: as the program.
[[nodiscard]] CAIRN_EXPORT std::span<const std::string_view> keywords() noexcept;

}  // namespace cairn
