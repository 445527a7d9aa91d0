#pragma once
// The tags of Bolt's structures.

#include <cstdint>

namespace cairn::codec {

enum class PackStreamTag : std::uint8_t {
  node = 'N',
  relationship = 'R',
  unbound_relationship = 'r',
  path = 'P',
  date = 'D',
  time = 'T',
  local_time = 't',
  date_time = 'I',
  zoned_date_time = 'i',
  local_date_time = 'd',
  duration = 'E',
  vector = 'V',
  // Read or refused, but never written:
  point_2d = 'X',
  point_3d = 'Y',
  date_time_before_5 = 'F',
  zoned_date_time_before_5 = 'f',
};

}  // namespace cairn::codec
