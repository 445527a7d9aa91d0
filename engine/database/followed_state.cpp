#include "engine/database/followed_state.hpp"

#include "codec/byte_io.hpp"
#include "engine/store/meta.hpp"

namespace cairn::engine {

// No place is noted: such a copy follows no home by itself.
Result<std::uint64_t> advance_followed(RocksStore& store,
                                       std::span<const codec::CommitRecord> records) {
  for (const codec::CommitRecord& record : records) CAIRN_TRY(store.apply(record.changes, {}));
  CAIRN_ASSIGN(const std::uint64_t commit, MetaReader(store).commit());
  if (commit == records.back().commit) return commit;
  return codec::corruption("the home has commits that do not follow each other");
}

}  // namespace cairn::engine
