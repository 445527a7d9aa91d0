// Encodes faceted searches and their results as values, for messages between processes.
#include "query/facets/forwarded_facets.hpp"

#include <utility>

namespace cairn::query {

using engine::CallReader;
using engine::number_value;
using engine::text_list;

Map request_map(const FacetRequest& request) {
  return {
      {"field", request.field}, {"by_age", request.by_age}, {"limit", number_value(request.limit)}};
}

FacetRequest read_request(CallReader& reader) {
  return {reader.text("field"), reader.boolean("by_age"),
          static_cast<std::size_t>(reader.number("limit"))};
}

Value facet_value(const Facet& facet) {
  List values;
  for (const FacetValue& one : facet.values)
    values.emplace_back(Map{{"value", one.value}, {"count", number_value(one.count)}});
  return Map{{"field", facet.field},
             {"values", std::move(values)},
             {"distinct", number_value(facet.distinct)},
             {"nulls", number_value(facet.nulls)},
             {"missing", number_value(facet.missing)}};
}

Facet read_facet(CallReader& reader) {
  Facet facet;
  facet.field = reader.text("field");
  for (const Value& item : reader.list("values")) {
    CallReader one(item);
    const Value* const value = one.find("value");
    facet.values.push_back({value == nullptr ? Value() : *value, one.number("count")});
    reader.note(one);
  }
  facet.distinct = reader.number("distinct");
  facet.nulls = reader.number("nulls");
  facet.missing = reader.number("missing");
  return facet;
}

// The caller's side. Keys are part of the protocol and must not change.
Map facets_map(const FacetedSearch& search) {
  List facets;
  for (const FacetRequest& request : search.facets) facets.emplace_back(request_map(request));
  Map map{{"labels", text_list(search.labels)},
          {"tags", text_list(search.tags)},
          {"tag_match_all", search.tag_match_all},
          {"date_from", search.date_from},
          {"date_to", search.date_to},
          {"filter", to_value(search.filter)},
          {"page", search.page},
          {"page_size", search.page_size},
          {"cursor", search.cursor},
          {"facets", std::move(facets)},
          {"tags_field", search.tags_field},
          {"type_field", search.type_field},
          {"date_field", search.date_field}};
  if (search.memory_type) map.emplace("memory_type", *search.memory_type);
  return map;
}

// The host's side.
Result<FacetedSearch> read_facets(CallReader& reader) {
  FacetedSearch search;
  search.labels = reader.texts("labels");
  search.tags = reader.texts("tags");
  search.tag_match_all = reader.boolean("tag_match_all");
  if (reader.find("memory_type") != nullptr) search.memory_type = reader.text("memory_type");
  search.date_from = reader.text("date_from");
  search.date_to = reader.text("date_to");
  search.page = reader.integer("page");
  search.page_size = reader.integer("page_size");
  search.cursor = reader.text("cursor");
  for (const Value& item : reader.list("facets")) {
    CallReader request(item);
    search.facets.push_back(read_request(request));
    CAIRN_TRY(request.check());
  }
  search.tags_field = reader.text("tags_field");
  search.type_field = reader.text("type_field");
  search.date_field = reader.text("date_field");
  if (const Value* filter = reader.find("filter")) {
    CAIRN_ASSIGN(search.filter, filter_from(*filter));
  }
  CAIRN_TRY(reader.check());
  return search;
}

// The host's side.
Value page_value(const FacetedPage& page) {
  List facets;
  for (const Facet& facet : page.facets) facets.push_back(facet_value(facet));
  return Map{{"nodes", List(page.nodes.begin(), page.nodes.end())},
             {"total", number_value(page.total)},
             {"total_pages", number_value(page.total_pages)},
             {"page", page.page},
             {"page_size", page.page_size},
             {"has_more", page.has_more},
             {"next_cursor", page.next_cursor},
             {"facets", std::move(facets)},
             {"warnings", text_list(page.warnings)}};
}

Value paths_value(const std::vector<std::vector<std::string>>& paths) {
  List list;
  for (const auto& path : paths) list.emplace_back(text_list(path));
  return list;
}

Result<std::vector<std::vector<std::string>>> read_paths(const Value& value) {
  std::vector<std::vector<std::string>> paths;
  if (value.list() == nullptr) return paths;
  for (const Value& item : *value.list()) {
    CAIRN_ASSIGN(auto path, engine::texts_of(item));
    paths.push_back(std::move(path));
  }
  return paths;
}

// The caller's side.
Result<FacetedPage> read_page(const Value& value) {
  CallReader reader(value);
  FacetedPage page;
  for (const Value& item : reader.list("nodes"))
    if (item.get_if<Node>() != nullptr) page.nodes.push_back(item.as_node());
  page.total = reader.number("total");
  page.total_pages = reader.number("total_pages");
  page.page = reader.integer("page");
  page.page_size = reader.integer("page_size");
  page.has_more = reader.boolean("has_more");
  page.next_cursor = reader.text("next_cursor");
  for (const Value& item : reader.list("facets")) {
    CallReader facet(item);
    page.facets.push_back(read_facet(facet));
    reader.note(facet);
  }
  page.warnings = reader.texts("warnings");
  CAIRN_TRY(reader.check());
  return page;
}

}  // namespace cairn::query
