// Constraints: creating one, dropping one, and checking changed records.
//
// A constraint is in force from its statement on, also for the transaction that creates it. So the paths of its
// properties are indexed first, and all existing records are checked. Afterwards the editor notes changed records, and
// they are checked at the end of each statement and of the transaction. Within a statement, records may violate a
// constraint.
//
// Only one transaction writes at a time. It sees the newest commit and its own changes, so the checks are exact.
#include "codec/bitmap.hpp"
#include "engine/graph/constraint_check.hpp"
#include "engine/write/definitions.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace cairn::engine {
namespace {

using codec::CatalogKind;
using codec::ConstraintEntry;
using codec::ConstraintKind;
using codec::EntityKind;

constexpr std::size_t most_told = 3;  // violations listed in one message

Error invalid(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), {}};
}

Error exists(const std::string& name, std::string_view why) {
  return Error{ErrorCode::already_exists, "constraint \"" + name + "\" " + std::string(why), {}};
}

CatalogKind group_kind(EntityKind kind) {
  return kind == EntityKind::node ? CatalogKind::label : CatalogKind::relationship_type;
}

/// Checks the request alone, without the catalog.
Status check_request(const ConstraintRequest& request) {
  if (request.properties.empty())
    return invalid("the constraint on " + request.label_or_type +
                   " has no property; name at least one");
  if (request.constraint_kind == ConstraintKind::not_null && request.properties.size() != 1)
    return invalid(
        "IS NOT NULL takes one property; create one constraint for each property, or use IS NODE "
        "KEY");
  for (const std::string& name : request.properties)
    if (std::ranges::count(request.properties, name) > 1)
      return invalid("property \"" + name + "\" occurs twice in the constraint; list it once");
  return {};
}

/// The given name, or one made from the kind, the label and the properties, for example `unique_Person_email`.
std::string constraint_name(const ConstraintRequest& request) {
  if (!request.name.empty()) return request.name;
  static constexpr std::string_view kinds[] = {"unique", "key", "not_null"};
  std::string name(kinds[static_cast<std::size_t>(request.constraint_kind) - 1]);
  name += "_" + request.label_or_type;
  for (const std::string& property : request.properties) name += "_" + property;
  return name;
}

/// Resolves names to numbers. New names get a number, even if the constraint is refused later.
ConstraintEntry to_entry(const ConstraintRequest& request, CatalogEditor& catalog) {
  ConstraintEntry entry;
  entry.name = constraint_name(request);
  entry.kind = request.constraint_kind;
  entry.entity = request.kind;
  entry.label_or_type = catalog.intern(group_kind(request.kind), request.label_or_type);
  for (const std::string& name : request.properties)
    entry.properties.push_back(catalog.intern(CatalogKind::property, name));
  return entry;
}

/// True if the request and the entry describe the same constraint. The order of properties and the name do not
/// matter.
bool says_same(const ConstraintRequest& request, const ConstraintEntry& other,
               const Catalog& catalog) {
  const auto number_of = [&](const std::string& name) { return catalog.find_property(name); };
  return request.constraint_kind == other.kind && request.kind == other.entity &&
         catalog.find(group_kind(request.kind), request.label_or_type) == other.label_or_type &&
         std::ranges::is_permutation(request.properties, other.properties, std::equal_to<>(),
                                     number_of,
                                     [](std::uint32_t key) { return std::optional(key); });
}

/// Returns the constraint that equals the request, under any name; nullptr if none equals it.
const ConstraintEntry* find_same(const ConstraintRequest& request, const Catalog& catalog) {
  const auto same = std::ranges::find_if(catalog.constraints(), [&](const auto& numbered) {
    return says_same(request, numbered.second, catalog);
  });
  return same == catalog.constraints().end() ? nullptr : &same->second;
}

/// Checks that neither the name nor an equal constraint exists.
Status check_new(const ConstraintRequest& request, const Catalog& catalog) {
  const std::string name = constraint_name(request);
  if (catalog.find_constraint(name)) return exists(name, "already exists");
  if (catalog.find_index(name)) return exists(name, "has the name of an index");
  const ConstraintEntry* same = find_same(request, catalog);
  return same == nullptr ? Status() : exists(same->name, "already has the same definition");
}

/// The error of a violation: already_exists for two equal records, so that programs can distinguish this case.
Error violated(const ConstraintEntry& constraint, const Violation& violation) {
  return Error{violation.other == 0 ? ErrorCode::invalid_argument : ErrorCode::already_exists,
               violation.text + " (constraint \"" + constraint.name + "\")",
               {}};
}

/// Checks all members. The error describes the first few violations, each pair once.
Status check_members(const ConstraintEntry& constraint, const GraphView& view, std::int64_t now,
                     const std::function<Status()>& pulse) {
  const ConstraintCheck check(view, constraint, now);
  CAIRN_ASSIGN(const codec::Bitmap members, check.members());
  Violation all;
  std::size_t count = 0;
  for (const std::uint64_t id : members.to_vector()) {
    CAIRN_ASSIGN(const auto violation, check.find_violation(id));
    CAIRN_TRY(pulse());
    if (!violation || violation->other > id) continue;
    all.text += (count == 0 ? "" : "; ") + violation->text;
    if (count == 0) all.other = violation->other;
    if (++count == most_told) break;
  }
  return count == 0 ? Status() : violated(constraint, all);
}

}  // namespace

bool is_defined(const ConstraintRequest& request, const Catalog& catalog) {
  return catalog.find_constraint(constraint_name(request)) ||
         find_same(request, catalog) != nullptr;
}

/// The paths must be pinned before the check, because the check reads the postings of the paths.
Status define_constraint(const ConstraintRequest& request, const SchemaChange& change,
                         const std::function<Status()>& pulse) {
  CAIRN_TRY(check_request(request));
  CatalogEditor& catalog = change.catalog;
  CAIRN_TRY(check_new(request, catalog.current()));
  const ConstraintEntry entry = to_entry(request, catalog);
  CAIRN_TRY(
      pin_properties(entry.entity, entry.properties, change.view, catalog, change.editor, pulse));
  const Status held = check_members(entry, change.view, change.now, pulse);
  if (held)
    catalog.add_constraint(entry);
  else  // the paths remain indexed, because they may contain all records by now
    unpin_properties(entry.entity, entry.properties, catalog);
  return held;
}

Status undefine_constraint(std::string_view name, CatalogEditor& catalog) {
  const auto id = catalog.current().find_constraint(name);
  if (!id) return no_such("constraint", name, names_of(catalog.current().constraints()));
  const ConstraintEntry entry = catalog.current().constraints().at(*id);
  catalog.erase_constraint(*id);
  unpin_properties(entry.entity, entry.properties, catalog);
  return {};
}

Status check_changed_records(const GraphView& view, WriteSet& write_set, std::int64_t now,
                             const std::function<Status()>& pulse) {
  for (const auto& [number, constraint] : view.catalog().constraints()) {
    const ConstraintCheck check(view, constraint, now);
    for (const auto& [kind, id] : write_set.constrained_entities()) {
      if (kind != constraint.entity) continue;
      CAIRN_ASSIGN(const auto violation, check.find_violation(id));
      if (violation) return violated(constraint, *violation);
      CAIRN_TRY(pulse());
    }
  }
  write_set.clear_constrained();
  return {};
}

}  // namespace cairn::engine
