#pragma once
// Interface of engines that search the nearest neighbours among the rows that a bitmap allows.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::compare {

/// Rows of normalised vectors. Vectors with a larger inner product are nearer.
struct VectorRows {
  std::span<const float> components;
  std::size_t dimension = 0;
  [[nodiscard]] std::size_t count() const noexcept { return components.size() / dimension; }
  [[nodiscard]] const float* row(std::size_t i) const noexcept {
    return components.data() + i * dimension;
  }
};

/// One bit per row, 64 rows per word. An empty span allows every row.
using Allowed = std::span<const std::uint64_t>;

/// One engine in one configuration. Not thread-safe.
class Peer {
 public:
  virtual ~Peer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// The search efforts to measure, in ascending order; a single one if the engine has no
  /// setting for it.
  [[nodiscard]] virtual std::vector<std::size_t> efforts() const = 0;
  /// Sets the filter of later searches. `allowed` must outlive them. Not timed, because an engine
  /// may convert the filter.
  virtual void use(Allowed allowed) { allowed_ = allowed; }
  /// Writes the k nearest allowed rows that `effort` finds to `out`, in any order.
  virtual void search(const float* query, std::size_t k, std::size_t effort,
                      std::vector<std::uint32_t>& out) = 0;

 protected:
  Allowed allowed_;
};

/// Inner product for the engines that compare all rows, compiled for the processor of this machine.
[[nodiscard]] float dot_product(const float* a, const float* b, std::size_t dimension);

/// hnswlib 0.8 with M 16 and ef_construction 200, using `searchKnn` with a functor that tests a
/// bit. Reads the graph from `file`, or builds it and writes it there. Cost: minutes of one core
/// for 300,000 rows.
[[nodiscard]] std::unique_ptr<Peer> make_hnswlib_peer(const VectorRows& rows,
                                                      const std::string& file);
/// FAISS with IndexHNSWFlat, the same parameters and an IDSelectorBitmap; saves the graph to `file`
/// as well. Returns nullptr if the program was built without FAISS.
[[nodiscard]] std::unique_ptr<Peer> make_faiss_peer(const VectorRows& rows,
                                                    const std::string& file);
/// Scans every allowed row in full precision. VectorRows must outlive the result.
[[nodiscard]] std::unique_ptr<Peer> make_exact_peer(const VectorRows& rows);

// SQLite as its vector extensions use it: vectors are blobs, a function compares them, the filter
// is an indexed column of the same table, and ORDER BY with LIMIT selects the nearest.

/// Searches exactly. Its two efforts stand for two access paths: the index of p, and a scan. Its
/// filter is an upper bound on `p`, not the bits of `use()`.
class SqlitePeer : public Peer {
 public:
  /// Restricts later searches to rows with p < top; nullopt allows all rows.
  virtual void bound(std::optional<std::int64_t> top) = 0;
};

/// Opens `file`, which an earlier run may have made; `p` has the number of each row. Returns
/// nullptr if the program was built without SQLite. Errors: io_error.
[[nodiscard]] Result<std::unique_ptr<SqlitePeer>> make_sqlite_peer(const VectorRows& rows,
                                                                   std::span<const std::int64_t> p,
                                                                   const std::string& file);

}  // namespace cairn::compare
