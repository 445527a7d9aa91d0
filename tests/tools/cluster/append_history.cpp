#include "tests/tools/cluster/append_history.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace cairn::test {
namespace {

using std::chrono::milliseconds;
using Time = Append::Time;
using Lists = std::map<std::string, Elements>;

/// Compares a history with the lists at the end.
class Check {
 public:
  explicit Check(const Lists& last) {
    for (const auto& [list, elements] : last) add(list, elements);
  }

  void compare(const Append& append) {
    sent_.insert(append.element);
    const std::size_t place = place_of(append);
    if (append.sent == Sent::refused && place > 0) fault(append, "was refused, and is there");
    if (append.sent != Sent::acknowledged) return;
    if (place == 0) return fault(append, "was acknowledged, and is lost");
    if (append.seen.size() != place || !is_beginning(append.list, append.seen))
      fault(append, "was answered with a list that never was");
  }
  void compare(const ListRead& read) {
    if (!read.is_answered) return;
    if (!is_beginning(read.list, read.seen)) fault(read, "a list that never was");
    if (read.seen.size() < read.at_least) fault(read, "less than the reader knew of");
  }
  /// Nothing is in a list that nobody sent.
  void compare_elements() {
    for (const auto& [element, place] : places_)
      if (!sent_.contains(element)) fault(place.list, element, "was sent by nobody");
  }
  /// What was acknowledged before an append or a read began comes before it.
  void compare_times(std::vector<Append> appends, const std::vector<ListRead>& reads) {
    std::erase_if(appends, [this](const Append& append) { return place_of(append) == 0; });
    std::ranges::sort(appends, {}, &Append::end);
    std::map<std::string, std::vector<std::pair<Time, std::size_t>>> known;
    for (const Append& append : appends) {
      if (append.sent != Sent::acknowledged) continue;
      auto& times = known[append.list];
      const std::size_t before = times.empty() ? 0 : times.back().second;
      times.emplace_back(append.end, std::max(before, place_of(append)));
    }
    const auto known_at = [&known](const std::string& list, Time time) -> std::size_t {
      const auto& times = known[list];
      const auto next = std::ranges::lower_bound(times, std::pair(time, std::size_t{0}));
      return next == times.begin() ? 0 : std::prev(next)->second;
    };
    for (const Append& append : appends)
      if (place_of(append) <= known_at(append.list, append.begin))
        fault(append, "comes before one that was acknowledged before it began");
    for (const ListRead& read : reads)
      if (read.is_answered && read.longest_lag &&
          read.seen.size() < known_at(read.list, read.begin - *read.longest_lag))
        fault(read, "an older list than it may");
  }
  std::vector<std::string> faults;

 private:
  struct Place {
    std::string list;
    std::size_t number = 0;
  };

  void add(const std::string& list, const Elements& elements) {
    last_[list] = elements;
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (!places_.emplace(elements[i], Place{list, i + 1}).second)
        fault(list, elements[i], "is there twice");
  }
  /// From 1; 0 where it is not.
  [[nodiscard]] std::size_t place_of(const Append& append) const {
    const auto found = places_.find(append.element);
    const bool is_there = found != places_.end() && found->second.list == append.list;
    return is_there ? found->second.number : 0;
  }
  [[nodiscard]] bool is_beginning(const std::string& list, const Elements& seen) {
    const Elements& all = last_[list];
    return seen.size() <= all.size() && std::equal(seen.begin(), seen.end(), all.begin());
  }
  void fault(const std::string& list, std::int64_t element, const std::string& what) {
    faults.push_back("element " + std::to_string(element) + " of " + list + " " + what);
  }
  void fault(const Append& append, const std::string& what) {
    fault(append.list, append.element, what);
  }
  void fault(const ListRead& read, const std::string& what) {
    faults.push_back("a read of " + read.list + " returned " + what + ": " +
                     std::to_string(read.seen.size()) + " elements");
  }

  Lists last_;
  std::map<std::int64_t, Place> places_;
  std::set<std::int64_t> sent_;
};

}  // namespace

void AppendHistory::add(Append append) {
  const std::lock_guard lock(mutex_);
  appends_.push_back(std::move(append));
}

void AppendHistory::add(ListRead read) {
  const std::lock_guard lock(mutex_);
  reads_.push_back(std::move(read));
}

std::size_t AppendHistory::count(Sent sent) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::ranges::count(appends_, sent, &Append::sent));
}

ReadCount AppendHistory::reads(ReadAt at) const {
  const std::lock_guard lock(mutex_);
  ReadCount count;
  for (const ListRead& read : reads_) {
    if (read.at != at) continue;
    ++count.sent;
    if (!read.is_answered) continue;
    ++count.answered;
    if (!read.seen.empty()) ++count.with_elements;
  }
  return count;
}

bool AppendHistory::has_append(const std::string& tenant, Time since) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(appends_, [&](const Append& append) {
    return append.sent == Sent::acknowledged && append.begin >= since &&
           append.list.starts_with(tenant + "/");
  });
}

bool AppendHistory::has_read(const std::string& tenant, ReadAt at, Time since) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(reads_, [&](const ListRead& read) {
    return read.is_answered && read.at == at && read.begin >= since &&
           read.list.starts_with(tenant + "/");
  });
}

milliseconds AppendHistory::longest_pause() const {
  const std::lock_guard lock(mutex_);
  std::vector<Time> times;
  for (const Append& append : appends_)
    if (append.sent == Sent::acknowledged) times.push_back(append.end);
  std::ranges::sort(times);
  auto longest = Time::duration::zero();
  for (std::size_t i = 1; i < times.size(); ++i)
    longest = std::max(longest, times[i] - times[i - 1]);
  return std::chrono::duration_cast<milliseconds>(longest);
}

std::vector<std::string> AppendHistory::faults(const Lists& last) const {
  const std::lock_guard lock(mutex_);
  Check check(last);
  for (const Append& append : appends_) check.compare(append);
  for (const ListRead& read : reads_) check.compare(read);
  check.compare_elements();
  check.compare_times(appends_, reads_);
  return std::move(check.faults);
}

}  // namespace cairn::test
