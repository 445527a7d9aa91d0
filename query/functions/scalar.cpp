// Functions of any value, of time and of random numbers. rand() and randomUUID() use the seed of the statement, and
// timestamp() its clock; all others are pure.

#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/paced_text.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/value_semantics.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>

namespace cairn::query {
namespace {

/// Returns the next 64 random bits of the statement (SplitMix64). A statement with the same seed gets the same
/// numbers.
std::uint64_t draw(const FunctionContext& context) noexcept {
  std::uint64_t x = context.seed + ++context.draws * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Receives all arguments evaluated; the evaluator may stop earlier for a direct call.
Result<Value> coalesce(const Call& call) {
  for (std::size_t i = 0; i < call.size(); ++i)
    if (!call[i].is_null()) return call.copy(i);
  return Value();
}

/// The old spelling of IS NOT NULL. The grammar handles exists(pattern).
Result<Value> exists(const Call& call) { return Value(!call[0].is_null()); }

/// Returns null only if the values are known to be equal.
Result<Value> null_if(const Call& call) {
  if (equals(call[0], call[1]) == std::optional(true)) return Value();
  return call.copy(0);
}

/// Counts code points and not bytes. Paths have length() instead.
Result<Value> size(const Call& call) {
  if (const std::string* text = call[0].string()) {
    CAIRN_ASSIGN(const std::int64_t length, paced_length(call.context.limits, *text));
    return Value(length);
  }
  if (is_sequence(call[0])) return Value(static_cast<std::int64_t>(sequence_size(call[0])));
  if (const Map* map = call[0].map()) return Value(static_cast<std::int64_t>(map->size()));
  return call.wrong_type(0, "a list, a string or a map");
}

Result<Value> is_empty(const Call& call) {
  if (const std::string* text = call[0].string()) return Value(text->empty());
  CAIRN_ASSIGN(const Value count, size(call));
  return Value(count.as_integer() == 0);
}

/// Builds the type name of a value recursively. A name grows with each level of nesting, so its bytes and its parts
/// both count as work.
class TypeNames {
 public:
  explicit TypeNames(const Call& call) : call_(call), pace_(call.context.limits) {}

  Result<std::string> of(const Value& value);

 private:
  Result<std::string> of_list(const List& list);

  const Call& call_;
  engine::Pace pace_;
};

/// Returns, for instance, "LIST<INTEGER NOT NULL | STRING NOT NULL> NOT NULL": the distinct type names of the
/// elements, in alphabetical order. The names of inner lists are nested.
Result<std::string> TypeNames::of_list(const List& list) {
  std::set<std::string> names;
  std::size_t bytes = 0;
  for (const Value& item : list) {
    CAIRN_ASSIGN(std::string name, of(item));
    CAIRN_TRY(pace_.add(sizeof(Value) + name.size()));
    const std::size_t name_bytes = name.size();
    if (names.insert(std::move(name)).second) bytes += name_bytes;
    CAIRN_TRY(call_.room(2 * bytes));
  }
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : " | ") + name;
  return "LIST<" + (joined.empty() ? "NOTHING" : joined) + "> NOT NULL";
}

/// Type names of the GQL standard: in upper case, and with NOT NULL if null is impossible.
Result<std::string> TypeNames::of(const Value& value) {
  if (value.is_null()) return std::string("NULL");
  if (const List* list = value.list()) return of_list(*list);
  constexpr std::string_view names[] = {
      "NULL",       "BOOLEAN",        "INTEGER",        "FLOAT",    "STRING", "LIST",
      "MAP",        "NODE",           "RELATIONSHIP",   "PATH",     "DATE",   "LOCAL TIME",
      "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME", "DURATION", "VECTOR"};
  return std::string(names[static_cast<std::size_t>(value.type())]) + " NOT NULL";
}

Result<Value> value_type(const Call& call) {
  CAIRN_ASSIGN(std::string name, TypeNames(call).of(call[0]));
  return Value(std::move(name));
}

/// The same throughout a statement, so that rows written together have the same time.
Result<Value> timestamp(const Call& call) { return Value(call.context.now / 1'000); }

/// Uses the upper 53 bits, the precision of a double. The result is in [0, 1).
Result<Value> rand(const Call& call) {
  return Value(static_cast<double>(draw(call.context) >> 11) * 0x1p-53);
}

/// A UUID of version 4: all bits except version and variant are random.
Result<Value> random_uuid(const Call& call) {
  const std::uint64_t high = (draw(call.context) & ~0xf000ULL) | 0x4000ULL;
  const std::uint64_t low = (draw(call.context) >> 2) | 0x8000000000000000ULL;
  char text[37];
  std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%012llx", unsigned(high >> 32),
                unsigned(high >> 16 & 0xffff), unsigned(high & 0xffff), unsigned(low >> 48),
                static_cast<unsigned long long>(low & 0xffffffffffffULL));
  return Value(text);
}

/// APOC's function: removes nulls, empty texts, and entries with the given keys or values from a map.
Result<Value> clean(const Call& call) {
  CAIRN_TRY(call.map(0));
  List key_storage, value_storage;
  const List* keys = sequence_of(call[1], key_storage);
  const List* values = sequence_of(call[2], value_storage);
  if (keys == nullptr) return call.wrong_type(1, "a list");
  if (values == nullptr) return call.wrong_type(2, "a list");
  CAIRN_ASSIGN(const Value whole, call.copy(0));
  Map left = whole.as_map();
  engine::Pace pace(call.context.limits);
  const auto has = [](const List& list, const Value& wanted) {
    return std::ranges::any_of(list, [&](const Value& one) { return equivalent(one, wanted); });
  };
  for (auto place = left.begin(); place != left.end();) {
    const Value& value = place->second;
    const bool is_empty = value.is_null() || value == Value("");
    const bool goes = is_empty || has(*keys, Value(place->first)) || has(*values, value);
    place = goes ? left.erase(place) : std::next(place);
    if (pace.is_due(keys->size() + values->size() + 1)) CAIRN_TRY(pace.look());
  }
  return Value(std::move(left));
}

}  // namespace

FunctionFamily scalar_functions() {
  static constexpr FunctionEntry functions[] = {
      entry<"apoc.map.clean(map, keys, values)", clean>(),
      entry<"coalesce(value, ...)", coalesce, Nulls::pass>(),
      entry<"exists(value)", exists, Nulls::pass>(),
      entry<"isEmpty(value)", is_empty>(),
      entry<"nullIf(value, other)", null_if, Nulls::pass>(),
      changing_entry<"rand()", rand>(),
      changing_entry<"randomUUID()", random_uuid>(),
      entry<"size(value)", size>(),
      entry<"timestamp()", timestamp>(),
      entry<"valueType(value)", value_type, Nulls::pass>(),
  };
  return functions;
}

}  // namespace cairn::query
