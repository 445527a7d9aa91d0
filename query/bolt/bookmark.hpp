#pragma once
// Bookmarks: "cairn:17", the number of a commit that a session has seen.

#include "query/bolt/failure.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::bolt {

[[nodiscard]] std::string bookmark_of(std::uint64_t commit);

/// What is wrong with the bookmarks of a client: malformed text, or a commit that this database does not have.
/// Every commit is seen as soon as it is there, so that none is waited for.
[[nodiscard]] std::optional<Failure> check_bookmarks(const std::vector<std::string>& bookmarks,
                                                     const Database& database);

}  // namespace cairn::query::bolt
