#pragma once
// The isolation checker: does a history of transactions on lists show a fault?
//
// Transactions append numbers to lists and read lists, each number once in the whole history. So a list
// that was read tells who wrote it and in which order, and every dependency between two transactions
// follows from what was read, whatever the database says of itself (Kingsbury and Alvaro, "Elle", 2020):
//
//   ww  one appended directly behind the other
//   wr  one read the other's number as the last one
//   rw  one read a list to which the other appended next: it did not see the other
//   rt  one had ended before the other began
//
// What is promised (cairn/transaction.hpp, cairn/snapshot.hpp): one writer at a time, who sees all that was
// committed; a reader sees the newest commit of its beginning and nothing later; who begins after a commit
// has returned sees it. Together this is strict serialisability: these edges make no cycle.

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
  /// By one clock that all threads share and that never stands still: before the first call and behind
  /// the last one.
  std::uint64_t began = 0;
  std::uint64_t ended = 0;
  bool is_committed = true;  ///< false: it was rolled back
  std::vector<ListOperation> operations{};
};

/// The faults of a history in sentences, transactions by their place in it; empty if absent.
/// Cost: linear, but for a sort of the ends; at most `limit` are told.
[[nodiscard]] std::vector<std::string> find_isolation_faults(
    const std::vector<ListTransaction>& history, std::size_t limit = 20);

}  // namespace cairn::test
