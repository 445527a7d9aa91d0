#include "engine/database/followed_state.hpp"

#include "codec/byte_io.hpp"
#include "engine/store/meta.hpp"

namespace cairn::engine {

// Stores no log position in the copy: only the caller makes the copy follow a home.
FollowedAdvance advance_followed(RocksStore& store, std::span<const codec::CommitRecord> records) {
  FollowedAdvance done;
  for (const codec::CommitRecord& record : records) {
    done.status = store.apply(record.changes, {});
    if (!done.status) return done;
    ++done.records;
  }
  const auto commit = MetaReader(store).commit();
  if (!commit)
    done.status = commit.error();
  else if (*commit != records.back().commit)
    done.status = codec::corruption(
        "the copy of the home ends at commit " + std::to_string(*commit) +
        ", but the last record of the home is of commit " + std::to_string(records.back().commit));
  return done;
}

}  // namespace cairn::engine
