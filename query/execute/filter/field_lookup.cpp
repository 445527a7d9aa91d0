// Answers the operators of metadata filters from the index of one path. functions/filter_test.cpp
// defines their meaning. The lookups must find every record that passes the operator, and report
// whether each answer is exact. The index lacks some values, such as whole lists and maps, or nulls
// in lists. Then all records with a list or map at the path are added as candidates to be checked.
//
// The index has an entry for each scalar at a path by its value, for each element of a list, and
// for each text that names an instant, by microseconds.
#include "query/execute/filter/field_lookup.hpp"

#include "engine/catalog/catalog.hpp"
#include "query/execute/path_index.hpp"
#include "query/functions/semantic_version.hpp"
#include "query/functions/time_zone.hpp"

#include <limits>
#include <utility>

namespace cairn::query {
namespace {

using Op = FilterOperator;

/// Operators with an upper bound. Their bound is stored in `high`.
bool is_upper(Op op) { return op == Op::less_than || op == Op::less_or_equal || op == Op::until; }

/// Makes a range with one bound. The other side is open.
engine::IndexPredicate range_question(engine::IndexPredicate::Operation operation, Op op,
                                      Value bound) {
  engine::IndexPredicate question;
  question.operation = operation;
  const bool inclusive = op != Op::less_than && op != Op::greater_than;
  (is_upper(op) ? question.high : question.low) = std::move(bound);
  (is_upper(op) ? question.high_inclusive : question.low_inclusive) = inclusive;
  return question;
}

}  // namespace

// If the path has no index: no record has it if all paths are indexed or if no record uses the
// name. Otherwise every record is a candidate.
Result<Selection> FieldLookup::ask(engine::IndexPredicate question) {
  CAIRN_ASSIGN(auto found, ask_path(graph_, kind_, keys_, std::move(question)));
  if (found) return std::move(*found);
  const engine::Catalog& catalog = graph_.catalog();
  const bool is_unused = catalog.has_all_paths() || !catalog.find_property(keys_.front());
  return is_unused ? Selection::nothing() : Selection::everything(false);
}

Result<Selection> FieldLookup::ask(Operation operation, Value operand) {
  return ask({kind_, 0, operation, std::move(operand), {}, true, true});
}

// Restricts the ids to `within_`. If no record in `within_` has the type, no record needs to be
// checked.
Result<Selection> FieldLookup::of_type(Value example) {
  CAIRN_ASSIGN(Selection found, ask(Operation::of_type, std::move(example)));
  if (within_ != nullptr && !found.all_but && !found.ids.empty())
    found.ids = codec::intersect(found.ids, *within_);
  return found;
}

// NaN equals nothing. Entities and paths are never stored.
Result<Selection> FieldLookup::equals(const Value& value) {
  if (value.is_null()) return of_type({});
  if (is_nan(value) || !can_be_stored(value)) return Selection::nothing();
  return ask(Operation::equals, as_indexed(value));
}

// Nulls in lists have no index entry, so all lists are candidates.
Result<Selection> FieldLookup::element(const Value& value) {
  if (value.is_null()) return lists();
  if (is_nan(value) || !can_be_stored(value)) return Selection::nothing();
  return ask(Operation::element, as_indexed(value));
}

// Finds the value itself or a list that contains it: filters do not distinguish the two.
Result<Selection> FieldLookup::member(const Value& value) {
  CAIRN_ASSIGN(const Selection whole, equals(value));
  CAIRN_ASSIGN(const Selection part, element(value));
  return unite(whole, part);
}

Result<Selection> FieldLookup::any_member(const List& values) {
  return unite_each(values, [this](const Value& value) { return member(value); });
}

// An empty list of values passes for every record with the field.
Result<Selection> FieldLookup::all_members(const List& values) {
  if (values.empty()) return ask(Operation::present);
  // A record passes too if the values are in different maps of a list. See passes().
  return intersect_each(values, [this](const Value& value) { return member(value); });
}

// If `part` is a list, each scalar in it must be an element of the field. Its other elements are
// checked on records. If `part` is a map, it may be contained in a map or in a list of maps.
Result<Selection> FieldLookup::contains(const Value& part) {
  if (part.is_null()) return lists();
  CAIRN_ASSIGN(Selection some, lists());
  if (part.map() != nullptr) {
    CAIRN_ASSIGN(const Selection whole, maps());
    return unite(some, whole);
  }
  const List* parts = part.list();
  if (parts == nullptr && !is_sequence(part)) return member(part);
  if (parts == nullptr) return some;
  CAIRN_ASSIGN(some, all_lists());
  for (const Value& one : *parts) {
    if (one.is_null() || one.map() != nullptr || is_sequence(one)) {
      some = inexact(std::move(some));
      continue;
    }
    CAIRN_ASSIGN(const Selection with, element(one));
    some = intersect(some, with);
    if (some.empty()) break;
  }
  return some;
}

// Scalars are found by their value. Lists and maps are candidates, because entries do not show
// whether all their elements are in `whole`.
Result<Selection> FieldLookup::contained_by(const Value& whole) {
  const Value set = as_indexed(whole);
  const List single{set};
  const List& values = set.list() != nullptr ? set.as_list() : single;
  CAIRN_ASSIGN(Selection found, lists());
  for (const Value& value : values) {
    if (value.is_null() || is_sequence(value)) continue;
    CAIRN_ASSIGN(const Selection one, value.map() != nullptr ? maps() : equals(value));
    found = unite(found, one);
  }
  return found;
}

// For filters, a vector is a list.
Result<Selection> FieldLookup::all_lists() {
  CAIRN_ASSIGN(const Selection plain, of_type(List{}));
  CAIRN_ASSIGN(const Selection vectors, of_type(Vector{}));
  return unite(plain, vectors);
}

// Lists are candidates, to be checked on records.
Result<Selection> FieldLookup::lists() {
  CAIRN_ASSIGN(Selection found, all_lists());
  return inexact(std::move(found));
}

Result<Selection> FieldLookup::maps() {
  CAIRN_ASSIGN(Selection found, of_type(Map{}));
  return inexact(std::move(found));
}

// Adds all lists, for operators that accept any element of a list.
Result<Selection> FieldLookup::with_lists(Selection scalars) {
  CAIRN_ASSIGN(const Selection some, lists());
  return unite(scalars, some);
}

Result<Selection> FieldLookup::same_type(Op op, const Value& bound) {
  return ask(range_question(Operation::range, op, bound));
}

// Finds texts that name an instant within a half-open interval. So an inclusive upper bound and an
// exclusive lower bound use the next microsecond. If the dates are cached by id and a candidate set
// is left, looks these ids up instead of scanning keys.
Result<Selection> FieldLookup::instants(Op op, std::int64_t bound) {
  using Limits = std::numeric_limits<std::int64_t>;
  const bool takes_next = op == Op::greater_than || op == Op::less_or_equal || op == Op::until;
  const std::int64_t border = takes_next && bound < Limits::max() ? bound + 1 : bound;
  if (within_ != nullptr) {
    CAIRN_ASSIGN(const auto column, kept_instants(graph_, kind_, keys_));
    if (column && is_upper(op) && border == Limits::min()) return Selection::nothing();
    if (column)
      return Selection{is_upper(op) ? column->among(*within_, Limits::min(), border - 1)
                                    : column->among(*within_, border, Limits::max()),
                       false, true};
  }
  InstantBlock interval;
  (is_upper(op) ? interval.last : interval.first) = border;
  return instant_blocks_of(interval);
}

// Queries block by block, because the answer for a block is cached and also serves other periods.
Result<Selection> FieldLookup::instant_blocks_of(const InstantBlock& interval) {
  std::vector<codec::Bitmap> sets;
  Selection rest;
  for (const InstantBlock& block : instant_blocks(interval)) {
    engine::IndexPredicate question;
    question.operation = Operation::instant;
    if (block.first) question.low = *block.first;
    if (block.last) question.high = *block.last;
    question.high_inclusive = !block.last;
    CAIRN_ASSIGN(Selection one, ask(question));
    if (one.all_but) return one;
    rest.exact = rest.exact && one.exact;
    sets.push_back(std::move(one.ids));
  }
  rest.ids = codec::unite_all(sets);
  return rest;
}

// Returns the remaining candidates whose text names no instant, or nullopt if there is no `within_`
// or dates are not cached.
Result<std::optional<codec::Bitmap>> FieldLookup::undated_texts() {
  using Ids = std::optional<codec::Bitmap>;
  if (within_ == nullptr) return Ids();
  CAIRN_ASSIGN(const auto column, kept_instants(graph_, kind_, keys_));
  if (column == nullptr) return Ids();
  CAIRN_ASSIGN(const Selection texts, of_type(""));
  return texts.all_but ? Ids() : Ids(codec::subtract(texts.ids, column->among(*within_)));
}

// Texts that name instants are compared by time, also with temporal values: by bytes, texts with
// "+02:00" and with "Z" would be ordered wrongly. For `between`, both ends must be instants.
bool FieldLookup::compares_dates(Op op, const Value& operand) {
  switch (op) {
    case Op::since:
    case Op::until:
      return true;
    case Op::greater_than:
    case Op::greater_or_equal:
    case Op::less_than:
    case Op::less_or_equal:
      return instant_of(operand).has_value();
    case Op::between:
      return operand.list() != nullptr && operand.list()->size() == 2 &&
             instant_of(operand.as_list()[0]) && instant_of(operand.as_list()[1]);
    default:
      return false;
  }
}

// Returns nullptr if the path also has values of other date types or lists, because the column has
// only texts.
Result<engine::InstantColumn::Ptr> FieldLookup::dates(double spent) {
  const Value others[] = {List(), Vector(), Date(), LocalDateTime(), DateTime()};
  for (const Value& type : others) {
    CAIRN_ASSIGN(const Selection typed, of_type(type));
    if (!typed.empty()) return engine::InstantColumn::Ptr();
  }
  return kept_instants(graph_, kind_, keys_, spent);
}

// Converts microseconds to a date and time, whose nanoseconds must not be negative.
Result<std::optional<Selection>> FieldLookup::since(std::int64_t time) {
  const std::int64_t rest = (time % 1'000'000 + 1'000'000) % 1'000'000;
  const Value moment =
      LocalDateTime{(time - rest) / 1'000'000, static_cast<std::int32_t>(rest) * 1'000};
  CAIRN_ASSIGN(Selection found, find({Op::since, moment, false, false, time}));
  return found.exact ? std::optional(std::move(found)) : std::nullopt;
}

// Dates and times have no entries as instants, so each type is queried separately. Their keys are
// finer than microseconds and may also be ordered by offset. A margin of a second on either side
// includes all records that can pass.
Result<Selection> FieldLookup::temporals(Op op, std::int64_t bound) {
  const std::int64_t seconds = bound / 1'000'000 + (is_upper(op) ? 2 : -2);
  const Value limits[] = {Date{seconds / 86'400 + (is_upper(op) ? 1 : -1)},
                          LocalDateTime{seconds, 0}, DateTime{seconds, 0, 0, {}}};
  Selection found;
  for (const Value& limit : limits) {
    // Most fields have no value of these types. A cached posting list shows this without a scan.
    CAIRN_ASSIGN(const Selection typed, of_type(limit));
    if (typed.empty()) continue;
    CAIRN_ASSIGN(const Selection one, same_type(op, limit));
    found = unite(found, one);
  }
  return inexact(std::move(found));
}

// Two texts that name instants are compared by time, and other texts by their bytes. Versions do
// not sort by bytes, so each distinct text is compared.
Result<Selection> FieldLookup::texts(Op op, const Value& bound) {
  if (order_of_version(*bound.string())) return tested_texts({op, bound});
  if (instant_of(bound)) {
    CAIRN_ASSIGN(const auto undated, undated_texts());
    if (undated && undated->empty()) return Selection::nothing();
  }
  CAIRN_ASSIGN(const Selection by_order, same_type(op, bound));
  if (!instant_of(bound)) return by_order;
  engine::IndexPredicate any;
  any.operation = Operation::instant;
  CAIRN_ASSIGN(const Selection dated, ask(any));
  return subtract(by_order, dated);
}

// Texts name whole microseconds. If the bound is between two microseconds, a lower bound rounds up
// and an upper bound rounds down.
std::int64_t FieldLookup::among_texts(Op op, const Value& bound, std::int64_t microseconds) {
  const bool takes_next = op == Op::greater_or_equal || op == Op::since || op == Op::less_than;
  const auto exact = exact_instant_of(bound);
  const bool is_between = exact && *exact != instant_at(microseconds) &&
                          microseconds < std::numeric_limits<std::int64_t>::max();
  return microseconds + (takes_next && is_between ? 1 : 0);
}

// Values that cannot be compared with the bound do not pass, as in order_of().
Result<Selection> FieldLookup::ordered(Op op, const Value& bound) {
  const bool is_time = bound.type() == ValueType::time || bound.type() == ValueType::local_time;
  const auto instant = instant_of(bound);
  if (is_nan(bound) || (!bound.is_number() && bound.string() == nullptr && !is_time && !instant))
    return Selection::nothing();
  Selection found;
  if (bound.string() != nullptr) {
    CAIRN_ASSIGN(found, texts(op, bound));
  } else if (!instant) {
    CAIRN_ASSIGN(found, same_type(op, bound));
  }
  if (instant) {
    CAIRN_ASSIGN(const Selection dated, instants(op, among_texts(op, bound, *instant)));
    CAIRN_ASSIGN(const Selection others, temporals(op, *instant));
    found = unite(unite(found, dated), others);
  }
  return with_lists(std::move(found));
}

// Tests each distinct text of the index, or returns all texts as candidates.
Result<Selection> FieldLookup::tested_texts(const FilterTest& test) {
  if (budget_ != nullptr) {
    const TextTest passing = [&](const std::string& text) {
      const Value value(text);
      return passes(test, std::span(&value, 1));
    };
    CAIRN_ASSIGN(auto found, find_texts(graph_, *budget_, {kind_, keys_, within_}, passing));
    if (found) return *std::move(found);
  }
  CAIRN_ASSIGN(Selection texts, of_type(""));
  return inexact(std::move(texts));
}

// Lists are inexact, because one element must satisfy both bounds.
Result<Selection> FieldLookup::between(const List& bounds) {
  CAIRN_ASSIGN(const Selection low, ordered(Op::greater_or_equal, bounds[0]));
  CAIRN_ASSIGN(const Selection high, ordered(Op::less_or_equal, bounds[1]));
  return intersect(low, high);
}

// since and until: accept temporal values of any type and texts that name an instant.
Result<Selection> FieldLookup::on_side(const FilterTest& test) {
  auto bound = instant_of(test.operand);
  if (!bound) {
    CAIRN_ASSIGN(bound, parse_moment(*test.operand.string(), test.now));
  }
  CAIRN_ASSIGN(const Selection dated,
               instants(test.op, among_texts(test.op, test.operand, *bound)));
  CAIRN_ASSIGN(const Selection others, temporals(test.op, *bound));
  return with_lists(unite(dated, others));
}

// Compares each distinct text in NFC, and adds records that may contain texts deeper inside. Other
// scalars, and texts with the same bytes, are found as without normalization. The exception is
// starts_with, because the characters after a prefix may change its normal form.
Result<Selection> FieldLookup::in_nfc(const FilterTest& test) {
  if (test.op == Op::contains_all && !test.operand.as_list().empty())
    return intersect_each(test.operand.as_list(), [&](const Value& value) {
      const Value single(List{value});
      return in_nfc({Op::in, single, false, true, test.now});
    });
  CAIRN_ASSIGN(Selection found, tested_texts(test));
  CAIRN_ASSIGN(const Selection inner, maps());
  found = unite(found, inner);
  if (test.op != Op::starts_with) {
    CAIRN_ASSIGN(const Selection same_bytes,
                 positive({test.op, test.operand, false, false, test.now}));
    found = unite(found, same_bytes);
  }
  return with_lists(std::move(found));
}

// Compared as text, 8 equals '8'. The index has no entries for such comparisons, so every record
// with the field is checked.
Result<Selection> FieldLookup::positive(const FilterTest& test) {
  if (test.coerce) {
    CAIRN_ASSIGN(Selection any, ask(Operation::present));
    return inexact(std::move(any));
  }
  if (test.normalize) return in_nfc(test);
  switch (test.op) {
    case Op::exists:
      return ask(Operation::present);
    case Op::equals:
      return equals(test.operand);
    case Op::in:
      return any_member(test.operand.as_list());
    case Op::contains_all:
      return all_members(test.operand.as_list());
    case Op::contains:
      return contains(test.operand);
    case Op::contained_by:
      return contained_by(test.operand);
    case Op::between:
      return between(test.operand.as_list());
    case Op::since:
    case Op::until:
      return on_side(test);
    case Op::starts_with: {
      CAIRN_ASSIGN(Selection found, ask(Operation::starts_with, test.operand));
      return with_lists(std::move(found));
    }
    case Op::matches:
    case Op::in_directory: {
      CAIRN_ASSIGN(Selection found, tested_texts(test));
      return with_lists(std::move(found));
    }
    default:
      return ordered(test.op, test.operand);
  }
}

// A negative operator is the complement within the records with the field, or within all records.
// Only an exact set can be subtracted; see subtract().
Result<Selection> FieldLookup::find(const FilterTest& test) {
  const Op op = positive_of(test.op);
  CAIRN_ASSIGN(Selection found,
               positive({op, test.operand, test.coerce, test.normalize, test.now}));
  if (!is_negative(test.op)) return found;
  if (passes_missing(test.op)) return subtract(Selection::everything(true), found);
  CAIRN_ASSIGN(const Selection present, ask(Operation::present));
  return subtract(present, found);
}

}  // namespace cairn::query
