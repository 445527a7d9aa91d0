// Finds built-in functions by name. Each family of functions is a constant table in a file of its own; this file
// lists all families.
#include "query/builtins/registry.hpp"

#include "query/format/format_functions.hpp"
#include "query/functions/function_entry.hpp"
#include "query/ranking/score.hpp"
#include "query/syntax/lexical.hpp"
#include "query/syntax/nearest_name.hpp"

#include <algorithm>
#include <string>

namespace cairn::query {
namespace {

/// Returns the entries of every family, ordered by name. A name is in one family only; a test checks this.
std::vector<const FunctionEntry*> sorted_entries() {
  std::vector<const FunctionEntry*> entries;
  for (const FunctionFamily& family :
       {scalar_functions(), conversion_functions(), entity_functions(), list_functions(),
        string_functions(), text_case_functions(), mathematical_functions(), vector_functions(),
        version_functions(), embedding_functions(), highlight_functions(), format_functions(),
        rank_functions(), temporal_functions(), aggregate_functions(), statistical_aggregates()})
    for (const FunctionEntry& entry : family) entries.push_back(&entry);
  std::ranges::sort(entries, {}, &FunctionEntry::name);
  return entries;
}

/// Built at the first use, so that nothing runs before main(). Initialisation of a static local is thread-safe.
const std::vector<const FunctionEntry*>& entries() {
  static const std::vector<const FunctionEntry*> sorted = sorted_entries();
  return sorted;
}

}  // namespace

// Names are looked up when a statement is bound and not when it runs, so that a binary search is fast enough.
const FunctionEntry* find_function(std::string_view name) {
  const std::string key = lexical::lower_case(name);
  const auto found =
      std::ranges::lower_bound(entries(), std::string_view(key), {}, &FunctionEntry::name);
  return found != entries().end() && (*found)->name == key ? *found : nullptr;
}

std::string_view nearest_function(std::string_view name) {
  std::vector<std::string_view> names;
  for (const FunctionEntry* entry : entries()) names.push_back(entry->name);
  const std::string_view nearest = nearest_name(lexical::lower_case(name), names);
  const FunctionEntry* entry = nearest.empty() ? nullptr : find_function(nearest);
  // `name` is in lower case; the signature begins with the usual spelling: toUpper, not toupper.
  return entry ? entry->signature.substr(0, entry->name.size()) : std::string_view();
}

std::vector<const FunctionEntry*> all_functions() { return entries(); }

}  // namespace cairn::query
