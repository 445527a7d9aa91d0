// Functions of lists. Vectors are accepted as lists. Lists are immutable values: each function makes a new list,
// after a check of the memory limit.

#include "codec/utf8.hpp"
#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/sequence.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

/// Limit of the elements of one range(), independent of the memory limit. UNWIND iterates over a range without making
/// the list, see execute/rows/unwind.cpp.
constexpr std::uint64_t most_range_elements = 10'000'000;

/// Returns the number of steps from `start` to `end`. Unsigned, because differences may need 64 bits.
std::uint64_t steps_between(std::int64_t start, std::int64_t end, std::int64_t step) {
  const auto from = static_cast<std::uint64_t>(start);
  const auto to = static_cast<std::uint64_t>(end);
  const auto size = static_cast<std::uint64_t>(step);
  return step > 0 ? (to - from) / size : (from - to) / (0 - size);
}

/// Includes the first end, and the second end if the steps reach it. A step in the wrong direction gives an empty list;
/// a step of 0 is an error.
Result<Value> range(const Call& call) {
  CAIRN_ASSIGN(const std::int64_t start, call.integer(0));
  CAIRN_ASSIGN(const std::int64_t end, call.integer(1));
  CAIRN_ASSIGN(const std::int64_t step, call.has(2) ? call.integer(2) : Result<std::int64_t>(1));
  if (step == 0) return call.wrong_value("the step must not be zero");
  if (step > 0 ? start > end : start < end) return Value(List{});
  const std::uint64_t steps = steps_between(start, end, step);
  if (steps >= most_range_elements)
    return Error{ErrorCode::resource_limit,
                 "range(): the list from " + std::to_string(start) + " to " + std::to_string(end) +
                     " would have more than " + std::to_string(most_range_elements) +
                     " elements; use a larger step or a shorter range",
                 {}};
  GrowingList items(call.context.limits);
  CAIRN_TRY(items.reserve(steps + 1));
  // Unsigned arithmetic wraps, so a step beyond the last element is harmless.
  auto next = static_cast<std::uint64_t>(start);
  for (std::uint64_t i = 0; i <= steps; ++i, next += static_cast<std::uint64_t>(step))
    CAIRN_TRY(items.add(static_cast<std::int64_t>(next)));
  return items.take();
}

/// Returns the list argument. A vector is converted into `storage`, which must outlive the result.
Result<const List*> list_argument(const Call& call, List& storage) {
  if (const List* items = sequence_of(call[0], storage)) return items;
  return call.wrong_type(0, "a list");
}

/// Copies items. Texts are copied with them; other content is shared.
Result<Value> copied(const Call& call, std::span<const Value> items) {
  GrowingList list(call.context.limits);
  CAIRN_TRY(list.reserve(items.size()));
  for (const Value& item : items) CAIRN_TRY(list.add(item));
  return list.take();
}

/// head([]) is null and not an error.
Result<Value> head(const Call& call) {
  List storage;
  CAIRN_ASSIGN(const List* items, list_argument(call, storage));
  if (items->empty()) return Value();
  return copy_of(call.context.limits, items->front());
}

/// last([]) is null.
Result<Value> last(const Call& call) {
  List storage;
  CAIRN_ASSIGN(const List* items, list_argument(call, storage));
  if (items->empty()) return Value();
  return copy_of(call.context.limits, items->back());
}

/// tail([]) is [], so that a recursion over a list ends.
Result<Value> tail(const Call& call) {
  List storage;
  CAIRN_ASSIGN(const List* items, list_argument(call, storage));
  if (items->empty()) return Value(List{});
  return copied(call, std::span(*items).subspan(1));
}

/// Reverses by code points. A combining mark then precedes its letter, as in Neo4j.
Result<Value> reversed_text(const Call& call, std::string_view text) {
  engine::Pace pace(call.context.limits);
  GrowingText reversed(call.context.limits);
  CAIRN_TRY(reversed.reserve(text.size()));
  for (std::size_t end = text.size(); end > 0;) {
    const std::size_t begin = codec::utf8_floor(text, end - 1);
    CAIRN_TRY(reversed.append(text.substr(begin, end - begin)));
    if (pace.is_due(end - begin)) CAIRN_TRY(pace.look());
    end = begin;
  }
  return reversed.take();
}

/// Reverses a text by code points, and a list or vector by elements.
Result<Value> reverse(const Call& call) {
  if (const std::string* text = call[0].string()) return reversed_text(call, *text);
  List storage;
  const List* items = sequence_of(call[0], storage);
  if (!items) return call.wrong_type(0, "a list or a string");
  GrowingList reversed(call.context.limits);
  CAIRN_TRY(reversed.reserve(items->size()));
  for (auto item = items->rbegin(); item != items->rend(); ++item) CAIRN_TRY(reversed.add(*item));
  return reversed.take();
}

}  // namespace

FunctionFamily list_functions() {
  static constexpr FunctionEntry functions[] = {
      entry<"head(list)", head>(),
      entry<"last(list)", last>(),
      entry<"range(start, end, step?)", range>(),
      entry<"reverse(value)", reverse>(),
      entry<"tail(list)", tail>(),
  };
  return functions;
}

}  // namespace cairn::query
