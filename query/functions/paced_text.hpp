#pragma once
// Walks over a text of any length that look at a statement's limits on their way, in time that is
// linear in the text whatever is looked for.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::query {

/// The number of code points.
[[nodiscard]] Result<std::int64_t> paced_length(engine::Limits* limits, std::string_view text);

/// The byte after `count` code points, or the end of a shorter text.
[[nodiscard]] Result<std::size_t> paced_offset(engine::Limits* limits, std::string_view text,
                                               std::int64_t count);

/// Where `part` stands first at or behind `from`, or npos. An empty part stands at `from`.
[[nodiscard]] Result<std::size_t> paced_find(engine::Limits* limits, std::string_view text,
                                             std::string_view part, std::size_t from);

/// For functions that read a text in one go, without a look at the limits: resource_limit over 4 MiB.
[[nodiscard]] Status check_readable_whole(std::string_view function, std::string_view text);

/// Whether all bytes are ASCII.
[[nodiscard]] bool is_ascii(std::string_view text) noexcept;

/// Call `visit` with pieces of the text that make it up, of some 64 KiB each where it has blanks, or
/// other places for which `is_cut(text, at)` holds: a Status is returned, and one step counted for each
/// kilobyte.
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
