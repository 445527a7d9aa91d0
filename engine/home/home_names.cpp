// Builds and reads the names of the objects of a home.
#include "engine/home/home_names.hpp"

#include "codec/hex.hpp"
#include "engine/crypto/secrets.hpp"

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>

namespace cairn::engine::home_name {
namespace {

constexpr std::string_view slots = "log/";
constexpr std::string_view checkpoints = "checkpoint/";
constexpr std::size_t number_digits = 16;

/// Reads a number as codec::hex_text() writes it.
std::optional<std::uint64_t> read_digits(std::string_view text) {
  std::uint64_t number = 0;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && (c < 'a' || c > 'f')) return std::nullopt;
    number = number << 4 | static_cast<std::uint64_t>(is_digit ? c - '0' : c - 'a' + 10);
  }
  return number;
}

/// `folder`, two numbers, and the character `between` them.
std::string numbered(std::string_view folder, std::uint64_t first, char between,
                     std::uint64_t second) {
  return std::string(folder) + codec::hex_text(first) + between + codec::hex_text(second);
}

}  // namespace

Result<std::string> root(std::string_view tenant) {
  constexpr std::size_t used_bytes = 16;
  CAIRN_ASSIGN(const Sha256 hash, sha256(tenant));
  const std::string text = codec::hex_text(std::span(hash).first(used_bytes));
  return text.substr(0, 2) + "/" + text + "/";
}

std::string slots_of(std::uint64_t epoch) {
  return std::string(slots) + codec::hex_text(epoch) + '/';
}

std::string slot(std::uint64_t epoch, std::uint64_t slot) {
  return numbered(slots, epoch, '/', slot);
}

std::string part(const codec::HomePlace& object) {
  return numbered(parts, object.epoch, '-', object.slot);
}

std::string checkpoint(const codec::HomePlace& place) {
  return numbered(checkpoints, place.epoch, '-', place.slot);
}

std::optional<NamedObject> parse(std::string_view name) {
  using Kind = NamedObject::Kind;
  for (const auto& [folder, kind] :
       {std::pair(slots, Kind::slot), std::pair(std::string_view(parts), Kind::part),
        std::pair(checkpoints, Kind::checkpoint)}) {
    if (!name.starts_with(folder)) continue;
    name.remove_prefix(folder.size());
    const char between = kind == Kind::slot ? '/' : '-';
    if (name.size() != 2 * number_digits + 1 || name[number_digits] != between) return std::nullopt;
    const auto epoch = read_digits(name.substr(0, number_digits));
    const auto slot = read_digits(name.substr(number_digits + 1));
    if (!epoch || !slot) return std::nullopt;
    return NamedObject{kind, {*epoch, *slot}};
  }
  return std::nullopt;
}

}  // namespace cairn::engine::home_name
