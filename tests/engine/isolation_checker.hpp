#pragma once
// The isolation checker: finds violations of isolation in a history of transactions on lists.
//
// Transactions append numbers to lists and read lists; each number occurs once in the whole history. So a list that was
// read shows who wrote it and in which order. Every dependency between two transactions follows from the reads,
// whatever the database reports about itself (Kingsbury and Alvaro, "Elle", 2020):
//
//   ww  one transaction appended directly after the other
//   wr  one transaction read the other's number as the last one
//   rw  one transaction read a list to which the other appended next, so it did not see the other
//   rt  one transaction had ended before the other began
//
// The database promises (cairn/transaction.hpp, cairn/snapshot.hpp): there is one writer at a time, which sees all
// commits; a reader sees the newest commit at its beginning and nothing later; a transaction that begins after a commit
// has returned sees this commit. Together this is strict serialisability: these edges form no cycle.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::test {

struct ListOperation {
  enum class Kind : std::uint8_t { append, read };
  Kind kind = Kind::read;
  std::uint32_t list = 0;
  std::uint32_t number = 0;           ///< what was appended
  std::vector<std::uint32_t> seen{};  ///< what was read
};

struct ListTransaction {
  /// Times before the first call and after the last call of the transaction, by one clock that all threads share and
  /// that always advances.
  std::uint64_t began = 0;
  std::uint64_t ended = 0;
  bool is_committed = true;  ///< false: it was rolled back
  std::vector<ListOperation> operations{};
};

/// Returns the violations in a history as sentences, at most `limit`; empty if there are none. Transactions are named
/// by their index in the history. Cost: linear, except for a sort of the ends.
[[nodiscard]] std::vector<std::string> find_isolation_faults(
    const std::vector<ListTransaction>& history, std::size_t limit = 20);

}  // namespace cairn::test
