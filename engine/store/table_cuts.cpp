// Cuts the output of a compaction. A table ends as soon as the next key is in another range, or in a gap between
// ranges.
#include "engine/store/table_cuts.hpp"

#include <rocksdb/slice.h>

#include <cstddef>
#include <string_view>
#include <utility>

namespace cairn::engine {
namespace {

/// The partitioner of one compaction, which passes keys in ascending order.
class RangePartitioner final : public rocksdb::SstPartitioner {
 public:
  explicit RangePartitioner(std::shared_ptr<const std::vector<TableRange>> ranges)
      : ranges_(std::move(ranges)) {}
  const char* Name() const override { return "cairn.RangePartitioner"; }

  /// Ends a table if the next key is in another region than the previous one.
  rocksdb::PartitionerResult ShouldPartition(const rocksdb::PartitionerRequest& request) override {
    const std::size_t before = region_of(*request.prev_user_key);
    return region_of(*request.current_user_key) == before ? rocksdb::kNotRequired
                                                          : rocksdb::kRequired;
  }
  bool CanDoTrivialMove(const rocksdb::Slice& /*first*/, const rocksdb::Slice& /*last*/) override {
    return true;
  }

 private:
  /// The region of a key: an odd number for a range, an even number for a gap.
  std::size_t region_of(const rocksdb::Slice& key) {
    const std::string_view text(key.data(), key.size());
    while (next_ < ranges_->size() && (*ranges_)[next_].last < text) ++next_;
    const bool is_within = next_ < ranges_->size() && (*ranges_)[next_].first <= text;
    return 2 * next_ + (is_within ? 1 : 0);
  }

  std::shared_ptr<const std::vector<TableRange>> ranges_;  // owners: this and the factory
  std::size_t next_ = 0;  // the first range that does not end before the last key
};

}  // namespace

std::unique_ptr<rocksdb::SstPartitioner> TableCuts::CreatePartitioner(
    const rocksdb::SstPartitioner::Context& /*context*/) const {
  const std::lock_guard lock(mutex_);
  if (ranges_ == nullptr) return nullptr;
  return std::make_unique<RangePartitioner>(ranges_);
}

void TableCuts::set(std::vector<TableRange> ranges) {
  auto next =
      ranges.empty() ? nullptr : std::make_shared<const std::vector<TableRange>>(std::move(ranges));
  const std::lock_guard lock(mutex_);
  ranges_ = std::move(next);
}

}  // namespace cairn::engine
