// The scores of index and function are the same formula over the same 32-bit components, summed in another order:
// `tolerance` is many times what that can make of a score. An id is left out only where its score lies lower than
// the bound by more than that, so that the sort behind decides among all that it might keep.
#include "query/execute/read/nearest_first.hpp"

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/vector/vector_index.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/vector_components.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::query {
namespace {

constexpr double tolerance = 1e-5;
/// Fewer are read from their records sooner than searched for.
constexpr std::uint64_t few = 64;
constexpr std::size_t first_depth = 64, times_deeper = 8;

double number_of(const Value& number) {
  const auto* whole = number.get_if<std::int64_t>();
  return whole != nullptr ? static_cast<double>(*whole) : number.as_float();
}

/// Whether an index, which rounds to 32 bits, sees this very number.
bool is_float32(const Value& number) {
  const double exact = number_of(number);
  return std::isfinite(exact) && static_cast<double>(static_cast<float>(exact)) == exact;
}

/// Rounding to 32 bits changes a direction by less than the tolerance, unless the components are tiny, and a distance by
/// what they are long.
bool is_searched_as_given(const Value& query, codec::Metric metric) {
  const List* list = query.list();
  if (list == nullptr) return true;
  if (metric != codec::Metric::cosine) return std::ranges::all_of(*list, is_float32);
  constexpr double least_length = 1e-30;
  return std::ranges::any_of(
      *list, [](const Value& one) { return std::fabs(number_of(one)) >= least_length; });
}

/// On a row of its own: local variables need room.
Result<Value> evaluate_constant(Evaluator& evaluator, const Expression& expression) {
  std::vector<Value> row(needed_width(expression));
  return evaluator.evaluate(expression, row);
}

bool is_vector(const Value& value) {
  const List* list = value.list();
  if (list != nullptr) return !list->empty() && std::ranges::all_of(*list, &Value::is_number);
  return value.get_if<Vector>() != nullptr;
}

}  // namespace

// What the functions would refuse is not searched for: they give their own errors.
Result<bool> NearestFirst::read_query() {
  const auto evaluated = evaluate_constant(context_.evaluator, *wanted_.query);
  if (!evaluated) return false;
  const Value& query = *evaluated;
  if (!is_vector(query) || !is_searched_as_given(query, wanted_.metric)) return false;
  CAIRN_ASSIGN(query_, vector_components(query, wanted_.query->where));
  least_.reset();
  if (wanted_.least == nullptr) return true;
  const auto bound = evaluate_constant(context_.evaluator, *wanted_.least);
  const Value least = bound ? *bound : Value();
  if (const auto* number = least.get_if<double>()) least_ = *number;
  if (const auto* number = least.get_if<std::int64_t>()) least_ = static_cast<double>(*number);
  return true;
}

std::optional<std::uint32_t> NearestFirst::find_index() const {
  const engine::Catalog& catalog = context_.graph.catalog();
  const auto property = catalog.find_property(wanted_.property);
  if (!property) return std::nullopt;
  for (const auto& [id, entry] : catalog.indexes())
    if (entry.kind == codec::IndexKind::vector && entry.entity == kind_ &&
        entry.state == codec::IndexState::online && entry.metric == wanted_.metric &&
        entry.dimension == query_.size() && entry.properties == std::vector{*property} &&
        engine::check_vector(query_, entry.dimension, entry.metric, "the query vector"))
      return id;
  return std::nullopt;
}

Result<bool> NearestFirst::begin(const codec::Bitmap& ids) {
  if (ids.cardinality() <= few) return false;
  CAIRN_ASSIGN(const bool is_asking, read_query());
  if (!is_asking) return false;
  const std::optional<std::uint32_t> index = find_index();
  if (!index) return false;
  auto members = context_.graph.view().with_vector(*index);
  if (!members) return false;  // made by this transaction: it is not built yet
  left_ = codec::intersect(ids, *members);
  if (left_.cardinality() <= few) return false;
  index_ = *index;
  others_ = codec::subtract(ids, left_);
  other_cursor_.emplace(others_);
  hits_.clear();
  next_ = 0;
  depth_ = first_depth;
  context_.lowest_kept[wanted_.sort] = -std::numeric_limits<double>::infinity();
  return true;
}

// The sort says what it has; before it has enough, nothing is too low for it.
bool NearestFirst::is_too_low(double score) const {
  const double bound = std::max(least_.value_or(-std::numeric_limits<double>::infinity()),
                                context_.lowest_kept.at(wanted_.sort));
  return score + tolerance < bound;
}

Status NearestFirst::search_more() {
  hits_.clear();
  next_ = 0;
  if (left_.empty()) return {};
  CAIRN_TRY(context_.budget.step(left_.cardinality()));
  engine::VectorQuery query;
  query.query = query_;
  query.k = depth_;
  query.exact = true;
  query.allowed = &left_;
  CAIRN_ASSIGN(const auto found, context_.graph.view().nearest(index_, query));
  std::vector<std::uint64_t> ids;
  for (const engine::Neighbor& hit : found.hits) {
    hits_.push_back({hit.id, hit.score});
    ids.push_back(hit.id);
  }
  left_ = codec::subtract(left_, codec::Bitmap::from_unsorted(std::move(ids)));
  depth_ *= times_deeper;
  return {};
}

Result<std::size_t> NearestFirst::next(std::span<std::uint64_t> ids) {
  if (const std::size_t count = other_cursor_->next(ids)) return count;
  if (next_ == hits_.size()) CAIRN_TRY(search_more());
  std::size_t count = 0;
  while (count < ids.size() && next_ < hits_.size() && !is_too_low(hits_[next_].score))
    ids[count++] = hits_[next_++].id;
  return count;
}

}  // namespace cairn::query
