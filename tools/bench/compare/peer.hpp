#pragma once
// Engines to compare with: nearest neighbours among the rows that a bit set allows.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::compare {

/// VectorRows of normalised vectors; the measure is the inner product, larger is nearer.
struct VectorRows {
  std::span<const float> components;
  std::size_t dimension = 0;
  [[nodiscard]] std::size_t count() const noexcept { return components.size() / dimension; }
  [[nodiscard]] const float* row(std::size_t i) const noexcept {
    return components.data() + i * dimension;
  }
};

/// One bit a row, 64 rows a word; nothing at all allows every row.
using Allowed = std::span<const std::uint64_t>;

/// One engine, or one way of using it. Not safe from two threads.
class Peer {
 public:
  virtual ~Peer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// The search efforts to measure, in ascending order; a single one if there is nothing to set.
  [[nodiscard]] virtual std::vector<std::size_t> efforts() const = 0;
  /// From now on only `allowed`, which lives on. Not timed: an engine may bring it into its own form.
  virtual void use(Allowed allowed) { allowed_ = allowed; }
  /// The k nearest allowed rows as far as `effort` finds them, in any order.
  virtual void search(const float* query, std::size_t k, std::size_t effort,
                      std::vector<std::uint32_t>& out) = 0;

 protected:
  Allowed allowed_;
};

/// Compiled for this very machine, for the peers that compare all.
[[nodiscard]] float dot_product(const float* a, const float* b, std::size_t dimension);

/// hnswlib 0.8: M 16, ef_construction 200, `searchKnn` with a functor that tests a bit. The graph is
/// read from `file`, or built and written there. Cost: minutes of one core for 300,000 rows.
[[nodiscard]] std::unique_ptr<Peer> make_hnswlib_peer(const VectorRows& rows,
                                                      const std::string& file);
/// FAISS: IndexHNSWFlat with the same numbers and an IDSelectorBitmap, saved to `file` likewise; null
/// where it was not there when this was built.
[[nodiscard]] std::unique_ptr<Peer> make_faiss_peer(const VectorRows& rows,
                                                    const std::string& file);
/// Every allowed row in full precision. VectorRows must outlive it.
[[nodiscard]] std::unique_ptr<Peer> make_exact_peer(const VectorRows& rows);

// SQLite as its extensions for vectors use it: vectors are blobs, a function compares them, the filter
// is an indexed column of the same table, and the nearest are those that sort first.

/// Exact. Its efforts are its two ways, by the index of p and by a scan; its filter is a bound on `p`, not the
/// bits of `use()`.
class SqlitePeer : public Peer {
 public:
  /// Only rows with p < top from now on; nothing: all.
  virtual void bound(std::optional<std::int64_t> top) = 0;
};

/// In `file`, which an earlier run may have made; `p` by row. Null where SQLite was not there when this
/// was built. Errors: io_error.
[[nodiscard]] Result<std::unique_ptr<SqlitePeer>> make_sqlite_peer(const VectorRows& rows,
                                                                   std::span<const std::int64_t> p,
                                                                   const std::string& file);

}  // namespace cairn::compare
