// adj_out    node 8 | type 4 | other 8 | relationship 8        a key an end, no value
// adj_in     the same from the target's side
//
// A node's relationships lie side by side, sorted by type: expanding is one scan of a prefix and
// reads no record. A transaction's own changes are a sorted map over the same keys, merged key by
// key; nothing is sorted here, and both ends of the merge are lazy, so a limit ends the scan early.
//
// Cost: a seek for each direction and type, then a few dozen bytes a relationship. With `other` but
// without types the node's whole adjacency is read and filtered.
#include "engine/graph/adjacency_reader.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

/// Decides which entries of one direction belong into the answer.
class Collector {
 public:
  Collector(const AdjacencyReader::Request& request, bool outgoing, std::vector<Adjacent>& out)
      : request_(request), outgoing_(outgoing), out_(out) {}

  Status add(std::string_view key) {
    CAIRN_ASSIGN(const codec::AdjacencyKey entry, codec::decode_adjacency_key(key));
    if (request_.other && entry.other != *request_.other) return {};
    // A loop is in both families and counts as outgoing.
    const bool is_loop = entry.other == entry.node;
    if (is_loop && !outgoing_ && request_.direction == Direction::both) return {};
    out_.push_back({entry.relationship, entry.type, entry.other, outgoing_ || is_loop});
    return {};
  }

 private:
  const AdjacencyReader::Request& request_;
  bool outgoing_;
  std::vector<Adjacent>& out_;
};

}  // namespace

Status AdjacencyReader::read(const Request& request, std::vector<Adjacent>& out) const {
  if (request.direction != Direction::incoming) CAIRN_TRY(read_direction(request, true, out));
  if (request.direction != Direction::outgoing) CAIRN_TRY(read_direction(request, false, out));
  return {};
}

Status AdjacencyReader::read_direction(const Request& request, bool outgoing,
                                       std::vector<Adjacent>& out) const {
  if (request.types.empty()) {
    return read_prefix(codec::adjacency_prefix(request.node), request, outgoing, out);
  }
  std::vector<std::uint32_t> types(request.types.begin(), request.types.end());
  // Ascending, as the answer promises, and each once, or relationships would come twice.
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  for (const std::uint32_t type : types) {
    const std::string prefix = request.other
                                   ? codec::adjacency_prefix(request.node, type, *request.other)
                                   : codec::adjacency_prefix(request.node, type);
    CAIRN_TRY(read_prefix(prefix, request, outgoing, out));
  }
  return {};
}

Status AdjacencyReader::read_prefix(const std::string& prefix, const Request& request,
                                    bool outgoing, std::vector<Adjacent>& out) const {
  static const WriteSet::Changes none;
  const Family family = outgoing ? Family::adj_out : Family::adj_in;
  const WriteSet::Changes& changes = write_set_ == nullptr ? none : write_set_->changes(family);
  auto own = changes.lower_bound(prefix);
  const auto own_left = [&] { return own != changes.end() && own->first.starts_with(prefix); };
  Collector collector(request, outgoing, out);
  Cursor stored = store_->scan_prefix(family, prefix, snapshot_);
  // Two ascending lists, merged; of two equal keys the transaction's own decides.
  while ((stored.valid() || own_left()) && out.size() < request.limit) {
    if (stored.valid() && (!own_left() || stored.key() < own->first)) {
      CAIRN_TRY(collector.add(stored.key()));
      stored.next();
      continue;
    }
    if (stored.valid() && stored.key() == own->first) stored.next();
    if (own->second) CAIRN_TRY(collector.add(own->first));
    ++own;
  }
  return stored.status();
}

}  // namespace cairn::engine
