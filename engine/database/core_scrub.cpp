// The parts of a scrub (scrub.cpp) that need members of the core: snapshots that readers hold, vector segments without
// erased vectors, and erasing empty postings.
#include "codec/posting.hpp"
#include "engine/database/core.hpp"
#include "engine/segment/segment_set.hpp"

namespace cairn::engine {

std::uint64_t Core::newest_snapshot() const {
  const std::lock_guard lock(publish_mutex_);
  return held_.newest();
}

std::vector<HeldSnapshot> Core::held_before(std::uint64_t snapshot) {
  const std::lock_guard lock(publish_mutex_);
  return held_.before(snapshot);
}

// Readers and commits treat an empty posting like a missing one. A new state must be published: compactions preserve
// everything that the snapshot of the published state sees, so the old one would protect the erased keys.
Status Core::erase_emptied(Family family, const std::vector<std::string>& keys) {
  const std::lock_guard no_commit(commit_mutex_);
  if (failure_) return *failure_;
  CAIRN_ASSIGN(const auto values, store_->multi_get(family, keys, nullptr));
  StoreBatch batch(*store_);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!values[i]) continue;
    bool is_empty = values[i]->empty();
    if (family == Family::index) {
      CAIRN_ASSIGN(const auto posting, codec::decode_posting_of(keys[i], *values[i]));
      is_empty = posting.cardinality() == 0;
    }
    if (is_empty) batch.erase(family, keys[i]);
  }
  if (batch.size() == 0) return {};
  return write_between_commits(batch, WriteMode::async);
}

// Each segment is rebuilt once; vectors that are erased meanwhile are left to the next scrub. The maintenance thread waits:
// it would extend the segment that is being replaced.
Result<std::uint64_t> Core::scrub_vectors(const std::stop_token& cancel) {
  BuildThreads workers;
  if (cancel.stop_possible()) workers = [&cancel] { return cancel.stop_requested(); };
  std::uint64_t built = 0;
  {
    ++hurried_;
    const std::lock_guard one_at_a_time(sealing_mutex_);
    --hurried_;
    std::vector<VectorIndexManager::Sealing> sealings;
    {
      const auto lock = vectors_.lock();
      CAIRN_TRY(check_published());
      sealings = vectors_.forgetful();
    }
    for (VectorIndexManager::Sealing& sealing : sealings) {
      CAIRN_TRY(build(sealing, workers));
      const auto lock = vectors_.lock();
      CAIRN_TRY(check_published());
      vectors_.adopt(sealing);
      republish_vectors();
      share_memory();
      ++built;
    }
  }
  CAIRN_TRY(save_vectors());
  const std::lock_guard nothing_is_saved(sealing_mutex_);
  const auto lock = vectors_.lock();
  CAIRN_TRY(vectors_.erase_other_files());
  return built;
}

// Segments have the values of an older commit, including values that were erased since. Segments that are built from
// now on have no erased values.
Status Core::scrub_segments() { return segment_files_.erase_all(*state()->segments); }

}  // namespace cairn::engine
