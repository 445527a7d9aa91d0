#pragma once
// VectorIndex: nearest neighbours of one vector index. The writer applies committed vectors and
// publishes immutable states; readers search the state that they hold.
//
// A state is one sealed segment (an HNSW graph that is immutable once published) and a delta of
// later changes, which is scanned exactly. Tombstones hide vectors of the segment that were
// replaced or erased later. A state is derived from the column family `vectors` and can be rebuilt
// from it.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/vector/build_threads.hpp"
#include "engine/vector/neighbors.hpp"

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Metric and build parameters of a vector index.
struct VectorIndexOptions {
  std::uint32_t dimension = 0;  ///< 1 to 4,096
  codec::Metric metric = codec::Metric::cosine;
  std::uint32_t m = 16;                 ///< links of a slot on each level of the graph: 2 to 512
  std::uint32_t ef_construction = 100;  ///< candidates while building: 1 to 4,096
  /// Threads of a build. With one, builds are reproducible.
  std::uint32_t background_threads = 1;
  /// Completes a loaded segment at once, for a reader that never builds segments.
  bool finishes_on_load = false;
  /// What is held in memory besides the graph, once the segment is in a file. Before that, and if
  /// the graph stores floats (see README.md), the full vectors are held.
  codec::VectorStorage storage = codec::VectorStorage::float32;
  /// Maps the vectors although `storage` is float32, because memory is short.
  bool maps_rows = false;
};

/// One committed change: the new vector of an entity, or nullopt if it has no vector any more.
struct VectorChange {
  std::uint64_t entity = 0;
  std::optional<std::vector<float>> vector;
};

/// How a segment is searched.
enum class SearchStrategy : std::uint8_t {
  exact,       ///< compares every selected vector
  flat,        ///< scans the codes of every selected vector and compares the best
  partitions,  ///< works like `flat`, but only on partitions near the query
  graph,       ///< searches the HNSW graph and filters while searching
};

/// One search. The query must pass check_vector().
struct VectorSearch {
  std::span<const float> query;
  std::size_t k = 10;
  bool exact = false;  ///< compares every allowed vector
  /// Candidates of a graph search; 0 chooses by `recall`. Other strategies aim at the recall that a graph search with
  /// this number reaches.
  std::size_t ef_search = 0;
  const codec::Bitmap* allowed = nullptr;  ///< nullptr allows all
  Accuracy recall = Accuracy::standard;
  /// Cuts: hits with a lower score, or with a greater distance (see Similarity), are left out. With
  /// `exact` and a great `k`, all vectors within the cuts are found.
  std::optional<double> min_score = std::nullopt;
  std::optional<double> within = std::nullopt;
  /// A strategy to use if possible, instead of the cheapest. For tests and measurements.
  std::optional<SearchStrategy> strategy = std::nullopt;
};

/// Memory of a vector index in bytes.
struct VectorMemory {
  std::size_t rows = 0;        ///< full vectors, if not in the graph
  std::size_t halves = 0;      ///< float16 copies
  std::size_t graph = 0;       ///< links, and 8-bit codes or full vectors
  std::size_t codes = 0;       ///< 4-bit and 1-bit codes, bounds of 8-bit codes
  std::size_t partitions = 0;  ///< means, assignments, residual codes
  std::size_t ids = 0;         ///< entity of each slot
  std::size_t delta = 0;       ///< changes since the seal
  /// Full vectors that are mapped from a file. Not included in total().
  std::size_t mapped = 0;

  [[nodiscard]] std::size_t total() const noexcept {
    return rows + halves + graph + codes + partitions + ids + delta;
  }
};

/// An immutable state of a vector index. Threads: any number may search at once, without locks.
class VectorState {
 public:
  virtual ~VectorState() = default;
  /// Searches for the nearest neighbours. Returns exactly min(k, number of allowed vectors) hits,
  /// minus those that are cut, best first, equal scores in ascending order of ids. Scores: see
  /// distance.hpp.
  ///
  /// Errors: those of check_vector().
  [[nodiscard]] Result<Neighbors> search(const VectorSearch& search) const;
  /// Runs several searches with the same `allowed`. Each result equals that of search(), bit for
  /// bit, but the filter is converted once and scanned memory is read once for all.
  [[nodiscard]] virtual Result<std::vector<Neighbors>> search_all(
      std::span<const VectorSearch> searches) const = 0;
  /// Number of entities with a vector.
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  /// The entities with a vector. Cost: a pass over all of them.
  [[nodiscard]] virtual codec::Bitmap entities() const = 0;
  /// The newest change that the state contains.
  [[nodiscard]] virtual std::uint64_t sequence() const noexcept = 0;
  [[nodiscard]] virtual VectorMemory memory() const noexcept = 0;
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory().total(); }
  /// The vector of an entity in stored form, which is normalised under cosine; nullopt if it has
  /// none.
  [[nodiscard]] virtual std::optional<std::vector<float>> find(std::uint64_t entity) const = 0;
};

/// The writer's side of one index. Threads: state(), save(), map_rows() and the const queries from
/// any thread; all other functions from one thread at a time, except build_segment().
class VectorIndex {
 public:
  using StatePtr = std::shared_ptr<const VectorState>;  // owners: the index and snapshots

  /// Makes an empty index. Errors: invalid_argument if an option is out of range.
  [[nodiscard]] static Result<std::unique_ptr<VectorIndex>> make(const VectorIndexOptions& options);
  virtual ~VectorIndex() = default;

  [[nodiscard]] virtual StatePtr state() const = 0;
  /// Applies the changes of one commit and publishes a state with this `sequence`. Never fails for
  /// checked vectors. If an entity is changed several times, the last change counts. Cost:
  /// proportional to the changes.
  virtual void apply(std::span<const VectorChange> changes, std::uint64_t sequence) = 0;
  /// True if a new segment should be built: the delta has grown large, or the loaded segment lacks
  /// its tables and so compares every vector until build_segment() has made them.
  [[nodiscard]] virtual bool wants_seal() const noexcept = 0;
  /// True if the delta is several times larger than wants_seal() requires, so that the building
  /// thread must hurry. Threads: any.
  [[nodiscard]] virtual bool is_overdue() const noexcept = 0;
  /// Builds a segment of everything in `from`. Slow, but changes nothing that is published, so it
  /// may run in another thread while apply() continues. Uses options.background_threads threads,
  /// whatever `workers` says. Errors: cancelled, resource_limit.
  [[nodiscard]] virtual Result<std::shared_ptr<const void>> build_segment(
      const StatePtr& from, const BuildThreads& workers) const = 0;
  /// Number of vectors in the segment that were erased or replaced. They still hold the graph
  /// together and are saved with it. Threads: any.
  [[nodiscard]] virtual std::size_t forgotten() const noexcept = 0;
  /// Like build_segment(), but builds the graph from scratch, without erased and replaced vectors. Cost: a
  /// build of all vectors.
  [[nodiscard]] virtual Result<std::shared_ptr<const void>> build_afresh(
      const StatePtr& from, const BuildThreads& workers) const = 0;
  /// Publishes a built segment. Changes that were applied since its build began stay in the delta.
  /// The segment is dropped if another one was adopted or loaded since then.
  virtual void adopt_segment(std::shared_ptr<const void> segment) = 0;
  /// Writes the sealed segment to `file` (new name, fsync, rename). The header contains the
  /// database id (32 hexadecimal digits), the index id, and the sequence up to which the segment is
  /// complete. The delta is not written. Threads: any.
  [[nodiscard]] virtual Status save(const std::filesystem::path& file,
                                    const std::string& database_id,
                                    std::uint32_t index_id) const = 0;
  /// Returns the current segment with its vectors mapped from `file`, which save() wrote. Returns
  /// null if the file holds another segment by now, or if the graph stores the vectors. Threads:
  /// any. Errors: like load().
  [[nodiscard]] virtual Result<std::shared_ptr<const void>> map_rows(
      const std::filesystem::path& file, const std::string& database_id,
      std::uint32_t index_id) const = 0;
  /// Publishes a segment of map_rows(), unless another segment was adopted meanwhile.
  virtual void adopt_rows(std::shared_ptr<const void> segment) = 0;
  /// Replaces the contents of the index by a saved segment, and returns the sequence up to which it
  /// is complete. Checks everything before hnswlib sees it.
  ///
  /// Errors leave the index unchanged: not_found, io_error, corruption (damaged, of another
  /// database, of other options), resource_limit.
  [[nodiscard]] virtual Result<std::uint64_t> load(const std::filesystem::path& file,
                                                   const std::string& database_id,
                                                   std::uint32_t index_id) = 0;
};

/// Checks a vector. `what` names it in error texts. Errors: invalid_argument for a wrong dimension,
/// a component that is not finite, a zero vector under cosine, or a vector longer than 3e18 under
/// the other metrics.
[[nodiscard]] Status check_vector(std::span<const float> components, std::uint32_t dimension,
                                  codec::Metric metric, std::string_view what);

}  // namespace cairn::engine
