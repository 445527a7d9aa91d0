#include "query/attach/search_procedures.hpp"

#include "query/calls/forwarded_search.hpp"
#include "query/facets/forwarded_facets.hpp"
#include "query/recall/forwarded_recall.hpp"

namespace cairn::query::attach {
namespace {

Error needs_snapshot() { return {ErrorCode::io_error, "the call belongs on a snapshot", {}}; }

}  // namespace

Result<Value> search_vectors_for(engine::CallReader& arguments, const bolt::CallPlace& place) {
  CAIRN_ASSIGN(ForwardedSearch search, read_search(arguments));
  search.options.model = search.model;
  if (place.transaction == nullptr && place.snapshot == nullptr) return needs_snapshot();
  auto found = place.transaction != nullptr
                   ? search_vectors(*place.transaction, search.index, search.questions,
                                    search.options, place.options)
                   : search_vectors(*place.snapshot, search.index, search.questions, search.options,
                                    place.options);
  if (!found) return found.error();
  return vector_hits_value(*found);
}

Result<Value> faceted_search_for(engine::CallReader& arguments, const bolt::CallPlace& place) {
  CAIRN_ASSIGN(const FacetedSearch search, read_facets(arguments));
  if (place.snapshot == nullptr) return needs_snapshot();
  CAIRN_ASSIGN(const FacetedPage page, faceted_search(*place.snapshot, search, place.options));
  return page_value(page);
}

Result<Value> recall_for(engine::CallReader& arguments, const bolt::CallPlace& place) {
  const std::string question = arguments.text("question");
  CAIRN_ASSIGN(const RecallOptions options, read_recall(arguments));
  if (place.snapshot == nullptr) return needs_snapshot();
  CAIRN_ASSIGN(const auto hits, recall(*place.snapshot, question, options, place.options));
  return hits_value(hits);
}

}  // namespace cairn::query::attach
