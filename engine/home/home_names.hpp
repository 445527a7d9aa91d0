#pragma once
// The names of the objects of a home. Numbers in names have 16 hexadecimal digits, so that a sorted list has them in
// ascending order.

#include "codec/home_head.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::engine::home_name {

/// Returns the prefix of all names of a home in its store: `xx/hash/`. `hash` is the first 16 bytes of the SHA-256 of
/// the tenant, in hexadecimal digits. `xx` is its first two digits, which spread requests over the partitions of a
/// store. Errors: io_error if SHA-256 is not available.
[[nodiscard]] Result<std::string> root(std::string_view tenant);
/// The head of the home: the only object that is ever replaced.
inline constexpr const char* head = "head";
/// The prefix of the names of all parts.
inline constexpr const char* parts = "part/";
/// The prefix of the names of all slots of an epoch.
[[nodiscard]] std::string slots_of(std::uint64_t epoch);
/// The object of one slot: a commit, or the fence that ends the epoch.
[[nodiscard]] std::string slot(std::uint64_t epoch, std::uint64_t slot);
/// A file of a database that checkpoints refer to. `object.slot` is a running number within the epoch that uploaded
/// the file.
[[nodiscard]] std::string part(const codec::HomePlace& object);
/// The list of files of the checkpoint at `place`.
[[nodiscard]] std::string checkpoint(const codec::HomePlace& place);

/// What a name of a home stands for.
struct NamedObject {
  enum class Kind : std::uint8_t { slot, part, checkpoint };
  Kind kind = Kind::slot;
  codec::HomePlace place{};
};
/// Reads a name of one of the three functions above. Returns nullopt for any other name.
[[nodiscard]] std::optional<NamedObject> parse(std::string_view name);

}  // namespace cairn::engine::home_name
