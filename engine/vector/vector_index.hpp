#pragma once
// VectorIndex: nearest neighbours of one index. The writer's side feeds committed vectors and
// publishes immutable states; the reader's side searches a state it holds.
//
// State = one sealed segment (an hnswlib graph that is never changed once published) + a delta that
// is scanned exactly. What replaced or erased an entity of the segment hides it by the delta's
// tombstones. A state is derived from the `vectors` column family and can be rebuilt from it.

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

/// How a vector index measures and builds.
struct VectorIndexOptions {
  std::uint32_t dimension = 0;  ///< 1 to 4,096
  codec::Metric metric = codec::Metric::cosine;
  std::uint32_t m = 16;                  ///< 2 to 512
  std::uint32_t ef_construction = 100;   ///< 1 to 4,096
  std::uint32_t background_threads = 1;  ///< that build; the same graph every time needs one
  bool finishes_on_load = false;         ///< for who builds no segment afterwards
  /// What is held in memory of the vectors of a segment that is in its file. As long as it is in none,
  /// all of them are, as they are where a graph is not of bytes (see README.md).
  codec::VectorStorage storage = codec::VectorStorage::float32;
  bool maps_rows = false;  ///< float32, but there is no memory for it: as `mapped`
};

/// One committed change: the entity's new vector, or that it has none any more.
struct VectorChange {
  std::uint64_t entity = 0;
  std::optional<std::vector<float>> vector;
};

/// How a segment is searched.
enum class SearchStrategy : std::uint8_t {
  exact,       ///< compare every selected vector
  flat,        ///< scan the codes of every selected vector, then compare the best
  partitions,  ///< the same for those that lie near, until no hit is to be expected in the rest
  graph,       ///< hnswlib's walk, which asks for each slot whether it is selected
};

struct VectorSearch {
  std::span<const float> query;
  std::size_t k = 10;
  bool exact = false;                      ///< compare every allowed vector
  std::size_t ef_search = 0;               ///< candidates a walk over the graph keeps; 0 chooses
  const codec::Bitmap* allowed = nullptr;  ///< null: all
  Accuracy recall = Accuracy::standard;
  /// Hits with a lower score are left out, and so are those that lie farther away than `within`, as
  /// distance_of_score() measures. With `exact` and a great `k` these are all that there are.
  std::optional<double> min_score = std::nullopt;
  std::optional<double> within = std::nullopt;
  /// Use this strategy wherever it is possible, instead of the cheapest: for tests and measurements.
  std::optional<SearchStrategy> strategy = std::nullopt;
};

/// What a vector index takes, in bytes.
struct VectorMemory {
  std::size_t rows = 0;        ///< vectors of the segment, in full, beside the graph
  std::size_t halves = 0;      ///< of them
  std::size_t graph = 0;       ///< links and bytes, or links and vectors
  std::size_t codes = 0;       ///< four bits a component, and one
  std::size_t partitions = 0;  ///< means, who is in which, one bit a component
  std::size_t ids = 0;         ///< which entity lies in which slot
  std::size_t delta = 0;       ///< what changed since the seal
  std::size_t mapped = 0;      ///< vectors in full, in the file: not in memory of ours

  [[nodiscard]] std::size_t total() const noexcept {
    return rows + halves + graph + codes + partitions + ids + delta;
  }
};

/// An immutable state of a vector index. Threads: any number may search at once, without locks.
class VectorState {
 public:
  virtual ~VectorState() = default;
  /// Exactly min(k, allowed and present) hits, less those that are cut, best first, ties by ascending
  /// id. Scores as in distance.hpp. The executor says how the segment was searched: "graph" by
  /// a walk of our own, "graph by hnswlib" by hnswlib's,
  /// "flat" by codes and a second look at the best, "partitions" by those of the near ones, "exact" by
  /// comparing every vector.
  /// Errors: those of check_vector().
  [[nodiscard]] Result<Neighbors> search(const VectorSearch& search) const;
  /// What search() gives for each of them, bit by bit. All have one and the same `allowed`, which is
  /// looked at once; what is scanned is read once for all.
  [[nodiscard]] virtual Result<std::vector<Neighbors>> search_all(
      std::span<const VectorSearch> searches) const = 0;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;  ///< entities with a vector
  /// Which they are. Cost: a pass over all of them.
  [[nodiscard]] virtual codec::Bitmap entities() const = 0;
  [[nodiscard]] virtual std::uint64_t sequence() const noexcept = 0;  ///< newest change in it
  [[nodiscard]] virtual VectorMemory memory() const noexcept = 0;
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory().total(); }
  /// The entity's vector as it is stored: normalised under cosine.
  [[nodiscard]] virtual std::optional<std::vector<float>> find(std::uint64_t entity) const = 0;
};

/// The writer's side of one index. Threads: apply, seal and save from one thread at a time;
/// state() from any.
class VectorIndex {
 public:
  using StatePtr = std::shared_ptr<const VectorState>;  // owners: the index and snapshots

  /// An empty index. Errors: invalid_argument for an option out of its range.
  [[nodiscard]] static Result<std::unique_ptr<VectorIndex>> make(const VectorIndexOptions& options);
  virtual ~VectorIndex() = default;

  [[nodiscard]] virtual StatePtr state() const = 0;
  /// Apply one commit's changes and publish the state of `sequence`. Never fails on checked input.
  /// Of several changes of one entity the last one counts. Cost: the changes, whatever is there.
  virtual void apply(std::span<const VectorChange> changes, std::uint64_t sequence) = 0;
  /// True when the delta has grown so large that a new segment should be made, or the one that was
  /// loaded is not finished: it answers by comparing every vector until build_segment() has made what
  /// its file lacked.
  [[nodiscard]] virtual bool wants_seal() const noexcept = 0;
  /// True when the delta is several times as large: the thread that seals must hurry. Threads: any.
  [[nodiscard]] virtual bool is_overdue() const noexcept = 0;
  /// Build a segment of everything in `from`; slow, touches nothing that is published; may run on
  /// another thread while apply() goes on. As many threads as the options say, whatever `workers` does.
  /// Errors: cancelled, resource_limit.
  [[nodiscard]] virtual Result<std::shared_ptr<const void>> build_segment(
      const StatePtr& from, const BuildThreads& workers) const = 0;
  /// Vectors of the segment that are nobody's any more, as they were erased or replaced: they hold the graph together and
  /// are saved with it. Threads: any.
  [[nodiscard]] virtual std::size_t forgotten() const noexcept = 0;
  /// build_segment() without them. Cost: that of all vectors.
  [[nodiscard]] virtual Result<std::shared_ptr<const void>> build_afresh(
      const StatePtr& from, const BuildThreads& workers) const = 0;
  /// Publish a built segment, keeping what was applied since it was begun in the delta. One that was
  /// begun before another segment was adopted or loaded is dropped.
  virtual void adopt_segment(std::shared_ptr<const void> segment) = 0;
  /// Write the sealed segment to `file` (new name, fsync, rename); the header binds it to the
  /// database (32 hexadecimal digits), the index and the sequence up to which it is complete. The
  /// delta is not in it. Safe from any thread.
  [[nodiscard]] virtual Status save(const std::filesystem::path& file,
                                    const std::string& database_id,
                                    std::uint32_t index_id) const = 0;
  /// The segment of `file`, which save() wrote, with its vectors mapped from there; null where the file
  /// has another segment by now, or they lie in the graph. Safe from any thread.
  /// Errors: as of load().
  [[nodiscard]] virtual Result<std::shared_ptr<const void>> map_rows(
      const std::filesystem::path& file, const std::string& database_id,
      std::uint32_t index_id) const = 0;
  /// Publish it, unless another segment was adopted meanwhile.
  virtual void adopt_rows(std::shared_ptr<const void> segment) = 0;
  /// Load a saved segment in place of everything in the index. Checks everything itself before
  /// hnswlib sees a byte; returns the sequence up to which it is complete. Errors leave the index as
  /// it was: not_found, io_error, corruption (damaged, of another database, of other options).
  [[nodiscard]] virtual Result<std::uint64_t> load(const std::filesystem::path& file,
                                                   const std::string& database_id,
                                                   std::uint32_t index_id) = 0;
};

/// Errors: invalid_argument naming `what` for a wrong dimension, a component that is not finite, a
/// zero vector under cosine, or one longer than 3e18 under the other metrics.
[[nodiscard]] Status check_vector(std::span<const float> components, std::uint32_t dimension,
                                  codec::Metric metric, std::string_view what);

}  // namespace cairn::engine
