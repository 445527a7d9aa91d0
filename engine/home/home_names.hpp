#pragma once
// The names of the objects of a home, and the order of the slots of its log. Numbers in names have 16 hexadecimal digits,
// so that a sorted list has them in ascending order.

#include "codec/commit_record.hpp"
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

namespace cairn::engine {

// LogWalk: the slots of a home's log between two places, in order.

/// Names one slot after the other, from the one after `from` up to `to`. A fence leads to the next epoch. Epoch 0 has no
/// slots: the first checkpoint of a fork is there.
/// Precondition: the log has no gap there, as it has none after a checkpoint that the head refers to.
class LogWalk {
 public:
  LogWalk(const codec::HomePlace& from, const codec::HomePlace& to) noexcept
      : slot_(from.epoch == 0 ? codec::HomePlace{1, 1}
                              : codec::HomePlace{from.epoch, from.slot + 1}),
        to_(to) {}
  /// Begins with a slot, and has no end.
  [[nodiscard]] static LogWalk from_slot(const codec::HomePlace& first) noexcept {
    LogWalk walk(first, first);
    walk.slot_ = first;
    return walk;
  }
  [[nodiscard]] bool has_ended() const noexcept { return to_ < slot_; }
  [[nodiscard]] const codec::HomePlace& slot() const noexcept { return slot_; }
  /// Moves on from slot(), which contains a record of this kind.
  void pass(codec::RecordKind kind) noexcept {
    if (kind == codec::RecordKind::fence)
      slot_ = {slot_.epoch + 1, 1};
    else
      ++slot_.slot;
  }

 private:
  codec::HomePlace slot_;
  codec::HomePlace to_;
};

}  // namespace cairn::engine
