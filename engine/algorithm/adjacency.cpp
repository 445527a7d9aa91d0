// transposed() is a counting sort: it counts the entries of each new list, sums the counts to offsets, and then places each
// entry. Sources are visited in ascending order, so the new lists are sorted without a comparison.
#include "engine/algorithm/adjacency.hpp"

#include <cstdint>
#include <utility>

namespace cairn::engine {
Status Adjacency::begin(std::size_t nodes) {
  CAIRN_TRY(offsets_.reserve(nodes + 1));
  return offsets_.push_back(0);
}

Status Adjacency::lay_out(std::size_t nodes, std::size_t entries, bool with_weights) {
  CAIRN_TRY(offsets_.resize(nodes + 1, 0));
  CAIRN_TRY(neighbours_.resize(entries));
  return with_weights ? weights_.resize(entries) : Status();
}

// While entries are placed, offsets_[n + 1] is where the next entry of n goes. After the last entry
// of n, offsets_[n + 1] is the end of the list of n, as required.
Result<Adjacency> Adjacency::transposed(Limits& limits) const {
  Adjacency turned(limits);
  CAIRN_TRY(turned.lay_out(nodes(), entries(), has_weights()));
  Array<std::size_t>& place = turned.offsets_;
  Pace pace(&limits);
  for (std::size_t i = 0; i < entries(); ++i) {
    const std::size_t after_next = std::size_t{neighbours_[i]} + 2;
    if (after_next < place.size()) ++place[after_next];
    if (pace.is_due(entry_bytes)) CAIRN_TRY(pace.look());
  }
  for (std::size_t i = 2; i < place.size(); ++i) place[i] += place[i - 1];
  for (std::size_t node = 0; node < nodes(); ++node) {
    const List from = list(node);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::size_t at = place[std::size_t{from.neighbours[i]} + 1]++;
      turned.neighbours_[at] = static_cast<std::uint32_t>(node);
      if (has_weights()) turned.weights_[at] = from.weights[i];
    }
    if (pace.is_due(entry_bytes * (1 + from.size()))) CAIRN_TRY(pace.look());
  }
  return turned;
}

// Appends the outgoing and the incoming entries of each node, and transposes the result, which sorts the lists. Transposing
// does not change a symmetric graph otherwise.
Result<Adjacency> Adjacency::undirected(Limits& limits) const {
  CAIRN_ASSIGN(const Adjacency back, transposed(limits));
  Adjacency both(limits);
  CAIRN_TRY(both.begin(nodes()));
  Pace pace(&limits);
  for (std::size_t node = 0; node < nodes(); ++node) {
    for (const bool forward : {true, false}) {
      const List from = forward ? list(node) : back.list(node);
      for (std::size_t i = 0; i < from.size(); ++i) {
        if (!forward && from.neighbours[i] == node) continue;
        CAIRN_TRY(both.add(from.neighbours[i]));
        if (has_weights()) CAIRN_TRY(both.add_weight(from.weights[i]));
      }
      if (pace.is_due(entry_bytes * (1 + from.size()))) CAIRN_TRY(pace.look());
    }
    CAIRN_TRY(both.end_list());
  }
  return both.transposed(limits);
}

Result<Adjacency> Adjacency::simplified(Limits& limits) const {
  Adjacency simple(limits);
  CAIRN_TRY(simple.begin(nodes()));
  Pace pace(&limits);
  for (std::size_t node = 0; node < nodes(); ++node) {
    const List from = list(node);
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from.neighbours[i] == node) continue;
      if (i > 0 && from.neighbours[i] == from.neighbours[i - 1]) {
        if (has_weights() && from.weights[i] < simple.weights_.back())
          simple.weights_.back() = from.weights[i];
        continue;
      }
      CAIRN_TRY(simple.add(from.neighbours[i]));
      if (has_weights()) CAIRN_TRY(simple.add_weight(from.weights[i]));
    }
    CAIRN_TRY(simple.end_list());
    if (pace.is_due(entry_bytes * (1 + from.size()))) CAIRN_TRY(pace.look());
  }
  return simple;
}

}  // namespace cairn::engine
