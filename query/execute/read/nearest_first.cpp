// Returns the ids of a scan with the nearest vectors first. The index and the similarity function
// compute scores by the same formula from the same 32-bit components, but add these in a different
// order. `tolerance` is far larger than the resulting difference. An id is omitted only if its
// score is below the bound by more than `tolerance`. The later sort decides about all other ids.
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
/// For fewer ids, reading their records is cheaper than a search.
constexpr std::uint64_t few = 64;
// The number of hits in the first search, and the factor for each further search.
constexpr std::size_t first_depth = 64, times_deeper = 8;

double number_of(const Value& number) {
  const auto* whole = number.get_if<std::int64_t>();
  return whole != nullptr ? static_cast<double>(*whole) : number.as_float();
}

/// True if the number is exactly representable in 32 bits, as the index stores it.
bool is_float32(const Value& number) {
  const double exact = number_of(number);
  return std::isfinite(exact) && static_cast<double>(static_cast<float>(exact)) == exact;
}

/// True if rounding the query to 32 bits changes scores by less than the tolerance. For cosine this
/// is true unless all components are tiny. For distances the components must be exact.
bool is_searched_as_given(const Value& query, codec::Metric metric) {
  const List* list = query.list();
  if (list == nullptr) return true;
  if (metric != codec::Metric::cosine) return std::ranges::all_of(*list, is_float32);
  constexpr double least_length = 1e-30;
  return std::ranges::any_of(
      *list, [](const Value& one) { return std::fabs(number_of(one)) >= least_length; });
}

/// Evaluates on a row of its own, which has room for local variables.
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

// Returns false for arguments that the similarity function would reject, so that the function
// reports its own error.
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

// Returns an index of this property with the metric and dimension of the query, or nullopt.
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

// Until the sort has reported a bound, -infinity keeps every row.
Result<bool> NearestFirst::begin(const codec::Bitmap& ids) {
  if (ids.cardinality() <= few) return false;
  CAIRN_ASSIGN(const bool is_asking, read_query());
  if (!is_asking) return false;
  const std::optional<std::uint32_t> index = find_index();
  if (!index) return false;
  auto members = context_.graph.view().with_vector(*index);
  if (!members) return false;  // created by this transaction and not built yet
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

// The sort reports its lowest needed score. Until it has enough rows, no score is too low.
bool NearestFirst::is_too_low(double score) const {
  const double bound = std::max(least_.value_or(-std::numeric_limits<double>::infinity()),
                                context_.lowest_kept.at(wanted_.sort));
  return score + tolerance < bound;
}

// Searches the remaining ids, for more hits each time.
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

// Hits are ordered by score, so the scan ends at the first one that is too low.
Result<std::size_t> NearestFirst::next(std::span<std::uint64_t> ids) {
  if (const std::size_t count = other_cursor_->next(ids)) return count;
  if (next_ == hits_.size()) CAIRN_TRY(search_more());
  std::size_t count = 0;
  while (count < ids.size() && next_ < hits_.size() && !is_too_low(hits_[next_].score))
    ids[count++] = hits_[next_++].id;
  return count;
}

}  // namespace cairn::query
