// The merge operator of `index`. A commit that adds a node to a posting writes a few bytes and
// reads nothing; the chunk comes together when it is read, flushed or compacted. Its rules:
//
// full merge      posting, operand, operand, ...  ->  posting
// partial merge   operand, operand, ...           ->  operand
//
// Both give what applying the operands one by one would give, in whatever groups RocksDB forms
// (codec::combine is associative). Called on reading threads and on RocksDB's own, at any time and
// twice for the same operands: no state, and no exception may leave. `false` fails the read or the
// compaction with corruption: damage is never merged away.
#include "codec/posting.hpp"
#include "engine/store/merge_operators.hpp"
#include "engine/store/slice_view.hpp"

#include <optional>
#include <string_view>

namespace cairn::engine {
namespace {

/// `all` followed by `next`. The ids of a load ascend from operand to operand: they are appended.
void follow_with(codec::PostingDelta& all, codec::PostingDelta next) {
  const bool only_adds = all.removed.empty() && next.removed.empty();
  const bool is_behind =
      all.added.empty() || next.added.empty() || all.added.back() < next.added.front();
  if (only_adds && is_behind)
    all.added.insert(all.added.end(), next.added.begin(), next.added.end());
  else
    all = codec::combine(all, next);
}

/// All operands as one change; nullopt where one is damaged.
/// No operands are no change.
template <class Operands>
std::optional<codec::PostingDelta> combine_all(const Operands& operands) {
  codec::PostingDelta all;
  for (const rocksdb::Slice& operand : operands) {
    auto next = codec::decode_posting_delta(view(operand));
    if (!next) return std::nullopt;
    follow_with(all, *std::move(next));
  }
  return all;
}

// Compactions alone ask it, never reads, and of whole values only, never of operands.
/// Safe beside snapshots: an empty posting and no posting mean the same to every reader.
class EmptyPostingFilter final : public rocksdb::CompactionFilter {
 public:
  const char* Name() const override { return "cairn.EmptyPostingFilter"; }
  bool Filter(int, const rocksdb::Slice&, const rocksdb::Slice& value, std::string*,
              bool*) const override {
    if (value.size() > 1) return false;  // one byte is the mark of a small posting without ids
    const auto posting = codec::decode_posting(view(value));
    return posting.has_value() && posting->cardinality() == 0;
  }
};

}  // namespace

bool PostingMerge::FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const {
  codec::Container container;
  if (in.existing_value != nullptr) {
    auto existing = codec::decode_posting(view(*in.existing_value));
    if (!existing) return false;
    container = std::move(*existing);
  }
  // One change in the end: applying each operand to a bitmap of 8 KiB would cost more than joining
  // the few ids that they hold.
  const auto change = combine_all(in.operand_list);
  if (!change) return false;
  container.apply(change->added, change->removed);
  out->new_value = codec::encode_posting(container);
  return true;
}

bool PostingMerge::PartialMergeMulti(const rocksdb::Slice&,
                                     const std::deque<rocksdb::Slice>& operands,
                                     std::string* result, rocksdb::Logger*) const {
  const auto change = combine_all(operands);
  if (!change) return false;
  *result = codec::encode_posting_delta(*change);
  return true;
}

const rocksdb::CompactionFilter* empty_posting_filter() {
  static const EmptyPostingFilter filter;  // without state, shared by all stores
  return &filter;
}

}  // namespace cairn::engine
