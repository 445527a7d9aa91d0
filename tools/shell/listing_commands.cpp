// Dot commands that list names and counts. Each runs a statement, so it sees the namespace and
// transaction of the user's statements.
#include "tools/shell/listing_commands.hpp"

#include "tools/text/cell_text.hpp"

#include <cairn/keywords.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>

namespace cairn::tools {
namespace {

/// How names of one kind are listed, and how the records with a name are counted.
struct Listing {
  std::string_view column;
  std::string_view names;        ///< a statement that lists the names
  std::string_view before_name;  ///< the counting statement, before the name
  std::string_view behind_name;
};

constexpr Listing listings[] = {
    {"label", "CALL db.labels() YIELD label RETURN label", "MATCH (n:", ") RETURN count(*)"},
    {"relationship type",
     "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType",
     "MATCH ()-[r:", "]->() RETURN count(*)"},
    {"property", "CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey",
     "MATCH (n) WHERE n.", " IS NOT NULL RETURN count(*)"},
};

const Listing& listing_of(NameKind kind) { return listings[static_cast<std::size_t>(kind)]; }

void show(Session& session, const std::vector<std::string>& columns,
          const std::vector<std::vector<Value>>& rows) {
  const auto writer = session.make_writer();
  writer->begin(columns);
  for (const auto& row : rows) writer->row(row);
  writer->finish();
}

/// Omits names without nodes, such as keys of relationships.
Status show_counts(Session& session, NameKind kind) {
  const Listing& listing = listing_of(kind);
  CAIRN_ASSIGN(const std::vector<std::string> names, names_in_use(session, kind));
  std::vector<std::vector<Value>> shown;
  for (const std::string& name : names) {
    CAIRN_ASSIGN(Rows rows, session.rows_of(std::string(listing.before_name) + quoted_name(name) +
                                            std::string(listing.behind_name)));
    CAIRN_ASSIGN(const auto counted, rows.all());
    if (counted[0][0].as_integer() > 0) shown.push_back({name, counted[0][0]});
  }
  show(session, {std::string(listing.column), "count"}, shown);
  return {};
}

/// Statement that lists for each property its label, name and types, and whether all nodes have it.
constexpr std::string_view node_schema =
    "CALL db.schema.nodeTypeProperties() YIELD nodeLabels, propertyName, propertyTypes, mandatory "
    "RETURN nodeLabels[0] AS label, propertyName AS property, propertyTypes AS types, mandatory";
constexpr std::string_view relationship_schema =
    "CALL db.schema.relTypeProperties() YIELD relType, propertyName, propertyTypes, mandatory "
    "RETURN replace(substring(relType, 2, size(relType) - 3), '``', '`') AS `relationship type`, "
    "propertyName AS property, propertyTypes AS types, mandatory";

/// Shows the rows of one label or type, or of all; returns how many were shown.
Result<std::size_t> show_schema(Session& session, std::string_view statement,
                                const std::optional<std::string>& name) {
  CAIRN_ASSIGN(Rows rows, session.rows_of(statement));
  CAIRN_ASSIGN(auto all, rows.all());
  if (name) std::erase_if(all, [&](const auto& row) { return row[0].as_string() != *name; });
  if (!name || !all.empty()) show(session, rows.columns(), all);
  return all.size();
}

/// With the columns that fit a terminal.
constexpr std::string_view show_indexes =
    "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, state";

/// Shows the rows of SHOW INDEXES or SHOW CONSTRAINTS; with a name, only those of this label or
/// type. Without rows, shows nothing.
Status show_if_any(Session& session, std::string_view statement,
                   const std::optional<std::string>& name) {
  CAIRN_ASSIGN(Rows rows, session.rows_of(statement));
  CAIRN_ASSIGN(auto all, rows.all());
  const std::vector<std::string>& columns = rows.columns();
  const auto names = std::ranges::find(columns, "labelsOrTypes") - columns.begin();
  const auto is_other = [&](const std::vector<Value>& row) {
    const Value& of = row[static_cast<std::size_t>(names)];
    return of.is_null() || std::ranges::find(of.as_list(), Value(*name)) == of.as_list().end();
  };
  if (name) std::erase_if(all, is_other);
  if (!all.empty()) show(session, columns, all);
  return {};
}

}  // namespace

std::string quoted_name(std::string_view name) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  const bool is_plain = !name.empty() && is_letter(static_cast<unsigned char>(name.front())) &&
                        std::ranges::all_of(name, [&](unsigned char c) {
                          return is_letter(c) || std::isdigit(c) != 0;
                        });
  const auto is_same = [&](std::string_view keyword) {
    return std::ranges::equal(
        name, keyword, [](unsigned char a, unsigned char b) { return std::toupper(a) == b; });
  };
  if (is_plain && std::ranges::none_of(keywords(), is_same)) return std::string(name);
  std::string quoted = "`";
  for (const char c : name) quoted += c == '`' ? std::string("``") : std::string(1, c);
  return quoted + "`";
}

Result<std::vector<std::string>> names_in_use(Session& session, NameKind kind) {
  CAIRN_ASSIGN(Rows rows, session.rows_of(listing_of(kind).names));
  std::vector<std::string> names;
  for (auto next = rows.next();; next = rows.next()) {
    if (!next) return next.error();
    if (!next.value()) return names;
    names.push_back((*next.value())[0].as_string());
  }
}

Status labels(Session& session, const Arguments&) {
  CAIRN_TRY(show_counts(session, NameKind::label));
  return show_counts(session, NameKind::relationship_type);
}

Status properties(Session& session, const Arguments&) {
  return show_counts(session, NameKind::property);
}

Status indexes(Session& session, const Arguments&) { return session.execute(show_indexes); }

Status namespaces(Session& session, const Arguments&) { return session.execute("SHOW NAMESPACES"); }

Status schema(Session& session, const Arguments& arguments) {
  std::optional<std::string> name;
  if (!arguments.empty()) name = joined(arguments);
  CAIRN_ASSIGN(const std::size_t of_nodes, show_schema(session, node_schema, name));
  CAIRN_ASSIGN(const std::size_t of_relationships, show_schema(session, relationship_schema, name));
  if (name && of_nodes + of_relationships == 0)
    return Error{
        ErrorCode::not_found,
        "there is no label and no relationship type " + make_visible(*name) + " here: see .labels",
        std::nullopt};
  if (name)
    CAIRN_TRY(show_if_any(session, show_indexes, name));
  else
    CAIRN_TRY(indexes(session, arguments));
  return show_if_any(session, "SHOW CONSTRAINTS", name);
}

}  // namespace cairn::tools
