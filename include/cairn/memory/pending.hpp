#pragma once
// Pending vectors: records that were written while their embedder was unavailable.
//
//     CAIRN_ASSIGN(const memory::PendingReport report, memory::embed_pending(database, *vectors));
//     std::cout << report.embedded << " vectors made, " << report.left << " pending\n";
//
// Such a record has the property `embedding_pending` instead of a vector, from the commit that
// writes its text to the commit that writes its vector. Searches find it by its words.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// The name of the vector index of a memory's records.
inline constexpr std::string_view embedding_index = "memory_embedding";
/// The property of records whose vector is pending; its value is true.
inline constexpr std::string_view pending_name = "embedding_pending";

/// Options of embed_pending().
struct PendingOptions {
  std::size_t batch = 64;  ///< records of one call of the embedder, and of one commit; at least 1
  /// The most records to embed.
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::string index = {};       ///< only records of this vector index; empty: of all
  std::stop_token cancel = {};  ///< ends between two batches, without an error
  /// Called after each commit with the number of vectors that were made.
  std::function<void(std::uint64_t made)> progress = {};
};

/// What embed_pending() did.
struct PendingReport {
  std::uint64_t embedded = 0;  ///< records whose vector was written
  std::uint64_t changed = 0;   ///< records that were changed or erased meanwhile
  std::uint64_t left = 0;      ///< records that are pending at the end
  /// Texts that the model refuses, and a model that the index learns now.
  std::vector<std::string> warnings = {};
};

/// Makes the vectors of pending records of `memory_embedding` and of the chunks of `cairn ingest`,
/// in all namespaces and in the order of their ids.
///
/// A record gets the vector of the text that it has at the commit: a record whose text has changed
/// since it was read stays pending. Each batch is one commit, so a call that ends early, even by a
/// kill, loses at most the vectors of one batch; the next call continues the work. If the model
/// refuses some texts of a batch and makes vectors of others, the refused texts stay pending.
/// Hidden records stay pending until they are restored. Errors: those of the embedder if it makes
/// no vector of a batch; invalid_argument with both names if the index has vectors of another
/// model; those of a commit. Vectors that were committed before an error stay. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<PendingReport> embed_pending(Database& database,
                                                               const Embedder& embedder,
                                                               const PendingOptions& options = {});

/// Returns the number of visible records whose vector is pending, in all namespaces.
/// Cost: a look-up in an index for each namespace.
[[nodiscard]] CAIRN_EXPORT Result<std::uint64_t> count_pending(const Snapshot& snapshot);

}  // namespace cairn::memory
