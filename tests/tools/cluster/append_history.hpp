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

struct ListRead {
  std::string list;
  Append::Time begin;
  Elements seen;
  std::size_t at_least = 0;  ///< the reader knew of so many elements
  /// What was acknowledged so long before the read is in it. Nothing if the reader did not demand that.
  std::optional<std::chrono::milliseconds> longest_lag;
};

/// Any thread may add to it.
class AppendHistory {
 public:
  void add(Append append);
  void add(ListRead read);
  [[nodiscard]] std::size_t count(Sent sent) const;
  [[nodiscard]] std::size_t reads() const;
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
