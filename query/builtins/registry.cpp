// Functions by name, in any case. Families are constant tables in their own files, listed here
// once.
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

/// Every family, in order of names. A name is in one family only; a test checks it.
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

/// Built at the first use: no work before main, and the standard makes it safe among threads.
const std::vector<const FunctionEntry*>& entries() {
  static const std::vector<const FunctionEntry*> sorted = sorted_entries();
  return sorted;
}

}  // namespace

// A binary search is enough: names are looked up when a statement is bound, not when it runs.
const FunctionEntry* find_function(std::string_view name) {
  const std::string key = lexical::lower_case(name);
  const auto found =
      std::ranges::lower_bound(entries(), std::string_view(key), {}, &FunctionEntry::name);
  return found != entries().end() && (*found)->name == key ? *found : nullptr;
}

// The name for "did you mean"; empty if none is similar.
std::string_view nearest_function(std::string_view name) {
  std::vector<std::string_view> names;
  for (const FunctionEntry* entry : entries()) names.push_back(entry->name);
  const std::string_view nearest = nearest_name(lexical::lower_case(name), names);
  const FunctionEntry* entry = nearest.empty() ? nullptr : find_function(nearest);
  // The signature has the name in its usual spelling: toUpper, not toupper.
  return entry ? entry->signature.substr(0, entry->name.size()) : std::string_view();
}

std::vector<const FunctionEntry*> all_functions() { return entries(); }

}  // namespace cairn::query
