#include "tests/engine/isolation_checker.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cairn::test {
namespace {

using Kind = ListOperation::Kind;
using Numbers = std::vector<std::uint32_t>;

bool is_prefix(const Numbers& beginning, const Numbers& whole) {
  return beginning.size() <= whole.size() &&
         std::equal(beginning.begin(), beginning.end(), whole.begin());
}

struct Writer {
  std::size_t transaction = 0;
  std::uint32_t list = 0;
  bool is_last = true;  // its transaction appended nothing to the list behind it
};

struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
  const char* kind = "";
};

class Checker {
 public:
  Checker(const std::vector<ListTransaction>& history, std::size_t limit)
      : history_(history), limit_(limit) {}

  std::vector<std::string> run() {
    note_writers();
    each_committed([this](std::size_t t) { check_own_view(t); });
    each_read([this](std::size_t t, const ListOperation& read) { check_numbers(t, read); });
    each_read([this](std::size_t, const ListOperation& read) { note_order(read); });
    each_read([this](std::size_t t, const ListOperation& read) { check_order(t, read); });
    check_lost();
    if (!faults_.empty()) return std::move(faults_);  // without an order there are no edges
    join_writers();
    each_read([this](std::size_t t, const ListOperation& read) { join_reader(t, read); });
    join_real_time();
    find_cycle();
    return std::move(faults_);
  }

 private:
  static std::string name(std::size_t transaction) { return "T" + std::to_string(transaction); }
  static std::string place(std::uint32_t list) { return "list " + std::to_string(list); }

  void fault(std::string text) {
    if (faults_.size() < limit_) faults_.push_back(std::move(text));
  }

  template <class Call>
  void each_committed(Call&& call) {
    for (std::size_t t = 0; t < history_.size(); ++t)
      if (history_[t].is_committed) call(t);
  }

  template <class Call>
  void each_read(Call&& call) {
    each_committed([&](std::size_t t) {
      for (const ListOperation& operation : history_[t].operations)
        if (operation.kind == Kind::read) call(t, operation);
    });
  }

  void note_writers() {
    for (std::size_t t = 0; t < history_.size(); ++t) {
      std::map<std::uint32_t, std::uint32_t> last;  // number by list
      for (const ListOperation& operation : history_[t].operations) {
        if (operation.kind != Kind::append) continue;
        const auto [writer, is_new] = writers_.insert({operation.number, {t, operation.list}});
        if (!is_new) fault("number " + std::to_string(operation.number) + " was appended twice");
        if (const auto before = last.find(operation.list); before != last.end())
          writers_[before->second].is_last = false;
        last[operation.list] = operation.number;
      }
    }
  }

  /// Within a transaction a list changes by its own appends only, and these are seen.
  void check_own_view(std::size_t t) {
    struct Known {
      bool is_whole = false;
      Numbers numbers;
    };
    std::map<std::uint32_t, Known> lists;
    for (const ListOperation& operation : history_[t].operations) {
      Known& known = lists[operation.list];
      if (operation.kind == Kind::append) {
        known.numbers.push_back(operation.number);
        continue;
      }
      const Numbers& seen = operation.seen;
      const bool ends_alike =
          seen.size() >= known.numbers.size() &&
          std::equal(known.numbers.rbegin(), known.numbers.rend(), seen.rbegin());
      if (!ends_alike || (known.is_whole && seen.size() != known.numbers.size()))
        fault("internal: " + name(t) + " read " + place(operation.list) +
              " otherwise than it had read and written it before");
      known = {true, seen};
    }
  }

  /// Each number was committed, to this list, and the last one is all that its transaction appended.
  void check_numbers(std::size_t t, const ListOperation& read) {
    for (const std::uint32_t number : read.seen) {
      const auto found = writers_.find(number);
      const std::string what =
          name(t) + " read " + std::to_string(number) + " of " + place(read.list);
      if (found == writers_.end() || found->second.list != read.list) {
        fault("made up: " + what + ", to which nobody appended it");
        continue;
      }
      const Writer& writer = found->second;
      if (!history_[writer.transaction].is_committed)
        fault("dirty read: " + what + ", which " + name(writer.transaction) + " rolled back");
      if (number == read.seen.back() && !writer.is_last && writer.transaction != t)
        fault("intermediate read: " + what + ", behind which " + name(writer.transaction) +
              " appended more");
    }
  }

  void note_order(const ListOperation& read) {
    Numbers& order = orders_[read.list];
    if (read.seen.size() > order.size()) order = read.seen;
  }

  void check_order(std::size_t t, const ListOperation& read) {
    if (!is_prefix(read.seen, orders_[read.list]))
      fault("two orders: " + name(t) + " read " + place(read.list) +
            " as no beginning of what others read");
  }

  /// Reports each committed number that no reader saw, although a reader of the list began after the commit.
  void check_lost() {
    std::unordered_map<std::uint32_t, std::uint64_t> newest;  // by list, the beginning of a reader
    each_read([&](std::size_t t, const ListOperation& read) {
      std::uint64_t& began = newest[read.list];
      began = std::max(began, history_[t].began);
    });
    for (const auto& [list, order] : orders_)
      for (const std::uint32_t number : order) seen_.insert(number);
    each_committed([&](std::size_t t) {
      for (const ListOperation& operation : history_[t].operations)
        if (operation.kind == Kind::append && !seen_.contains(operation.number) &&
            newest[operation.list] > history_[t].ended)
          fault("lost update: nobody read " + std::to_string(operation.number) + ", which " +
                name(t) + " appended to " + place(operation.list));
    });
  }

  void join(std::size_t from, std::size_t to, const char* kind) {
    if (from != to) edges_.push_back({from, to, kind});
  }

  void join_writers() {
    for (const auto& [list, order] : orders_)
      for (std::size_t i = 1; i < order.size(); ++i)
        join(writers_[order[i - 1]].transaction, writers_[order[i]].transaction, "ww");
  }

  void join_reader(std::size_t t, const ListOperation& read) {
    const Numbers& order = orders_[read.list];
    const std::size_t seen = read.seen.size();
    if (seen > 0) join(writers_[order[seen - 1]].transaction, t, "wr");
    if (seen < order.size()) join(t, writers_[order[seen]].transaction, "rw");
  }

  /// The ends of transactions form a chain, so that few edges are needed. Each transaction has an edge to its place in
  /// the chain. The last place before the beginning of a transaction has an edge to this transaction.
  void join_real_time() {
    std::vector<std::size_t> ended;
    each_committed([&](std::size_t t) { ended.push_back(t); });
    std::ranges::sort(ended, {}, [&](std::size_t t) { return history_[t].ended; });
    const std::size_t chain = history_.size();
    for (std::size_t i = 0; i < ended.size(); ++i) {
      join(ended[i], chain + i, "rt");
      if (i > 0) join(chain + i - 1, chain + i, "rt");
    }
    each_committed([&](std::size_t t) {
      const auto behind = std::ranges::lower_bound(
          ended, history_[t].began, {}, [&](std::size_t other) { return history_[other].ended; });
      if (behind != ended.begin())
        join(chain + static_cast<std::size_t>(behind - ended.begin()) - 1, t, "rt");
    });
  }

  /// Removes nodes without incoming edges until none is left. The remaining nodes are on cycles or are reachable from
  /// cycles.
  void find_cycle() {
    const std::size_t nodes = 2 * history_.size();
    std::vector<std::size_t> incoming(nodes, 0);
    std::vector<std::size_t> first(nodes + 1, 0);  // of each node's outgoing edges
    std::ranges::sort(edges_, {}, &Edge::from);
    for (const Edge& edge : edges_) {
      ++incoming[edge.to];
      ++first[edge.from + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> free;
    for (std::size_t node = 0; node < nodes; ++node)
      if (incoming[node] == 0) free.push_back(node);
    for (std::size_t done = 0; done < free.size(); ++done)
      for (std::size_t e = first[free[done]]; e < first[free[done] + 1]; ++e)
        if (--incoming[edges_[e].to] == 0) free.push_back(edges_[e].to);
    if (free.size() < nodes) tell_cycle(incoming);
  }

  /// Each remaining node has an edge from another remaining node. Follows these edges backwards until a node comes for
  /// the second time.
  void tell_cycle(const std::vector<std::size_t>& incoming) {
    constexpr Edge none{std::numeric_limits<std::size_t>::max(), 0, ""};
    std::vector<Edge> back(incoming.size(), none);
    for (const Edge& edge : edges_)
      if (incoming[edge.from] > 0 && incoming[edge.to] > 0) back[edge.to] = edge;
    std::vector<bool> passed(incoming.size(), false);
    std::size_t at = static_cast<std::size_t>(
        std::ranges::find_if(incoming, [](std::size_t count) { return count > 0; }) -
        incoming.begin());
    while (!passed[at]) {
      passed[at] = true;
      at = back[at].from;
    }
    std::string text;
    const std::size_t end = at;
    do {
      const Edge& edge = back[at];
      // Nodes of the chain of ends are left out, because they mean nothing to a reader.
      if (edge.to < history_.size())
        text = std::string(" -") + edge.kind + "-> " + name(edge.to) + text;
      at = edge.from;
    } while (at != end);
    fault("cycle:" + text + " and from the beginning");
  }

  const std::vector<ListTransaction>& history_;
  const std::size_t limit_;
  std::vector<std::string> faults_;
  std::unordered_map<std::uint32_t, Writer> writers_;  // by number
  std::unordered_map<std::uint32_t, Numbers> orders_;  // by list
  std::unordered_set<std::uint32_t> seen_;             // the numbers in them
  std::vector<Edge> edges_;  // between transactions, and places of the chain of ends behind them
};

}  // namespace

std::vector<std::string> find_isolation_faults(const std::vector<ListTransaction>& history,
                                               std::size_t limit) {
  return Checker(history, limit).run();
}

}  // namespace cairn::test
