// Measures Cairn twice: its vector index alone, comparable to the libraries hnswlib and FAISS, and
// a complete statement, whose time a user sees. The index is loaded from the file of a closed
// database.
#include "tools/bench/compare/cairn_peer.hpp"

#include <bit>
#include <filesystem>
#include <stdexcept>

namespace cairn::compare {

// Row i of the data is the node whose property `i` has this value.
Result<NodeNames> NodeNames::read(Database& database) {
  StatementOptions options;
  options.max_rows = std::size_t{1} << 40;
  options.memory_bytes = std::size_t{8} << 30;
  CAIRN_ASSIGN(Rows rows, execute(database, "MATCH (n:W) RETURN id(n), n.i", {}, options));
  NodeNames names;
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) return names;
    const auto node = static_cast<std::uint64_t>((*row)[0].as_integer());
    const auto at = static_cast<std::uint32_t>((*row)[1].as_integer());
    if (names.nodes_.size() <= at) names.nodes_.resize(at + 1);
    names.nodes_[at] = node;
    names.rows_[node] = at;
  }
}

IndexPeer::IndexPeer(std::shared_ptr<const engine::VectorState> state, const NodeNames& names,
                     std::size_t dimension, std::optional<engine::Accuracy> recall,
                     std::optional<engine::SearchStrategy> strategy)
    : state_(std::move(state)),
      names_(names),
      dimension_(dimension),
      recall_(recall),
      way_(strategy) {}

std::string IndexPeer::name() const {
  constexpr const char* classes[] = {"fast", "default", "high"};
  constexpr const char* ways[] = {"exact", "flat", "partitions", "graph"};
  std::string name = "Cairn";
  if (recall_) name += std::string(", ") + classes[static_cast<int>(*recall_)];
  if (way_) name += std::string(", ") + ways[static_cast<int>(*way_)];
  return name;
}

// With an accuracy class, the index chooses the effort. Explicit efforts double from about k on.
std::vector<std::size_t> IndexPeer::efforts() const {
  if (recall_) return {0};
  return {12, 25, 50, 100, 200, 400, 800, 1'600};
}

// Converts the bits to a bitmap of node ids outside of the timed part, because no engine's
// conversion is timed.
void IndexPeer::use(Allowed allowed) {
  Peer::use(allowed);
  std::vector<std::uint64_t> ids;
  for (std::size_t w = 0; w < allowed.size(); ++w)
    for (std::uint64_t word = allowed[w]; word != 0; word &= word - 1)
      ids.push_back(names_.node(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
  ids_ = codec::Bitmap::from_unsorted(ids);
}

// Calls the index directly, without statement and transaction. StatementPeer measures complete
// statements.
void IndexPeer::search(const float* query, std::size_t k, std::size_t effort,
                       std::vector<std::uint32_t>& out) {
  engine::VectorSearch search;
  search.query = {query, dimension_};
  search.k = k;
  search.ef_search = effort;
  search.strategy = way_;
  if (recall_) search.recall = *recall_;
  if (!allowed_.empty()) search.allowed = &ids_;
  const auto found = state_->search(search);
  if (!found) throw std::runtime_error(found.error().message);
  out.clear();
  for (const engine::Neighbor& hit : found->hits) out.push_back(names_.row(hit.id));
  way_taken_ = to_string(found->executor);
}

// Assumes that the index is the first one of the database, as load() in vectors.cpp makes it.
Result<std::shared_ptr<const engine::VectorState>> load_index(const std::string& directory,
                                                              const std::string& database_id,
                                                              std::uint32_t dimension) {
  engine::VectorIndexOptions options;
  options.dimension = dimension;
  CAIRN_ASSIGN(auto index, engine::VectorIndex::make(options));
  const auto file = std::filesystem::path(directory) / "vector" / "index-1.segment";
  CAIRN_TRY(index->load(file, database_id, 1));
  return index->state();
}

Result<std::unique_ptr<StatementPeer>> StatementPeer::make(Database& database,
                                                           const NodeNames& names,
                                                           std::size_t dimension) {
  const std::string head = "MATCH (n:W) SEARCH n IN (VECTOR INDEX w_v FOR $query ";
  const std::string end = "LIMIT $k) RETURN id(n) AS id";
  CAIRN_ASSIGN(Statement filtered, Statement::parse(head + "WHERE n.p < $top " + end));
  CAIRN_ASSIGN(Statement plain, Statement::parse(head + end));
  return std::unique_ptr<StatementPeer>(
      new StatementPeer(database, names, dimension, std::move(filtered), std::move(plain)));
}

void StatementPeer::bound(std::optional<std::int64_t> top) { top_ = top; }

// The planner chooses the effort, so each cell has one point and no curve.
void StatementPeer::search(const float* query, std::size_t k, std::size_t,
                           std::vector<std::uint32_t>& out) {
  Parameters parameters;
  parameters["query"] = Vector(std::vector<float>(query, query + dimension_));
  parameters["k"] = static_cast<std::int64_t>(k);
  if (top_) parameters["top"] = *top_;
  auto rows = (top_ ? filtered_ : plain_).run(database_, parameters);
  if (!rows) throw std::runtime_error(rows.error().message);
  out.clear();
  while (true) {
    const auto row = rows->next();
    if (!row) throw std::runtime_error(row.error().message);
    if (!*row) return;
    out.push_back(names_.row(static_cast<std::uint64_t>((**row)[0].as_integer())));
  }
}

}  // namespace cairn::compare
