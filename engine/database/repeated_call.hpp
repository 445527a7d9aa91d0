#pragma once
// The entry by which a call of an attached process learns that it is made again.

namespace cairn::engine {

/// A call has it with the value false. It becomes true if the host ended before it answered and its successor gets the call:
/// the call may have been made already.
inline constexpr const char* again_entry = "again";

}  // namespace cairn::engine
