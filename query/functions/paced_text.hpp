#pragma once
// Functions for texts of any length that check the limits of the statement, in linear time.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::query {

/// Returns the number of code points.
[[nodiscard]] Result<std::int64_t> paced_length(engine::Limits* limits, std::string_view text);

/// Returns the offset after `count` code points, or the size of a shorter text.
[[nodiscard]] Result<std::size_t> paced_offset(engine::Limits* limits, std::string_view text,
                                               std::int64_t count);

/// Returns the offset of the first `part` at or after `from`, or npos. An empty part is found at `from`.
[[nodiscard]] Result<std::size_t> paced_find(engine::Limits* limits, std::string_view text,
                                             std::string_view part, std::size_t from);

/// For functions that cannot check limits while they read a text: returns resource_limit above 4 MiB.
[[nodiscard]] Status check_readable_whole(std::string_view function, std::string_view text);

/// True if all bytes are ASCII.
[[nodiscard]] bool is_ascii(std::string_view text) noexcept;

/// Calls `visit` with consecutive pieces of the text, which returns a Status. A piece has about 64 KiB and ends at a
/// place for which `is_cut(text, at)` is true. Counts one step for each kilobyte.
template <class IsCut, class Visit>
[[nodiscard]] Status for_each_piece(engine::Limits* limits, std::string_view text,
                                    const IsCut& is_cut, const Visit& visit) {
  constexpr std::size_t usual_bytes = 65'536;
  engine::Pace pace(limits);
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.size();
    if (end - begin > usual_bytes) {
      end = begin + usual_bytes;
      while (end < text.size() && !is_cut(text, end)) ++end;
    }
    CAIRN_TRY(visit(text.substr(begin, end - begin)));
    CAIRN_TRY(pace.add(end - begin));
    begin = end;
  }
  return {};
}

}  // namespace cairn::query
