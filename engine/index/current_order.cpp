// A sorted column is made by one pass over a path. A commit changes a few of its ids. Copying the column for them would
// take milliseconds, so their values are in a second, small column, and the first one is read without them:
//
//   column     a:1  b:4 7  c:2 9           ids 4 and 9 changed: 4 has c now, 9 has no value, 12 is new
//   ignored        4          9
//   order      b:12  c:4                   between(b, c) = {4 7} - {4 9} + {12} = {7 12}
//
// Only dense columns with one value per id can follow commits, because the previous value of an id
// is needed.
#include "engine/index/current_order.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cairn::engine {
namespace {

using codec::Bitmap;

/// Bytes of kind, path and entry, with which the names of all postings of a path begin.
constexpr std::size_t path_bytes = 6;

using Values = std::vector<std::string>;  // of one id; several only while a commit is applied

}  // namespace

CurrentOrder::CurrentOrder(SortedColumn::Ptr column)
    : column_(std::move(column)), all_(column_->all()) {}

// Applies the changes to the value that the column has. Changes are ordered by posting, so
// within a commit the new value of a record may be added before its old one is removed.
CurrentOrder::Ptr with_changes(const SortedColumn::Ptr& column,
                               std::span<const ColumnChange> changes) {
  auto order = std::make_shared<CurrentOrder>(column);
  if (changes.empty()) return order;
  if (!column->reads_values()) return nullptr;
  std::map<std::uint64_t, Values> now;
  for (const ColumnChange& change : changes) {
    const auto [place, is_new] = now.try_emplace(change.id);
    Values& values = place->second;
    std::string value;
    if (is_new && column->read_value(change.id, value)) values.push_back(std::move(value));
    std::erase(values, std::string_view(change.posting).substr(path_bytes));
    if (change.added) values.emplace_back(change.posting, path_bytes);
  }
  std::vector<CurrentOrder::Recent> recent;
  for (auto& [id, values] : now) {
    if (values.size() > 1) return nullptr;
    recent.push_back({id, values.empty() ? std::nullopt : std::optional(std::move(values[0]))});
  }
  return order->take(std::move(recent)) ? order : nullptr;
}

bool CurrentOrder::take(std::vector<Recent> recent) {
  recent_ = std::move(recent);
  std::vector<std::uint64_t> ids;
  std::map<std::string_view, std::vector<std::uint64_t>> by_value;
  for (const Recent& one : recent_) {
    ids.push_back(one.id);
    if (one.value) by_value[*one.value].push_back(one.id);
  }
  ignored_ = codec::intersect(Bitmap::from_sorted(ids), column_->all());
  if (!ignored_.empty()) all_ = codec::subtract(all_, ignored_);
  ignored_.for_each([&](std::uint64_t id) {
    static_cast<void>(column_->read_value(id, ignored_values_.emplace_back()));
  });
  std::ranges::sort(ignored_values_);
  if (by_value.empty()) return true;
  SortedColumn::Builder builder;
  for (const auto& [value, own] : by_value) builder.add(value, Bitmap::from_sorted(own));
  order_ = builder.build();
  if (order_ == nullptr) return false;
  all_ = codec::unite(all_, order_->all());
  return true;
}

Bitmap CurrentOrder::between(std::string_view first, std::optional<std::string_view> last) const {
  Bitmap ids = column_->between(first, last);
  if (!ignored_.empty()) ids = codec::subtract(ids, ignored_);
  return order_ == nullptr ? ids : codec::unite(ids, order_->between(first, last));
}

std::uint64_t CurrentOrder::count(std::string_view first,
                                  std::optional<std::string_view> last) const {
  const auto from = std::ranges::lower_bound(ignored_values_, first);
  const auto until =
      last ? std::lower_bound(from, ignored_values_.end(), *last) : ignored_values_.end();
  return column_->count(first, last) - static_cast<std::uint64_t>(until - from) +
         (order_ == nullptr ? 0 : order_->count(first, last));
}

Bitmap CurrentOrder::first_of(const Bitmap& ids, std::uint64_t wanted, End end, Ties ties) const {
  const Bitmap found = ignored_.empty()
                           ? column_->first_of(ids, wanted, end, ties)
                           : column_->first_of(codec::subtract(ids, ignored_), wanted, end, ties);
  return order_ == nullptr ? found : codec::unite(found, order_->first_of(ids, wanted, end, ties));
}

// The column also finds ids to ignore, at most as many as the sets have.
Bitmap CurrentOrder::first_common(std::span<const Bitmap> sets, std::uint64_t wanted, End end,
                                  Ties ties) const {
  Bitmap ignored = ignored_;
  for (const Bitmap& set : sets)
    if (!ignored.empty()) ignored = codec::intersect(ignored, set);
  Bitmap found = column_->first_common(sets, wanted + ignored.cardinality(), end, ties);
  if (!ignored.empty()) found = codec::subtract(found, ignored);
  if (order_ == nullptr) return found;
  return codec::unite(found, order_->first_common(sets, wanted, end, ties));
}

std::vector<std::uint64_t> CurrentOrder::extremes(const Bitmap& ids, End end) const {
  std::vector<std::uint64_t> found;
  const Bitmap& rest = ignored_.empty() ? ids : codec::subtract(ids, ignored_);
  constexpr Ties ties = Ties::lowest_ids;
  if (const auto first = column_->first_of(rest, 1, end, ties).first()) found.push_back(*first);
  if (order_ == nullptr) return found;
  if (const auto first = order_->first_of(ids, 1, end, ties).first()) found.push_back(*first);
  return found;
}

const CurrentOrder::Recent* CurrentOrder::find_recent(std::uint64_t id) const {
  const auto found = std::ranges::lower_bound(recent_, id, {}, &Recent::id);
  return found == recent_.end() || found->id != id ? nullptr : &*found;
}

bool CurrentOrder::read_value(std::uint64_t id, std::string& value) const {
  const Recent* const recent = find_recent(id);
  if (recent == nullptr) return column_->read_value(id, value);
  if (recent->value) value = *recent->value;
  return recent->value.has_value();
}

}  // namespace cairn::engine
