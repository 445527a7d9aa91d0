#pragma once
// The retrievers of a recall: each a ranked list of records within the selection.

#include "query/memory/memory_impl.hpp"
#include "query/ranking/fusion.hpp"

#include <cairn/memory/recall.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {
class Catalog;
}
namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct ExecutionContext;

/// What all retrievers of one recall share.
struct RetrieverInput {
  const memory::Memory::Impl& impl;
  const engine::View& view;
  const memory::Selection& selection;
  const memory::RecallRequest& request;
  ExecutionContext& context;
  const codec::Bitmap& selected;       ///< the records of the selection
  std::size_t pool;                    ///< hits that a retriever brings at most
  std::vector<std::string>& warnings;  ///< each once
};

/// The nearest vectors of at least `min_score`, by cosine.
[[nodiscard]] Result<RankedList> vector_retriever(const RetrieverInput& input, const Value& vector,
                                                  double min_score);
/// The full-text index of records' contents, if one is online; the caller's own before the memory's.
[[nodiscard]] std::optional<std::string> content_index(const engine::Catalog& catalog);
/// The best by the text index and BM25: score = its own / that of the best, so that it is at most 1 as in the
/// other retrievers. No syntax: every sign of the question is text.
[[nodiscard]] Result<RankedList> text_retriever(const RetrieverInput& input,
                                                const std::string& index);
/// The same with all features of cairn::recall(), the nearest by `vector` among them where it is not null.
[[nodiscard]] Result<RankedList> feature_retriever(const RetrieverInput& input,
                                                   const std::string& index, const Value& vector);
/// Records with any of the words, those with most of them first: score = share of the words that are
/// in the content. Words are what lies between blanks, in lower case, of three characters or more. Cost:
/// reads the content of every record of the selection.
[[nodiscard]] Result<RankedList> keyword_retriever(const RetrieverInput& input);
/// Records within `hops` steps of the seeds, over records of the selection only. A step leaves half of
/// the score it comes from, times the relationship's `weight` (0 to 1, else 1); the best way counts.
/// A way that leads back to its own seed counts nothing, and seeds below 0 lead nowhere. Where `kind`
/// is given only records of its label are kept, before the pool is cut.
[[nodiscard]] Result<RankedList> graph_retriever(const RetrieverInput& input,
                                                 const RankedList& seeds, int hops,
                                                 std::string_view kind = {});

/// Relationships between a record and others of the selection, by weight from high to low.
[[nodiscard]] Result<std::vector<Relationship>> relationships_of(const RetrieverInput& input,
                                                                 NodeId id);

}  // namespace cairn::query
