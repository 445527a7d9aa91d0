#pragma once
// Cairn as one of the engines: its vector index alone, and whole searches by a prepared statement.

#include "engine/vector/vector_index.hpp"
#include "tools/bench/compare/peer.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::compare {

/// Maps between rows of the data and node ids of the database that was loaded with them.
class NodeNames {
 public:
  /// Reads `id(n)` and the property `i`, which holds the row number, of all nodes.
  static Result<NodeNames> read(Database& database);
  [[nodiscard]] std::uint64_t node(std::size_t row) const { return nodes_[row]; }
  [[nodiscard]] std::uint32_t row(std::uint64_t node) const { return rows_.at(node); }
  [[nodiscard]] std::size_t count() const { return nodes_.size(); }

 private:
  std::vector<std::uint64_t> nodes_;                       // by row
  std::unordered_map<std::uint64_t, std::uint32_t> rows_;  // by node
};

/// The vector index alone, with a bitmap as filter, as a query plan passes it.
class IndexPeer final : public Peer {
 public:
  /// If the accuracy class `recall` is given, the index chooses the effort, and the effort passed
  /// to search() is ignored. `strategy` forces a search strategy.
  IndexPeer(std::shared_ptr<const engine::VectorState> state, const NodeNames& names,
            std::size_t dimension, std::optional<engine::Accuracy> recall = std::nullopt,
            std::optional<engine::SearchStrategy> strategy = std::nullopt);
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<std::size_t> efforts() const override;
  void use(Allowed allowed) override;
  void search(const float* query, std::size_t k, std::size_t effort,
              std::vector<std::uint32_t>& out) override;
  /// Name of the strategy that the last search used.
  [[nodiscard]] const std::string& strategy() const { return way_taken_; }

 private:
  std::shared_ptr<const engine::VectorState> state_;  // owners: the index and its peers
  const NodeNames& names_;
  std::size_t dimension_;
  std::optional<engine::Accuracy> recall_;
  std::optional<engine::SearchStrategy> way_;
  codec::Bitmap ids_;
  std::string way_taken_;
};

/// Loads the index from the file of a closed database. Errors: those of loading the index.
Result<std::shared_ptr<const engine::VectorState>> load_index(const std::string& directory,
                                                              const std::string& database_id,
                                                              std::uint32_t dimension);

/// Runs a prepared statement, including the filter `n.p < $top`, through the public API.
class StatementPeer final : public Peer {
 public:
  static Result<std::unique_ptr<StatementPeer>> make(Database& database, const NodeNames& names,
                                                     std::size_t dimension);
  [[nodiscard]] std::string name() const override { return "Cairn, statement"; }
  [[nodiscard]] std::vector<std::size_t> efforts() const override { return {0}; }
  /// Restricts later searches to rows with p < top; nullopt: no filter.
  void bound(std::optional<std::int64_t> top);
  void search(const float* query, std::size_t k, std::size_t effort,
              std::vector<std::uint32_t>& out) override;

 private:
  StatementPeer(Database& database, const NodeNames& names, std::size_t dimension,
                Statement filtered, Statement plain)
      : database_(database),
        names_(names),
        dimension_(dimension),
        filtered_(std::move(filtered)),
        plain_(std::move(plain)) {}

  Database& database_;
  const NodeNames& names_;
  std::size_t dimension_;
  Statement filtered_, plain_;
  std::optional<std::int64_t> top_;
};

}  // namespace cairn::compare
