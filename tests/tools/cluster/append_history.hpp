#pragma once
// AppendHistory: what clients appended to lists and read of them, and a checker. Appends give the order of a list, so that what
// anybody saw of it must be a beginning of what it has at the end.

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace cairn::test {

enum class Sent { acknowledged, refused, unknown };

using Elements = std::vector<std::int64_t>;

struct Append {
  using Time = std::chrono::steady_clock::time_point;

  std::string list;
  std::int64_t element = 0;  ///< no other append has it
  Time begin;
  Time end;
  Sent sent = Sent::refused;
  Elements seen;  ///< the list as the answer has it, if it was acknowledged
};

/// Who is asked to read.
enum class ReadAt {
  owner,
  replica,  ///< a node that is not the owner, as far as the reader knows
  any,      ///< a node of which the reader knows nothing, or the owner by chance
};

struct ListRead {
  std::string list;
  Append::Time begin;
  Elements seen;
  std::size_t at_least = 0;  ///< the reader knew of so many elements
  /// What was acknowledged so long before the read is in it. Nothing if the reader did not demand that.
  std::optional<std::chrono::milliseconds> longest_lag;
  ReadAt at = ReadAt::any;
  bool is_answered = true;  ///< else nothing was seen
};

/// Reads of one kind.
struct ReadCount {
  std::size_t sent = 0;
  std::size_t answered = 0;
  std::size_t with_elements = 0;  ///< answered, and the list was not empty
};

/// Any thread may add to it.
class AppendHistory {
 public:
  void add(Append append);
  void add(ListRead read);
  [[nodiscard]] std::size_t count(Sent sent) const;
  [[nodiscard]] ReadCount reads(ReadAt at) const;
  /// True if an append to a list of the tenant began at this time or later, and was acknowledged.
  [[nodiscard]] bool has_append(const std::string& tenant, Append::Time since) const;
  /// True if a read of a list of the tenant began at this time or later, and was answered.
  [[nodiscard]] bool has_read(const std::string& tenant, ReadAt at, Append::Time since) const;
  /// The longest time without an acknowledged append to any list.
  [[nodiscard]] std::chrono::milliseconds longest_pause() const;
  /// Everything that contradicts the lists at the end, a line each.
  [[nodiscard]] std::vector<std::string> faults(const std::map<std::string, Elements>& last) const;

 private:
  mutable std::mutex mutex_;
  std::vector<Append> appends_;
  std::vector<ListRead> reads_;
};

}  // namespace cairn::test
