// The merge operator of the family `text`, with the same rules as that of `index` (posting_merge.cpp). Operands are
// changes of the documents of a chunk, values are chunks. A deletion is a document with frequency 0. A partial merge
// preserves it, because the chunk below may contain the document; a full merge drops it.
//
// This merge costs more than that of a posting, because a chunk is decoded, changed and encoded again. So a commit
// does not write operands for each term. It writes a segment of the log of the text index, and operands are written
// in bundles when the log is flushed (engine/indexing/text_commit.cpp).
#include "codec/text_posting.hpp"
#include "engine/store/merge_operators.hpp"
#include "engine/store/slice_view.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

/// Combines all operands into one change; nullopt if one is damaged.
template <class Operands>
std::optional<codec::TextPostings> combine(const Operands& operands) {
  std::vector<std::string_view> views;
  views.reserve(operands.size());
  for (const rocksdb::Slice& operand : operands) views.push_back(view(operand));
  auto joined = codec::join_text_operands(views);
  if (!joined) return std::nullopt;
  return std::move(*joined);
}

/// Drops empty chunks. This is safe even if snapshots exist: an empty chunk and a missing one mean the same to readers.
class EmptyTextFilter final : public rocksdb::CompactionFilter {
 public:
  const char* Name() const override { return "cairn.EmptyTextFilter"; }
  bool Filter(int, const rocksdb::Slice&, const rocksdb::Slice& value, std::string*,
              bool*) const override {
    return value.empty();
  }
};

}  // namespace

// Damaged bytes return false, which RocksDB reports as corruption of the key.
bool TextMerge::FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const {
  codec::TextPostings postings;
  if (in.existing_value != nullptr) {
    auto existing = codec::decode_text_chunk(view(*in.existing_value));
    if (!existing) return false;
    postings = std::move(*existing);
  }
  const auto changes = combine(in.operand_list);
  if (!changes) return false;
  out->new_value = codec::encode_text_chunk(codec::apply_text_changes(postings, *changes, false));
  return true;
}

bool TextMerge::PartialMergeMulti(const rocksdb::Slice&, const std::deque<rocksdb::Slice>& operands,
                                  std::string* result, rocksdb::Logger*) const {
  const auto changes = combine(operands);
  if (!changes) return false;
  *result = codec::encode_text_operand(*changes);
  return true;
}

const rocksdb::CompactionFilter* empty_text_filter() {
  static const EmptyTextFilter filter;  // stateless, so all stores share it
  return &filter;
}

}  // namespace cairn::engine
