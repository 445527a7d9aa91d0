#pragma once
// The entry by which a call of an attached process learns that it is made again.

namespace cairn::engine {

/// A call sends this entry with the value false. If the host ends before it answers, the call is sent to the next host
/// with the value true: the first host may have executed the call already.
inline constexpr const char* again_entry = "again";

}  // namespace cairn::engine
