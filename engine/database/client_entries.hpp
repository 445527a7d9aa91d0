#pragma once
// Entries of clients (codec::ClientEntry) that nobody needs any more: old ones, and those of a namespace that is dropped.

#include <cairn/result.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

namespace cairn::engine {

class Core;

/// How long the outcome of a request is stored.
inline constexpr std::chrono::minutes request_time{10};
/// How long the outcome of a request is stored that had not ended at its newest commit: it may run for long.
inline constexpr std::chrono::hours unfinished_request_time{24};
/// How long the newest commit of an attached process is stored.
inline constexpr std::chrono::hours client_time{24};

/// Erases the entries of clients whose names have this prefix, if they are older than the times above at `now`
/// (microseconds since 1970 UTC), and entries that cannot be decoded. Errors: those of the store. Cost: reads all entries
/// with the prefix, again for every 10,000 entries or 8 MiB that it erases.
[[nodiscard]] Status forget_old_clients(Core& core, std::string_view prefix, std::int64_t now);
/// Erases the entries of requests in a namespace whose newest commit was before `before`, in microseconds since 1970 UTC.
/// Must be called after the commit that drops the namespace: until then, a repeated request needs its entry. Errors and
/// cost: as above.
[[nodiscard]] Status forget_requests_in(Core& core, std::string_view name_space,
                                        std::int64_t before);

}  // namespace cairn::engine
