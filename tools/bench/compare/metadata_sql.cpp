// The questions in SQL, of a table or view `memories` with a column for each property, and {names} for
// what each engine spells its own way: tags. Parameters are $1 to $4.
#include "tools/bench/compare/metadata_peer.hpp"

namespace cairn::compare {
namespace {

const std::string filtered = " FROM memories WHERE kind = $1 AND (source = $2 OR importance >= $3)";

// The filter once, and each count over what it left.
const std::string facets =
    "WITH found AS MATERIALIZED (SELECT source, agent, importance" + filtered +
    ") SELECT 'source=' || source, count(*) FROM found GROUP BY source UNION ALL "
    "SELECT 'agent=' || agent, count(*) FROM found GROUP BY agent UNION ALL "
    "SELECT 'importance=' || importance, count(*) FROM found GROUP BY importance";

}  // namespace

// One text for both SQL peers; {names} are filled in with what each makes of them.
std::vector<std::string> sql_of(Shape shape) {
  const std::string few = " FROM memories WHERE agent = $1 AND kind = $2";
  const std::string narrow = few + " AND source = $3";
  const std::string many = " FROM memories WHERE kind = $1 AND importance >= $2";
  const std::string count = "SELECT count(*)";
  const std::string newest = " ORDER BY created DESC LIMIT 20";
  switch (shape) {
    case Shape::count_equal:
      return {count + " FROM memories WHERE kind = $1 AND (source = $2 OR agent = $3 OR pinned)"};
    case Shape::count_range:
      return {count + filtered + " AND tokens < $4"};
    case Shape::count_period:
      return {count + " FROM memories WHERE {has} AND created >= $2 AND NOT pinned"};
    case Shape::facets:
      return {facets};
    case Shape::facet_tags:
      return {"{by_tag}"};
    case Shape::group:
      return {"SELECT 'source=' || source, count(*)" + filtered + " GROUP BY 1"};
    case Shape::newest_narrow:
      return {count + narrow, "SELECT id, created" + narrow + newest};
    case Shape::newest_few:
      return {count + few, "SELECT id, created" + few + newest};
    case Shape::newest_many:
      return {count + many, "SELECT id, created" + many + newest};
  }
  return {};
}

std::string fill_in(std::string text, const std::map<std::string, std::string>& names) {
  for (const auto& [name, meaning] : names) {
    const std::string mark = "{" + name + "}";
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), meaning);
  }
  return text;
}

}  // namespace cairn::compare
