#include "engine/home/home_names.hpp"

#include <string_view>

namespace cairn::engine::home_name {
namespace {

void append_digits(std::string& name, std::uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (int shift = 60; shift >= 0; shift -= 4) name += digits[number >> shift & 15];
}

std::string numbered(std::string_view folder, std::uint64_t first, char between,
                     std::uint64_t second) {
  std::string name(folder);
  name.reserve(folder.size() + 33);
  append_digits(name, first);
  name += between;
  append_digits(name, second);
  return name;
}

}  // namespace

std::string slot(std::uint64_t epoch, std::uint64_t slot) {
  return numbered("log/", epoch, '/', slot);
}

std::string part(const codec::HomePlace& object) {
  return numbered("part/", object.epoch, '-', object.slot);
}

std::string checkpoint(const codec::HomePlace& place) {
  return numbered("checkpoint/", place.epoch, '-', place.slot);
}

}  // namespace cairn::engine::home_name
