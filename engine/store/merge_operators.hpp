#pragma once
// How the store folds changes of postings into them. Private to this folder.

#include <rocksdb/compaction_filter.h>
#include <rocksdb/merge_operator.h>

#include <deque>
#include <string>

namespace cairn::engine {

/// Operands are codec posting deltas, values are codec postings; a damaged one fails the merge.
class PostingMerge final : public rocksdb::MergeOperator {
 public:
  bool FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const override;
  bool PartialMergeMulti(const rocksdb::Slice& key, const std::deque<rocksdb::Slice>& operands,
                         std::string* result, rocksdb::Logger* logger) const override;
  const char* Name() const override { return "cairn.PostingMerge"; }
};

/// Drops postings without ids, which stay behind when the last record leaves a value.
[[nodiscard]] const rocksdb::CompactionFilter* empty_posting_filter();

/// Operands are codec text operands, values are codec text chunks; a damaged one fails the merge.
class TextMerge final : public rocksdb::MergeOperator {
 public:
  bool FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const override;
  bool PartialMergeMulti(const rocksdb::Slice& key, const std::deque<rocksdb::Slice>& operands,
                         std::string* result, rocksdb::Logger* logger) const override;
  const char* Name() const override { return "cairn.TextMerge"; }
};

/// Drops chunks that no document is left in.
[[nodiscard]] const rocksdb::CompactionFilter* empty_text_filter();

}  // namespace cairn::engine
