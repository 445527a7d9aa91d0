// Answers predicates by plan_lookup(). The plan does not know whether entries of a nested path come
// from maps in lists. In that case they are a superset ("some map has the value"), and the result
// is inexact, even if its parts are exact.
#include "engine/index/property_index.hpp"

#include "codec/byte_io.hpp"
#include "engine/index/index_entries.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::engine {
namespace {

// Number of keys in a sample. The estimate of a range with fewer keys is exact; a longer range
// takes about 0.1 ms.
constexpr std::size_t sampled_keys = 128;

/// The share of rows to assume if the store does not know the size of a range, as planners of other
/// databases do for a comparison.
constexpr double assumed_share = 0.3;

}  // namespace

Result<bool> PropertyIndex::runs_through_list(const IndexPredicate& question) const {
  const codec::PathEntry* path = catalog_.path(question.path);
  if (path == nullptr || !is_nested_path(path->text)) return false;
  std::vector<std::string> keys = split_path(path->text);
  // Goes from the path above the predicate's path up to the property: if any of these paths has a
  // list of maps, entries are a superset.
  for (keys.pop_back(); !keys.empty(); keys.pop_back()) {
    const auto above = catalog_.find_path(question.kind, join_path(keys));
    // The path is not indexed, so it may have a list of maps.
    if (!above) return true;
    CAIRN_ASSIGN(const auto lists, postings_.posting(presence_posting(
                                       question.kind, *above, codec::EntryKind::element_presence,
                                       codec::OrderedTag::map)));
    if (!lists.empty()) return true;
  }
  return false;
}

Result<LookupResult> PropertyIndex::lookup(const IndexPredicate& question) const {
  LookupResult result;
  std::vector<codec::Bitmap> sets;
  for (const LookupPart& part : plan_lookup(question)) {
    CAIRN_ASSIGN(auto ids,
                 part.single ? postings_.posting(part.range.first) : postings_.range(part.range));
    // A part without ids does not make the result inexact.
    if (ids.empty()) continue;
    result.exact = result.exact && part.exact;
    sets.push_back(std::move(ids));
  }
  if (sets.empty()) return result;
  CAIRN_ASSIGN(const bool superset, runs_through_list(question));
  result.exact = result.exact && !superset;
  result.ids = sets.size() == 1 ? std::move(sets.front()) : codec::unite_all(sets);
  return result;
}

Result<InstantColumn::Ptr> PropertyIndex::instants(codec::EntityKind kind, std::uint32_t path,
                                                   double spent) const {
  IndexPredicate question;
  question.kind = kind;
  question.path = path;
  CAIRN_ASSIGN(const bool superset, runs_through_list(question));
  if (superset) return InstantColumn::Ptr();
  const KeyRange range =
      range_of_prefix(codec::index_prefix(kind, path, codec::EntryKind::instant, ""));
  const std::string texts =
      presence_posting(kind, path, codec::EntryKind::presence, codec::OrderedTag::string);
  return postings_.instants(range, texts, spent);
}

// Adds up parts, although an id may be in two of them: planning needs only the order of magnitude.
Result<View::Estimate> PropertyIndex::estimate(const IndexPredicate& question) const {
  View::Estimate total;
  for (const LookupPart& part : plan_lookup(question)) {
    if (part.single) {
      CAIRN_ASSIGN(const auto ids, postings_.posting(part.range.first));
      total.rows += static_cast<double>(ids.cardinality());
      total.keys += static_cast<double>(ids.chunks().size());
      continue;
    }
    CAIRN_ASSIGN(const auto some, estimate_range(question, part.range));
    total.rows += some.rows;
    total.keys += some.keys;
  }
  return total;
}

// Estimates a range by a sample of its first keys and by its share of the store's bytes.
Result<View::Estimate> PropertyIndex::estimate_range(const IndexPredicate& question,
                                                     const KeyRange& range) const {
  CAIRN_ASSIGN(const auto sample, postings_.sample(range, sampled_keys));
  // The sample is a lower bound, or the whole answer if it reached the end of the range.
  const auto seen = static_cast<double>(sample.ids);
  if (sample.complete) return View::Estimate{seen, static_cast<double>(sample.keys)};
  // The layout of a key: kind (1 byte), path (4 bytes), entry (1 byte), type tag.
  const auto entry = static_cast<codec::EntryKind>(range.first[5]);
  if (entry == codec::EntryKind::presence) {
    CAIRN_ASSIGN(const auto ids, postings_.range(range));
    return View::Estimate{static_cast<double>(ids.cardinality()), seen};
  }
  // Rows are the number of values of the type, times the range's share of the type's bytes.
  const bool is_scalar = entry == codec::EntryKind::scalar;
  const auto tag = is_scalar ? static_cast<codec::OrderedTag>(range.first[6])
                             : codec::OrderedTag::string;  // instants come from strings
  const KeyRange whole =
      range_of_prefix(std::string_view(range.first).substr(0, is_scalar ? 7 : 6));
  const auto all_bytes = static_cast<double>(postings_.approximate_bytes(whole));
  const auto bytes = static_cast<double>(postings_.approximate_bytes(range));
  const double share = all_bytes > 0 ? std::min(1.0, bytes / all_bytes) : assumed_share;
  CAIRN_ASSIGN(const auto typed,
               postings_.posting(presence_posting(question.kind, question.path,
                                                  codec::EntryKind::presence, tag)));
  // Keys follow from the ids that each sampled key had.
  const double rows = std::max(seen, static_cast<double>(typed.cardinality()) * share);
  return View::Estimate{rows, rows * static_cast<double>(sample.keys) / std::max(seen, 1.0)};
}

// plan_lookup(): converts a predicate into ranges of index keys:
//
// present       presence *                        exact
// of_type       presence of the tag               exact; lists and numbers have two tags each
// equals        one scalar, or a container's hash  rechecked for long strings and containers
// element       one element                        unindexed lists may hold any number; for null: the
//                                                  lists that contain a null, exact
// range         scalars from bound to bound        exact except for durations; long strings by prefix
// starts_with   strings of the prefix               exact up to 64 bytes
// instant       instants from bound to bound        exact
//
// The union of all parts must contain every id whose value satisfies the predicate, and a part may
// be marked exact only if it contains no other ids. A missing part would be a wrong result that no
// later check detects, so in doubt a part is added and marked inexact. plan_lookup() is a pure
// function: it uses neither store nor catalog.

namespace {

using codec::EntryKind;
using codec::OrderedTag;

bool is_nan(const Value& value) {
  return value.type() == ValueType::floating && std::isnan(value.as_float());
}

/// True for lists that may have been converted to a vector.
bool is_number_list(const Value& value) {
  const List* list = value.list();
  return list != nullptr &&
         std::all_of(list->begin(), list->end(), [](const Value& v) { return v.is_number(); });
}

/// Collects the parts of one predicate.
class Planner {
 public:
  explicit Planner(const IndexPredicate& question) : question_(question) {}

  LookupPlan run() {
    switch (question_.operation) {
      case IndexPredicate::Operation::present:
        add_present();
        break;
      case IndexPredicate::Operation::of_type:
        add_of_type();
        break;
      case IndexPredicate::Operation::equals:
        add_equals();
        break;
      case IndexPredicate::Operation::element:
        add_element();
        break;
      case IndexPredicate::Operation::range:
        add_range();
        break;
      case IndexPredicate::Operation::starts_with:
        add_starts_with();
        break;
      case IndexPredicate::Operation::instant:
        add_instant();
        break;
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::string prefix(EntryKind entry, std::string_view value = "") const {
    return codec::index_prefix(question_.kind, question_.path, entry, value);
  }

  /// Adds the posting of one value.
  void add_posting(std::string name, bool exact) {
    KeyRange range = range_of_prefix(name);
    plan_.push_back({std::move(range), true, exact});
  }

  /// Adds a range of keys. Adds nothing if the bounds cross (x > 5 AND x < 3), because a range must
  /// not end before it begins.
  void add_between(std::string first, std::string last, bool exact) {
    if (first >= last) return;
    plan_.push_back({KeyRange{std::move(first), std::move(last)}, false, exact});
  }

  // Adds the ids that have a value of one type.
  void add_presence(OrderedTag tag, bool exact, EntryKind entry = EntryKind::presence) {
    add_posting(presence_posting(question_.kind, question_.path, entry, tag), exact);
  }

  // Adds the ids that have any value.
  void add_present() {
    KeyRange range = range_of_prefix(prefix(EntryKind::presence));
    plan_.push_back({std::move(range), false, true});
  }

  /// NaN is a number too, but has a tag of its own.
  void add_of_type() {
    const OrderedTag tag = presence_tag(question_.low);
    const bool is_list = tag == OrderedTag::list || tag == unindexed_list_tag;
    add_presence(is_list ? OrderedTag::list : tag, true);
    if (is_list) add_presence(unindexed_list_tag, true);
    if (question_.low.is_number()) {
      add_presence(tag == OrderedTag::number ? OrderedTag::not_a_number : OrderedTag::number, true);
    }
  }

  // Adds the posting of one scalar or element.
  void add_index_value(EntryKind entry, const Value& value) {
    std::string bytes;
    codec::append_index_value(bytes, value);
    add_posting(prefix(entry, bytes), !codec::index_value_needs_recheck(value));
  }

  /// Null and NaN are equal to nothing.
  void add_equals() {
    const Value& value = question_.low;
    if (value.is_null() || is_nan(value)) return;
    // The components of vectors are not indexed, so all ids with a vector are candidates.
    if (value.type() == ValueType::vector) return add_presence(vector_tag, false);
    if (value.list() == nullptr && value.map() == nullptr) {
      return add_index_value(EntryKind::scalar, value);
    }
    if (is_unindexed_list(value))
      add_presence(unindexed_list_tag, false);
    else
      add_posting(prefix(EntryKind::container, codec::container_hash(value)), false);
    // A list of numbers may have been stored as a vector, which has no entry for its value.
    if (is_number_list(value)) add_presence(vector_tag, false);
  }

  /// Unindexed lists and vectors may contain any number. They contain nothing else, not even null.
  void add_element() {
    const Value& value = question_.low;
    if (value.is_null()) return add_presence(OrderedTag::null, true, EntryKind::element_presence);
    if (is_nan(value)) return;
    if (value.list() != nullptr || value.map() != nullptr) {
      add_presence(presence_tag(value), false, EntryKind::element_presence);
      return;
    }
    add_index_value(EntryKind::element, value);
    if (!value.is_number()) return;
    add_presence(unindexed_list_tag, false);
    add_presence(vector_tag, false);
  }

  /// Values of different types are not comparable, so bounds of two types match nothing.
  void add_range() {
    const Value& typed = question_.low.is_null() ? question_.high : question_.low;
    if (is_nan(question_.low) || is_nan(question_.high)) return;
    const OrderedTag tag = presence_tag(typed);
    if (!question_.low.is_null() && !question_.high.is_null() &&
        presence_tag(question_.high) != tag) {
      return;
    }
    if (typed.list() != nullptr || typed.map() != nullptr) return add_containers(typed);
    // Durations are ordered in the index by their mean length, but the language does not compare
    // them by <.
    add_scalars(tag, tag != OrderedTag::duration);
    if (tag == OrderedTag::string) add_long_strings();
  }

  /// Lists and maps are indexed by their hash, which has no order.
  void add_containers(const Value& typed) {
    add_presence(typed.map() != nullptr ? OrderedTag::map : OrderedTag::list, false);
    if (typed.list() != nullptr) add_presence(unindexed_list_tag, false);
  }

  /// Adds the scalars of one type between the bounds. Short strings are compared with the whole
  /// bounds, even if these are long.
  void add_scalars(OrderedTag tag, bool exact) {
    const std::string start = prefix(EntryKind::scalar);
    std::string first = start + static_cast<char>(tag);
    // Without an upper bound the range ends at the next tag, so values of other types stay out.
    std::string last = start + static_cast<char>(static_cast<unsigned char>(tag) + 1);
    if (!question_.low.is_null()) {
      first = start;
      codec::append_ordered(first, question_.low);
      // Encodings are self-delimiting, so the end of a value's prefix is the place after all its
      // chunks.
      if (!question_.low_inclusive) first = codec::prefix_end(std::move(first));
    }
    if (!question_.high.is_null()) {
      last = start;
      codec::append_ordered(last, question_.high);
      if (question_.high_inclusive) last = codec::prefix_end(std::move(last));
    }
    add_between(std::move(first), std::move(last), exact);
  }

  /// Long strings are indexed by their first bytes only, so the bounds are cut as well.
  void add_long_strings() {
    const std::string start = prefix(EntryKind::scalar);
    std::string first = start;
    std::string last = start;
    codec::append_string_prefix(first, OrderedTag::long_string, text_or_empty(question_.low));
    codec::append_string_prefix(last, OrderedTag::long_string, text_or_empty(question_.high));
    add_between(std::move(first), codec::prefix_end(std::move(last)), false);
  }

  static std::string_view text_or_empty(const Value& value) {
    return value.string() == nullptr ? std::string_view() : std::string_view(*value.string());
  }

  /// A long string is indexed by its first bytes, so a short prefix is exact for it too.
  void add_starts_with() {
    const std::string* text = question_.low.string();
    if (text == nullptr) return;
    for (const OrderedTag tag : {OrderedTag::string, OrderedTag::long_string}) {
      const bool is_cut = text->size() > codec::long_string_prefix_bytes;
      std::string start = prefix(EntryKind::scalar);
      codec::append_string_prefix(start, tag, *text);
      KeyRange range = range_of_prefix(start);
      plan_.push_back({std::move(range), false, tag == OrderedTag::string || !is_cut});
    }
  }

  /// The bounds are microseconds since 1970 UTC.
  void add_instant() {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    const auto bound = [&](const Value& value, std::int64_t open) {
      std::string key = prefix(EntryKind::instant);
      codec::append_big(key, codec::flip_sign(value.is_null() ? open : value.as_integer()));
      return key;
    };
    std::string first = bound(question_.low, least);
    std::string last = bound(question_.high, most);
    if (!question_.low_inclusive) first = codec::prefix_end(std::move(first));
    if (question_.high_inclusive) last = codec::prefix_end(std::move(last));
    add_between(std::move(first), std::move(last), true);
  }

  const IndexPredicate& question_;
  LookupPlan plan_;
};

}  // namespace

LookupPlan plan_lookup(const IndexPredicate& question) { return Planner(question).run(); }

}  // namespace cairn::engine
