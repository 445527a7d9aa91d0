#pragma once
// The keywords of the language, for editors and shells that complete or highlight them.

#include <cairn/visibility.hpp>

#include <span>
#include <string_view>

namespace cairn {

/// Returns every keyword of the language in capitals, in order. Statements may use any case.
///
/// Most keywords may also be names; the others must be quoted by `...` to be used as names.
/// Commands of transactions (BEGIN, COMMIT, ROLLBACK) are not included, because they belong to the
/// shell. Lifetime: as long as the program.
[[nodiscard]] CAIRN_EXPORT std::span<const std::string_view> keywords() noexcept;

}  // namespace cairn
