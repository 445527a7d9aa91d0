#pragma once
// The objects of a home (a database in an object store) other than its log: the head and the
// checkpoints. Numbers are little-endian.

#include "codec/checksum.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// The place of a commit in the log: slot `slot` of epoch `epoch`. All places of an epoch come
/// before those of later epochs.
struct HomePlace {
  std::uint64_t epoch = 0;
  std::uint64_t slot = 0;
  friend auto operator<=>(const HomePlace&, const HomePlace&) = default;
};

/// The process that may commit to a home. A home without an owner has `opening` 0.
struct HomeOwner {
  std::string node;           ///< a name for people to read
  std::string address;        ///< where the owner answers requests; empty if it takes none
  std::uint64_t opening = 0;  ///< a random number, drawn at each opening
  friend bool operator==(const HomeOwner&, const HomeOwner&) = default;
};

/// The object that names the owner of a home. It is the only object that is ever replaced.
///
/// head  := 'CairnHed' layout:u32=1 database-id:hex{32} revision:u64 epoch:u64 node:text address:text opening:u64
///          checkpoints:varint place{checkpoints} chain:varint place{chain} closed:varint place{closed} checksum:u64
/// place := epoch:varint slot:varint
///
/// The head of a home that was deleted has nothing but
///
/// head  := 'CairnHed' layout:u32=2 database-id:hex{32} revision:u64 epoch:u64 deleted-at:i64 checksum:u64
struct HomeHead {
  std::string database_id;
  std::uint64_t revision = 0;  ///< one more with each replacement, so no two heads are alike
  std::uint64_t epoch = 0;     ///< of the owner, or of the last one if nobody owns the home
  HomeOwner owner{};
  /// The checkpoints not yet deleted, ascending; the last is the newest. A checkpoint holds
  /// everything up to its place.
  std::vector<HomePlace> checkpoints{};
  /// The epochs with records that the newest checkpoint lacks, ascending, each with the first slot
  /// that it lacks. The last one is `epoch`.
  std::vector<HomePlace> chain{};
  /// Some of the most recently closed epochs, ascending, each with its last slot.
  std::vector<HomePlace> closed{};
  std::int64_t deleted_at = 0;  ///< microseconds since 1970 UTC; 0: the home was not deleted
  friend bool operator==(const HomeHead&, const HomeHead&) = default;
};

[[nodiscard]] std::string encode(const HomeHead& head);
/// Errors: corruption; format_too_new.
[[nodiscard]] Result<HomeHead> decode_home_head(std::string_view bytes);

/// One file of a checkpoint, or a piece of a large one, stored as one object of the home.
struct HomePart {
  std::string name;         ///< its name in the database, see is_backup_name()
  std::uint64_t bytes = 0;  ///< of the piece
  Hash128 hash{};           ///< of the piece
  HomePlace object{};    ///< part/<epoch>-<slot>: the epoch that uploaded the piece, and a number
  std::uint64_t at = 0;  ///< where the piece begins in the file
  friend bool operator==(const HomePart&, const HomePart&) = default;
};

/// The maximum time for which a home keeps older states, in seconds: 100 years.
inline constexpr std::uint64_t most_home_history = std::uint64_t{36'525} * 86'400;

/// A database as of one place in the log.
///
/// checkpoint := 'CairnChk' layout:u32 database-id:hex{32} epoch:u64 slot:u64 commit:u64
///               [made-at:i64 [history:u64]] parts:varint part{parts} checksum:u64
/// part       := name:text bytes:varint high:u64 low:u64 place [at:varint]
///
/// A checkpoint with `made-at` has layout 4 if it has `history`, and otherwise 3; each part has
/// `at`. A checkpoint without `made-at` has layout 2, with `at`, if a file has several pieces, and
/// otherwise layout 1.
struct HomeCheckpoint {
  std::string database_id;
  HomePlace place{};
  std::uint64_t commit = 0;
  /// Ascending by name and `at`. The pieces of a file follow each other without a gap.
  std::vector<HomePart> parts{};
  std::int64_t made_at = 0;   ///< microseconds since 1970 UTC; 0 if it is not known
  std::uint64_t history = 0;  ///< for how many seconds older states are kept; only with `made_at`
  friend bool operator==(const HomeCheckpoint&, const HomeCheckpoint&) = default;
};

[[nodiscard]] std::string encode(const HomeCheckpoint& checkpoint);
/// Errors: corruption, also for a name that is not a database file; format_too_new.
[[nodiscard]] Result<HomeCheckpoint> decode_home_checkpoint(std::string_view bytes);

}  // namespace cairn::codec
