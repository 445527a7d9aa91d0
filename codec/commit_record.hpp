#pragma once
// What a slot of a home's log holds: one commit, or the fence that ends an epoch. Numbers are little-endian.
//
// record := 'CairnRec' layout:u32=1 kind:u8 database-id:hex{32} epoch:u64 slot:u64 opening:u64 nonce:u64
//           commit:u64 change* checksum:u64
// change := operation:u8 family:u8 key:text value:text
//
// A fence has no changes and commit 0. Its `opening` is the one that closes the epoch.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

/// Numbers are in the home and never reused.
enum class RecordKind : std::uint8_t { commit = 1, fence = 2 };

/// Numbers are in the home and never reused.
enum class ChangeOperation : std::uint8_t {
  put = 1,
  erase = 2,        ///< without a value
  merge = 3,        ///< the value is an operand
  erase_range = 4,  ///< from `key` on, up to `value`, which stays
};

/// One change of the store. The views point into the bytes that it was read from.
struct RecordChange {
  ChangeOperation operation = ChangeOperation::put;
  std::uint8_t family = 0;  ///< the family's number in records, see FORMAT.md
  std::string_view key;
  std::string_view value;
  friend bool operator==(const RecordChange&, const RecordChange&) = default;
};

/// The most that the changes of one record may take.
inline constexpr std::size_t most_change_bytes = std::size_t{32} << 20;
/// Of a record with its head and checksum.
inline constexpr std::size_t most_record_bytes = most_change_bytes + 128;

struct CommitRecord {
  RecordKind kind = RecordKind::commit;
  std::string database_id;
  std::uint64_t epoch = 0;
  std::uint64_t slot = 0;
  std::uint64_t opening = 0;  ///< drawn by the owner when it opened the home
  std::uint64_t nonce = 0;    ///< drawn for each record: no two are alike
  std::uint64_t commit = 0;   ///< 0 where the changes are no commit of their own
  std::string changes{};      ///< encoded, as append_change() makes them
  friend bool operator==(const CommitRecord&, const CommitRecord&) = default;
};

[[nodiscard]] std::string encode(const CommitRecord& record);
/// The changes are verified as well. Errors: corruption; format_too_new.
[[nodiscard]] Result<CommitRecord> decode_commit_record(std::string_view bytes);

void append_change(std::string& changes, const RecordChange& change);

/// Reads changes one by one, in their order.
class ChangeReader {
 public:
  explicit ChangeReader(std::string_view changes) noexcept : rest_(changes) {}
  /// Whether there was one; false too at a damaged one, and has_failed() tells.
  [[nodiscard]] bool next(RecordChange& change) noexcept;
  [[nodiscard]] bool has_failed() const noexcept { return failed_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace cairn::codec
