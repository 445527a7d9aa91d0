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
    done.status = codec::corruption("the home has commits that do not follow each other");
  return done;
}

}  // namespace cairn::engine
