#pragma once
// What a SEARCH clause asks for: its index by name, and its query vector and numbers.

#include "codec/entity_kind.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::engine {
class Catalog;
}

namespace cairn::query {

class Evaluator;
struct Expression;
struct SearchClause;
struct SearchRetriever;

struct SearchIndex {
  std::uint32_t id = 0;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// Errors: not_found with the nearest name; invalid_argument where it is of another kind than the
/// retriever says; busy where it is not online.
[[nodiscard]] Result<SearchIndex> find_search_index(const engine::Catalog& catalog,
                                                    const SearchRetriever& retriever);

struct RetrieverArguments {
  bool is_null = false;      ///< there is no question or no start: it finds nothing
  std::vector<float> query;  ///< of a vector index
  std::string text;          ///< of a full-text index
  RecallOptions recall;      ///< of a retriever by recall
  std::size_t ef_search = 0;
  std::optional<std::uint64_t> seed;  ///< of a retriever by the graph that has one
  double weight = 1;
};

struct SearchArguments {
  std::vector<RetrieverArguments> retrievers;
  std::size_t limit = 0;  ///< the greatest number where there is none
  std::optional<double> within;
  std::optional<double> min_score;
  std::size_t candidates = 0;  ///< not less than `limit`
  double fusion_k = 60;
};

/// Errors: type_error, and invalid_argument for numbers out of sense or weights that are all 0.
[[nodiscard]] Result<SearchArguments> evaluate_search(Evaluator& evaluator,
                                                      const SearchClause& clause, Row row);

}  // namespace cairn::query
