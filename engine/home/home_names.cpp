// Builds the names of the objects of a home.
#include "engine/home/home_names.hpp"

#include "engine/crypto/secrets.hpp"

#include <cstddef>

namespace cairn::engine::home_name {
namespace {

/// Appends a number as 16 hexadecimal digits.
void append_digits(std::string& name, std::uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (int shift = 60; shift >= 0; shift -= 4) name += digits[number >> shift & 15];
}

/// `folder`, two numbers, and the character `between` them.
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

Result<std::string> root(std::string_view tenant) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::size_t used_bytes = 16;
  CAIRN_ASSIGN(const Sha256 hash, sha256(tenant));
  std::string text;
  for (std::size_t i = 0; i < used_bytes; ++i) {
    text += digits[hash[i] >> 4];
    text += digits[hash[i] & 15];
  }
  return text.substr(0, 2) + "/" + text + "/";
}

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
