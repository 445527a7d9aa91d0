#pragma once
// Errors of changes in doubt: nobody can tell now whether the change was made, so it must not simply be
// repeated.

#include <cairn/result.hpp>

#include <cstdint>
#include <string_view>

namespace cairn::query::bolt {

/// Why a change is in doubt.
enum class Doubt : std::uint8_t {
  stopped_host,  ///< the host has the request and is stopped: it makes the change when it continues
  unknown_outcome  ///< the host ended, and its successor could not be asked
};

/// The end of the message of an error in doubt.
constexpr std::string_view doubt_text(Doubt doubt) {
  return doubt == Doubt::stopped_host
             ? "; the change may still be made once that process continues"
             : "; the change may or may not have been made: check before you repeat it";
}

/// Appends the doubt to the message of an error, and removes the text that says that nothing was
/// written.
[[nodiscard]] inline Error with_doubt(Error error, Doubt doubt) {
  constexpr std::string_view nothing_written = "; nothing of this was written: run it again";
  if (error.message.ends_with(nothing_written))
    error.message.resize(error.message.size() - nothing_written.size());
  error.message += doubt_text(doubt);
  return error;
}

/// True for an error that with_doubt() extended.
[[nodiscard]] inline bool is_in_doubt(const Error& error) {
  return error.message.ends_with(doubt_text(Doubt::stopped_host)) ||
         error.message.ends_with(doubt_text(Doubt::unknown_outcome));
}

}  // namespace cairn::query::bolt
