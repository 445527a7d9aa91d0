// Numbers, ids and codes take 12 bytes each, other values as much as a Value.
#include "query/execute/rows/value_log.hpp"

#include <bit>
#include <iterator>
#include <utility>

namespace cairn::query {

BatchColumn ValueLog::Part::take(std::size_t first, std::size_t count) {
  if (packing.form == BatchColumn::Form::values) {
    const auto begin = std::make_move_iterator(values.begin() + static_cast<std::ptrdiff_t>(first));
    return BatchColumn::values({begin, begin + static_cast<std::ptrdiff_t>(count)});
  }
  const std::span<const std::uint64_t> taken = std::span(words).subspan(first, count);
  std::vector<std::uint64_t> copy(taken.begin(), taken.end());
  if (packing.form == BatchColumn::Form::nodes)
    return BatchColumn::entities(codec::EntityKind::node, std::move(copy));
  if (packing.form == BatchColumn::Form::relationships)
    return BatchColumn::entities(codec::EntityKind::relationship, std::move(copy));
  return BatchColumn::words(packing.form, std::move(copy), {}, packing.dictionary);
}

template <class Items>
Status ValueLog::make_room(Items& items) {
  constexpr std::size_t least = 16;
  if (items.size() < items.capacity()) return {};
  const std::size_t wanted = items.empty() ? least : 2 * items.capacity();
  constexpr std::size_t bytes = sizeof(typename Items::value_type);
  CAIRN_TRY(held_.grow(items.capacity() * bytes, wanted * bytes));
  items.reserve(wanted);
  return {};
}

// Values go to the last part of the call as long as morsel and packing stay the same.
Result<ValueLog::Part*> ValueLog::part(std::uint64_t morsel, std::size_t call,
                                       const BatchColumn::Packing& packing) {
  if (last_[call] != none) {
    Part& last = parts_[last_[call]];
    if (last.morsel == morsel && last.packing == packing) return &last;
  }
  CAIRN_TRY(make_room(parts_));
  last_[call] = parts_.size();
  return &parts_.emplace_back(Part{morsel, call, packing, {}, {}, {}});
}

Status ValueLog::add_word(Part& part, std::uint32_t group, std::uint64_t word) {
  CAIRN_TRY(make_room(part.groups));
  CAIRN_TRY(make_room(part.words));
  part.groups.push_back(group);
  part.words.push_back(word);
  return {};
}

Status ValueLog::add(std::uint64_t morsel, std::size_t call, std::uint32_t group,
                     const Value& value) {
  using Form = BatchColumn::Form;
  const auto* integer = value.get_if<std::int64_t>();
  const auto* number = value.get_if<double>();
  const Form form = integer != nullptr  ? Form::integers
                    : number != nullptr ? Form::floats
                                        : Form::values;
  CAIRN_ASSIGN(Part * to, part(morsel, call, {form, nullptr}));
  if (integer != nullptr) return add_word(*to, group, static_cast<std::uint64_t>(*integer));
  if (number != nullptr) return add_word(*to, group, std::bit_cast<std::uint64_t>(*number));
  CAIRN_TRY(make_room(to->groups));
  CAIRN_TRY(make_room(to->values));
  CAIRN_TRY(held_.add_one(value));
  to->groups.push_back(group);
  to->values.push_back(value);
  return {};
}

Status ValueLog::add(std::uint64_t morsel, std::size_t call, std::span<const std::uint32_t> groups,
                     const BatchColumn& column, std::span<const std::uint32_t> rows) {
  if (!column.is_packed()) {
    for (const std::uint32_t row : rows)
      CAIRN_TRY(add(morsel, call, groups[row], column.value(row)));
    return {};
  }
  CAIRN_ASSIGN(Part * to, part(morsel, call, column.packing()));
  for (const std::uint32_t row : rows) CAIRN_TRY(add_word(*to, groups[row], column.words()[row]));
  return {};
}

}  // namespace cairn::query
