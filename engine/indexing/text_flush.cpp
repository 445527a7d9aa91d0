#include "codec/text_posting.hpp"
#include "engine/indexing/text_indexing_state.hpp"
#include "engine/store/rocks_store.hpp"

#include <string>

namespace cairn::engine {
namespace {

Result<SortedFile> write_file_of(const RocksStore& store, std::uint32_t id,
                                 const std::vector<TextSegmentPtr>& segments) {
  CAIRN_ASSIGN(SortedFile file,
               SortedFile::create(store, Family::text, "text" + std::to_string(id)));
  for (SegmentMerge merge(segments); merge.valid(); merge.next()) {
    const std::string key = codec::text_chunk_key(id, merge.name(), merge.chunk());
    if (merge.operands().size() == 1) {
      CAIRN_TRY(file.merge(key, merge.operands().front()));
      continue;
    }
    CAIRN_ASSIGN(const std::string merged, codec::merge_text_operands(merge.operands()));
    CAIRN_TRY(file.merge(key, merged));
  }
  CAIRN_TRY(file.finish());
  return file;
}

}  // namespace

// Where no thread can be had the work is done by who waits for it.
TextFlush::TextFlush(const RocksStore& store, std::uint32_t id,
                     std::vector<TextSegmentPtr> segments)
    : segments_(segments.size()),
      file_(std::async(
          std::launch::async | std::launch::deferred,
          [&store, id, all = std::move(segments)] { return write_file_of(store, id, all); })) {}

}  // namespace cairn::engine
