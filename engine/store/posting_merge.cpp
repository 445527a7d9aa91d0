// The merge operator of the family `index`. A commit that adds a node to a posting writes a few bytes and reads
// nothing. The chunk is assembled when it is read, flushed or compacted:
//
// full merge      posting, operand, operand, ...  ->  posting
// partial merge   operand, operand, ...           ->  operand
//
// The result does not depend on how RocksDB groups the operands, because codec::combine is associative. RocksDB calls
// the operator on reading threads and on its own threads, at any time, and repeatedly with the same operands. So it
// has no state and must not throw. The result `false` makes the read or the compaction fail with corruption, so that
// damage is never merged into good data.
#include "codec/posting.hpp"
#include "engine/store/merge_operators.hpp"
#include "engine/store/slice_view.hpp"

#include <optional>
#include <string_view>

namespace cairn::engine {
namespace {

/// Adds the change `next` to `all`. In a bulk load the ids of operands ascend, so they can be appended.
void follow_with(codec::PostingDelta& all, codec::PostingDelta next) {
  const bool only_adds = all.removed.empty() && next.removed.empty();
  const bool is_behind =
      all.added.empty() || next.added.empty() || all.added.back() < next.added.front();
  if (only_adds && is_behind)
    all.added.insert(all.added.end(), next.added.begin(), next.added.end());
  else
    all = codec::combine(all, next);
}

/// Combines all operands into one change; nullopt if one is damaged. Without operands the change is empty.
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

/// Drops empty postings. Only compactions use the filter, never reads, and it gets only values, never operands.
/// It is safe even if snapshots exist: an empty posting and a missing one mean the same to readers.
class EmptyPostingFilter final : public rocksdb::CompactionFilter {
 public:
  const char* Name() const override { return "cairn.EmptyPostingFilter"; }
  bool Filter(int, const rocksdb::Slice&, const rocksdb::Slice& value, std::string*,
              bool*) const override {
    if (value.size() > 1) return false;  // a small posting without ids is a single byte
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
  // Combines the operands first: applying each of them to a bitmap of 8 KiB would cost more than merging their few ids.
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
  static const EmptyPostingFilter filter;  // stateless, so all stores share it
  return &filter;
}

}  // namespace cairn::engine
