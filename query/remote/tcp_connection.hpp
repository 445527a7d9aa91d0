#pragma once
// TCP connections of clients.

#include "engine/system/regular_file.hpp"

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>

#include <chrono>

namespace cairn::query::remote {

/// Connects to the first of the host's addresses that accepts. The socket blocks. Errors: not_found; io_error if the last
/// address timed out.
[[nodiscard]] Result<engine::FileDescriptor> connect_to(const BoltAddress& address,
                                                        std::chrono::milliseconds time);
/// Limits how long a blocking send may wait: if the peer reads nothing for attach::send_time, send() fails with EAGAIN.
void limit_sending(int socket);

}  // namespace cairn::query::remote
