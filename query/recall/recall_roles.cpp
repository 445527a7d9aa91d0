// A sample is taken in runs, because records of one conversation or document are usually created one after the other.
#include "query/recall/recall_roles.hpp"

#include "codec/container.hpp"
#include "codec/sorted_ids.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/lookup_result.hpp"

#include <cairn/value.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using codec::EntityKind;

constexpr std::size_t runs = 8;
constexpr std::size_t run_length = 8;
/// With fewer records, a sample proves nothing.
constexpr std::size_t fewest_records = 16;

/// The ids of a sample, run by run. Runs may be shorter, but none is empty.
using Sample = std::vector<std::vector<std::uint64_t>>;

/// Returns the value of the container that has `rank` smaller values.
std::uint16_t value_at(const codec::Container& container, std::uint32_t rank) {
  using Form = codec::Container::Form;
  if (container.form() == Form::runs) {
    for (const codec::Container::Run run : container.runs()) {
      const std::uint32_t length = run.last - run.first + 1U;
      if (rank < length) return static_cast<std::uint16_t>(run.first + rank);
      rank -= length;
    }
  } else if (container.form() == Form::bitmap) {
    std::uint32_t base = 0;
    for (std::uint64_t word : container.words()) {
      const auto ones = static_cast<std::uint32_t>(std::popcount(word));
      if (rank < ones) {
        for (; rank > 0; --rank) word &= word - 1;
        return static_cast<std::uint16_t>(base +
                                          static_cast<std::uint32_t>(std::countr_zero(word)));
      }
      rank -= ones;
      base += 64;
    }
  }
  return container.array()[rank];
}

/// Returns the id that has `rank` smaller ids in the bitmap.
std::uint64_t id_at(const codec::Bitmap& ids, std::uint64_t rank) {
  for (const codec::Bitmap::Chunk& chunk : ids.chunks()) {
    const std::uint32_t count = chunk.container->cardinality();
    if (rank < count)
      return chunk.key << 16 | value_at(*chunk.container, static_cast<std::uint32_t>(rank));
    rank -= count;
  }
  return *ids.last();
}

/// Takes runs at equal distances. The distance counts only these ids, so records of other namespaces do not change the
/// sample.
Sample sample_of(const codec::Bitmap& ids) {
  Sample sample;
  const std::uint64_t count = ids.cardinality();
  if (count < fewest_records) return sample;
  codec::IdSeeker seeker(ids);
  std::uint64_t next = 0;
  for (std::size_t run = 0; run < runs && next <= *ids.last(); ++run) {
    next = std::max(next, id_at(ids, count / runs * run));
    std::vector<std::uint64_t> taken;
    while (taken.size() < run_length && next <= *ids.last()) {
      taken.push_back(seeker.seek(next));
      next = taken.back() + 1;
    }
    sample.push_back(std::move(taken));
  }
  return sample;
}

/// What a sample shows of one property.
struct Observed {
  std::size_t records = 0;
  std::size_t values = 0;  ///< that are not null
  std::size_t texts = 0;   ///< of these, texts
  std::size_t names = 0;   ///< of these, at most three words that begin with a capital
  std::size_t integers = 0;
  std::size_t pairs = 0;  ///< of successive records that both have a value
  std::size_t equal = 0;  ///< of these, equal ones
  std::size_t distinct = 0;
  std::size_t first_distinct = 0;  ///< distinct values at the beginnings of runs
  std::size_t runs = 0;
};

/// True for one to three words, if the first one begins with a capital or with a letter beyond ASCII.
bool is_name(std::string_view text) {
  constexpr std::size_t longest_name = 40;
  if (text.empty() || text.size() > longest_name) return false;
  const auto first = static_cast<unsigned char>(text.front());
  const bool is_capital = (first >= 'A' && first <= 'Z') || first >= 0x80;
  return is_capital && std::count(text.begin(), text.end(), ' ') <= 2;
}

void observe(const Value& value, Observed& seen) {
  ++seen.records;
  if (value.is_null()) return;
  ++seen.values;
  if (value.get_if<std::int64_t>() != nullptr) ++seen.integers;
  if (value.string() == nullptr) return;
  ++seen.texts;
  if (is_name(*value.string())) ++seen.names;
}

/// Observes one property over a sample of runs of successive records: how often neighbours are equal, and how many
/// values are distinct over all and at the beginnings of runs.
Result<Observed> observe(const engine::View& view, const Sample& sample, std::uint32_t key) {
  Observed seen;
  std::set<std::string> distinct, first;
  for (const auto& run : sample) {
    CAIRN_ASSIGN(const auto values, view.properties(EntityKind::node, run, key));
    for (std::size_t i = 0; i < values.size(); ++i) {
      observe(values[i], seen);
      if (values[i].is_null()) continue;
      distinct.insert(values[i].to_text());
      if (i == 0 || values[i - 1].is_null()) continue;
      ++seen.pairs;
      if (values[i - 1] == values[i]) ++seen.equal;
    }
    if (!values.front().is_null()) first.insert(values.front().to_text());
  }
  seen.distinct = distinct.size();
  seen.first_distinct = first.size();
  seen.runs = sample.size();
  return seen;
}

/// True for texts or integers that are mostly equal from record to record, and different from run to run.
bool is_group(const Observed& seen) {
  const bool is_common = seen.values * 2 >= seen.records && seen.pairs * 4 >= seen.values;
  const bool differs = seen.first_distinct >= 2 && seen.first_distinct * 2 >= seen.runs;
  return is_common && differs && seen.texts + seen.integers == seen.values &&
         seen.equal * 10 >= seen.pairs * 6;
}

/// True for a few names that change from record to record.
bool is_author(const Observed& seen) {
  return seen.values * 2 >= seen.records && seen.names * 10 >= seen.values * 9 &&
         seen.distinct >= 2 && seen.distinct * 4 <= seen.values && seen.equal * 10 < seen.pairs * 8;
}

/// True for a property with a vector index: its values are no groups or authors, and large.
bool has_vectors(const engine::Catalog& catalog, std::uint32_t key) {
  return std::ranges::any_of(catalog.indexes(), [&](const auto& index) {
    return index.second.kind == codec::IndexKind::vector &&
           index.second.entity == EntityKind::node && index.second.properties.front() == key;
  });
}

/// Finds groups and authors by values, unless they are known. Groups with fewer values are broader and come first.
Status find_by_values(const engine::View& view, const codec::Bitmap& visible,
                      const std::vector<std::uint32_t>& searched, RecallRoles& roles) {
  const bool wants_groups = roles.groups.found == "missing";
  const bool wants_authors = roles.authors.found == "missing";
  const Sample sample = sample_of(visible);
  if (sample.size() < 2) return {};
  CAIRN_ASSIGN(const auto paths, indexed_paths(view, visible, most_paths));
  std::multimap<std::size_t, std::string> groups;  // by their number of values
  for (const std::uint32_t path : paths) {
    const std::string& property = view.catalog().paths().at(path).text;
    const auto key = view.catalog().find_property(property);
    if (!key || std::ranges::find(searched, *key) != searched.end()) continue;
    if (has_vectors(view.catalog(), *key)) continue;
    CAIRN_ASSIGN(const Observed seen, observe(view, sample, *key));
    if (wants_groups && is_group(seen)) groups.emplace(seen.distinct, property);
    if (wants_authors && is_author(seen)) roles.authors.properties.push_back(property);
  }
  for (const auto& [values, property] : groups) roles.groups.properties.push_back(property);
  for (RecallRole* const role : {&roles.groups, &roles.authors})
    if (role->found == "missing" && !role->properties.empty()) role->found = "values";
  return {};
}

Result<RecallRole> by_name(const engine::View& view, const codec::Bitmap& visible,
                           const std::vector<std::string>& names,
                           const std::vector<std::string>& defaults) {
  if (names != defaults) return RecallRole{names, "options"};
  RecallRole role;
  for (const std::string& name : names) {
    CAIRN_ASSIGN(const bool is_there, has_property(view, visible, name));
    if (is_there) role.properties.push_back(name);
  }
  if (!role.properties.empty()) role.found = "names";
  return role;
}

}  // namespace

// Stops at the first node that is in both sets.
Result<std::optional<std::uint64_t>> first_with_path(const engine::View& view,
                                                     const codec::Bitmap& visible,
                                                     std::uint32_t path) {
  engine::IndexPredicate lookup;
  lookup.path = path;
  CAIRN_ASSIGN(const auto found, view.lookup(lookup));
  codec::IdSeeker present(found.ids), seen(visible);
  std::uint64_t id = present.seek(0);
  while (id != codec::IdSeeker::end) {
    const std::uint64_t other = seen.seek(id);
    if (other == id) return std::optional(id);
    if (other == codec::IdSeeker::end) break;
    id = present.seek(other);
  }
  return std::optional<std::uint64_t>();
}

Result<bool> has_path(const engine::View& view, const codec::Bitmap& visible, std::uint32_t path) {
  CAIRN_ASSIGN(const auto first, first_with_path(view, visible, path));
  return first.has_value();
}

Result<bool> has_property(const engine::View& view, const codec::Bitmap& visible,
                          std::string_view property) {
  const auto path = view.catalog().find_path(EntityKind::node, property);
  return path ? has_path(view, visible, *path) : Result<bool>(false);
}

// The catalog has paths in the order in which any namespace used them first. A caller must not learn this order, so paths
// are cut by the order of visible records, and returned in the order of their texts.
Result<std::vector<std::uint32_t>> indexed_paths(const engine::View& view,
                                                 const codec::Bitmap& visible, std::size_t most) {
  const auto& all = view.catalog().paths();
  std::vector<std::pair<std::uint64_t, std::string_view>> used;  // by the first node with a value
  for (const auto& [path, entry] : all) {
    if (entry.kind != EntityKind::node || entry.state != codec::IndexState::online) continue;
    std::optional<std::uint64_t> first = 0;  // if paths are few, none has to be left out
    if (all.size() > most) {
      CAIRN_ASSIGN(first, first_with_path(view, visible, path));
    }
    if (first) used.emplace_back(*first, entry.text);
  }
  std::ranges::sort(used);
  if (used.size() > most) used.resize(most);
  std::map<std::string_view, std::uint32_t> by_text;
  for (const auto& [first, text] : used)
    by_text.emplace(text, *view.catalog().find_path(EntityKind::node, text));
  std::vector<std::uint32_t> paths;
  for (const auto& [text, path] : by_text) paths.push_back(path);
  return paths;
}

// Records are in the order of creation unless a property is known to order them. So no property is searched for by values.
Result<RecallRoles> find_roles(const engine::View& view, const codec::Bitmap& visible,
                               const std::vector<std::uint32_t>& searched,
                               const RecallFeatures& features) {
  const RecallFeatures defaults;
  RecallRoles roles;
  CAIRN_ASSIGN(roles.groups,
               by_name(view, visible, features.group_properties, defaults.group_properties));
  CAIRN_ASSIGN(roles.order,
               by_name(view, visible, features.order_properties, defaults.order_properties));
  CAIRN_ASSIGN(roles.authors,
               by_name(view, visible, features.author_properties, defaults.author_properties));
  if (roles.groups.found == "missing" || roles.authors.found == "missing")
    CAIRN_TRY(find_by_values(view, visible, searched, roles));
  return roles;
}

}  // namespace cairn::query
