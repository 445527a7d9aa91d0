#pragma once
// The merge operators and compaction filters of posting lists. Private to this folder.

#include <rocksdb/compaction_filter.h>
#include <rocksdb/merge_operator.h>

#include <deque>
#include <string>

namespace cairn::engine {

/// For the family `index`. Operands are posting deltas of the codec, values are postings. A damaged operand or value
/// fails the merge.
class PostingMerge final : public rocksdb::MergeOperator {
 public:
  bool FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const override;
  bool PartialMergeMulti(const rocksdb::Slice& key, const std::deque<rocksdb::Slice>& operands,
                         std::string* result, rocksdb::Logger* logger) const override;
  const char* Name() const override { return "cairn.PostingMerge"; }
};

/// Drops postings without ids, which remain after the last record with a value was removed.
[[nodiscard]] const rocksdb::CompactionFilter* empty_posting_filter();

/// For the family `text`. Operands are text operands of the codec, values are text chunks. A damaged operand or value
/// fails the merge.
class TextMerge final : public rocksdb::MergeOperator {
 public:
  bool FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const override;
  bool PartialMergeMulti(const rocksdb::Slice& key, const std::deque<rocksdb::Slice>& operands,
                         std::string* result, rocksdb::Logger* logger) const override;
  const char* Name() const override { return "cairn.TextMerge"; }
};

/// Drops chunks that contain no document.
[[nodiscard]] const rocksdb::CompactionFilter* empty_text_filter();

}  // namespace cairn::engine
