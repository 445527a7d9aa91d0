// Procedures for searches: vector search, hybrid search, faceted search and recall.

#include "query/attach/procedure_table.hpp"
#include "query/calls/forwarded_hybrid.hpp"
#include "query/calls/forwarded_search.hpp"
#include "query/facets/forwarded_facets.hpp"
#include "query/ranking/forwarded_hits.hpp"
#include "query/recall/forwarded_recall.hpp"

namespace cairn::query::attach {
namespace {

// Searches in the transaction or on the snapshot that the caller has open.
Result<Value> search_vectors_for(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(ForwardedSearch search, read_search(arguments));
  search.options.model = search.model;
  if (place.transaction == nullptr && place.snapshot == nullptr)
    return wrong_place("on a snapshot");
  auto found = place.transaction != nullptr
                   ? search_vectors(*place.transaction, search.index, search.questions,
                                    search.options, place.options)
                   : search_vectors(*place.snapshot, search.index, search.questions, search.options,
                                    place.options);
  if (!found) return found.error();
  return vector_hits_value(*found);
}

Result<Value> hybrid_search_for(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const HybridSearch search, read_hybrid(arguments));
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  CAIRN_ASSIGN(const HybridHits found, hybrid_search(*snapshot, search, place.options));
  return hybrid_hits_value(found);
}

Result<Value> full_text_indexes_for(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  CAIRN_ASSIGN(const auto names,
               full_text_indexes(*snapshot, arguments.text("label"), arguments.text("property")));
  return Value(engine::text_list(names));
}

Result<Value> faceted_search_for(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const FacetedSearch search, read_facets(arguments));
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  CAIRN_ASSIGN(const FacetedPage page, faceted_search(*snapshot, search, place.options));
  return page_value(page);
}

// The optional argument "filter".
Result<Filter> filter_among(const CallReader& arguments) {
  const Value* const filter = arguments.find("filter");
  return filter == nullptr ? Result<Filter>(Filter()) : filter_from(*filter);
}

Result<Value> count_values_for(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  const FacetRequest request = read_request(arguments);
  CAIRN_TRY(arguments.check());
  CAIRN_ASSIGN(const Filter filter, filter_among(arguments));
  CAIRN_ASSIGN(const Facet facet, count_values(*snapshot, request, filter, place.options));
  return facet_value(facet);
}

Result<Value> property_paths_for(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  CAIRN_ASSIGN(const Filter filter, filter_among(arguments));
  CAIRN_ASSIGN(const auto paths, property_paths(*snapshot, filter, place.options));
  return paths_value(paths);
}

Result<Value> recall_for(CallReader& arguments, const CallPlace& place) {
  const std::string question = arguments.text("question");
  CAIRN_ASSIGN(const RecallOptions options, read_recall(arguments));
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  CAIRN_ASSIGN(const auto hits, recall(*snapshot, question, options, place.options));
  return hits_value(hits);
}

Result<Value> recall_texts_for(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return recalled_texts(*snapshot, arguments, place.options);
}

constexpr NamedProcedure search_table[] = {
    {"count_values", count_values_for},           {"faceted_search", faceted_search_for},
    {"full_text_indexes", full_text_indexes_for}, {"hybrid_search", hybrid_search_for},
    {"property_paths", property_paths_for},       {"recall", recall_for},
    {"recall_texts", recall_texts_for},           {"search_vectors", search_vectors_for},
};

}  // namespace

std::span<const NamedProcedure> search_procedures() { return search_table; }

}  // namespace cairn::query::attach
