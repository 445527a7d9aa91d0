#pragma once
// The content of a slot of a home's log: one commit, or the fence that ends an epoch. Numbers are
// little-endian.
//
// record := 'CairnRec' layout:u32=1 kind:u8 database-id:hex{32} epoch:u64 slot:u64 opening:u64 nonce:u64
//           commit:u64 change* checksum:u64
// change := operation:u8 family:u8 key:text value:text
//
// A fence has no changes and commit 0. Its `opening` is that of the owner who closes the epoch.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

/// The numbers are stored in homes and never reused.
enum class RecordKind : std::uint8_t { commit = 1, fence = 2 };

/// The numbers are stored in homes and never reused.
enum class ChangeOperation : std::uint8_t {
  put = 1,
  erase = 2,        ///< has no value
  merge = 3,        ///< the value is a merge operand
  erase_range = 4,  ///< erases [key, value)
};

/// One change of the store. The views point into the bytes that it was decoded from.
struct RecordChange {
  ChangeOperation operation = ChangeOperation::put;
  std::uint8_t family = 0;  ///< the family's number in records, see FORMAT.md
  std::string_view key;
  std::string_view value;
  friend bool operator==(const RecordChange&, const RecordChange&) = default;
};

/// Most bytes of the changes of one record.
inline constexpr std::size_t most_change_bytes = std::size_t{32} << 20;
/// Most bytes of a record with its head and checksum.
inline constexpr std::size_t most_record_bytes = most_change_bytes + 128;

/// A decoded record of the log, without its checksum.
struct CommitRecord {
  RecordKind kind = RecordKind::commit;
  std::string database_id;
  std::uint64_t epoch = 0;
  std::uint64_t slot = 0;
  std::uint64_t opening = 0;  ///< drawn by the owner when it opened the home
  std::uint64_t nonce = 0;    ///< a random number, so no two records are alike
  std::uint64_t commit = 0;   ///< 0 if the changes are not a commit of their own
  std::string changes{};      ///< encoded, as append_change() makes them
  friend bool operator==(const CommitRecord&, const CommitRecord&) = default;
};

[[nodiscard]] std::string encode(const CommitRecord& record);
/// Decodes a record and verifies its changes. Errors: corruption; format_too_new.
[[nodiscard]] Result<CommitRecord> decode_commit_record(std::string_view bytes);

void append_change(std::string& changes, const RecordChange& change);

/// Reads changes one by one, in their order.
class ChangeReader {
 public:
  explicit ChangeReader(std::string_view changes) noexcept : rest_(changes) {}
  /// Reads the next change. Returns false at the end, and at a damaged change: has_failed() is true
  /// then.
  [[nodiscard]] bool next(RecordChange& change) noexcept;
  [[nodiscard]] bool has_failed() const noexcept { return failed_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace cairn::codec
