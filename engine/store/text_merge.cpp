#include "engine/store/text_merge.hpp"

#include "codec/text_posting.hpp"

#include <optional>
#include <string_view>

namespace cairn::engine {
namespace {

/// RocksDB's bytes as ours; valid as long as they are.
std::string_view view(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

/// All operands as one, removals included; nullopt where one is damaged. By halves, as each joining
/// copies what it joins.
template <class Operands>
std::optional<codec::TextPostings> combine(const Operands& operands, std::size_t begin,
                                           std::size_t end) {
  if (end - begin == 0) return codec::TextPostings();
  if (end - begin == 1) {
    auto one = codec::decode_text_operand(view(operands[begin]));
    if (!one) return std::nullopt;
    return std::move(*one);
  }
  const std::size_t middle = begin + (end - begin) / 2;
  const auto first = combine(operands, begin, middle);
  const auto second = combine(operands, middle, end);
  if (!first || !second) return std::nullopt;
  return codec::apply_text_changes(*first, *second, true);
}

/// Safe beside snapshots: an empty chunk and no chunk mean the same to every reader.
class EmptyTextFilter final : public rocksdb::CompactionFilter {
 public:
  const char* Name() const override { return "cairn.EmptyTextFilter"; }
  bool Filter(int, const rocksdb::Slice&, const rocksdb::Slice& value, std::string*,
              bool*) const override {
    return value.empty();
  }
};

}  // namespace

bool TextMerge::FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const {
  codec::TextPostings postings;
  if (in.existing_value != nullptr) {
    auto existing = codec::decode_text_chunk(view(*in.existing_value));
    if (!existing) return false;
    postings = std::move(*existing);
  }
  const auto changes = combine(in.operand_list, 0, in.operand_list.size());
  if (!changes) return false;
  out->new_value = codec::encode_text_chunk(codec::apply_text_changes(postings, *changes, false));
  return true;
}

bool TextMerge::PartialMergeMulti(const rocksdb::Slice&, const std::deque<rocksdb::Slice>& operands,
                                  std::string* result, rocksdb::Logger*) const {
  const auto changes = combine(operands, 0, operands.size());
  if (!changes) return false;
  *result = codec::encode_text_operand(*changes);
  return true;
}

const rocksdb::CompactionFilter* empty_text_filter() {
  static const EmptyTextFilter filter;  // without state, shared by all stores
  return &filter;
}

}  // namespace cairn::engine
