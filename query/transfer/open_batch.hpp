#pragma once
// What an import keeps of its open batch, which must be stored again if its transaction is lost.

#include "query/transfer/line_feed.hpp"

#include <cairn/transfer.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace cairn::query {

/// The counts of a report.
struct ReportCounts {
  ReportCounts() = default;
  explicit ReportCounts(const ImportReport& report)
      : nodes(report.nodes),
        relationships(report.relationships),
        earlier(report.earlier),
        skipped(report.skipped),
        problems(report.problems.size()) {}
  void restore(ImportReport& report) const {
    report.nodes = nodes;
    report.relationships = relationships;
    report.earlier = earlier;
    report.skipped = skipped;
    const auto first_new = report.problems.begin() + static_cast<std::ptrdiff_t>(problems);
    report.problems.erase(first_new, report.problems.end());
  }

  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  std::uint64_t earlier = 0;
  std::uint64_t skipped = 0;
  std::size_t problems = 0;
};

/// The lines that may still be needed:
///
///    | stored in the open batch | not stored |
class OpenLines {
 public:
  void add(std::vector<NumberedLine> lines) {
    std::move(lines.begin(), lines.end(), std::back_inserter(lines_));
  }
  /// The lines that are not stored.
  [[nodiscard]] std::span<NumberedLine> rest() { return std::span(lines_).subspan(next_); }
  /// The first `count` lines of rest() are stored in the open batch.
  void note_stored(std::size_t count) { next_ += count; }
  /// The open batch is committed.
  void note_committed() { first_ = next_; }
  /// The open batch is lost: its lines are not stored.
  void note_lost() { next_ = first_; }
  /// Forgets the lines of committed batches and, unless it may be lost, of the open batch.
  void forget(bool may_be_lost) {
    if (!may_be_lost) first_ = next_;
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(first_));
    next_ -= first_;
    first_ = 0;
  }

 private:
  std::vector<NumberedLine> lines_;
  std::size_t first_ = 0;  // the first line of the open batch
  std::size_t next_ = 0;   // the first line that is not stored
};

}  // namespace cairn::query
