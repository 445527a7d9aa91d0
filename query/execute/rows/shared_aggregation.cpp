// Each thread has a context, a copy of the operators, and an aggregation of its own. They share the source, the memory and the
// time of the statement. A thread that fails stops the others, and its error is dropped: which error comes first depends on
// how rows are divided, so the statement runs again on one thread, which gives the error.
#include "query/execute/rows/shared_aggregation.hpp"

#include "query/execute/failed_allocation.hpp"
#include "query/execute/pipeline/running_plan.hpp"
#include "query/plan/logical_plan.hpp"

#include <exception>
#include <optional>
#include <span>
#include <utility>

namespace cairn::query {

/// What one thread has. Made by that thread, and destroyed by the thread of the statement.
struct SharedAggregation::Worker {
  explicit Worker(SharedAggregation& all)
      : context(all.context_, all.options_, all.room_),
        part(all.content_, context, AggregatedRows::some) {
    auto first = std::make_unique<MorselOperator>(context, all.feed_, all.source_.width());
    morsel = first.get();
    root = std::move(first);
    const Aggregate::Shared& shared = all.content_.shared;
    for (const Operator& one : std::span(shared.first, shared.count))
      root = lower(context, one, std::move(root));
  }

  ExecutionContext context;
  MorselOperator* morsel = nullptr;  // the first operator, owned by root
  OperatorPtr root;
  Aggregation part;
};

namespace {

/// Adds the figures of one thread.
void add(OperatorProfile& sum, const OperatorProfile& one) {
  sum.rows += one.rows;
  sum.ids_touched += one.ids_touched;
  sum.records_read += one.records_read;
  sum.nanoseconds += one.nanoseconds;
  sum.remark = one.remark;
  for (const auto& [node, ids] : one.parts) sum.parts[node] = ids;
}

Error unread() {
  return {ErrorCode::unsupported, "an operator ended without a look at its input", std::nullopt};
}

}  // namespace

SharedAggregation::SharedAggregation(const Aggregate& content, ExecutionContext& context,
                                     PhysicalOperator& source)
    : content_(content),
      context_(context),
      source_(source),
      feed_(source, content.shared.rows_at_once),
      options_(context.options),
      help_(*context.workers, [this] { work(false); }) {
  options_.cancel = stop_.get_token();
  context_.budget.share_memory(room_);
}

// Memory of the workers belongs to the room, so they end first.
SharedAggregation::~SharedAggregation() {
  help_.finish();
  workers_.clear();
  context_.budget.end_sharing();
}

Result<bool> SharedAggregation::run(Aggregation& whole) {
  {
    const std::stop_callback cancelled(context_.budget.cancel(), [this] { stop_.request_stop(); });
    work(true);
    help_.finish();
  }
  // Looks at the clock and the token: the end of the statement is no reason to run it again.
  constexpr std::uint64_t enough_for_a_look = 1'024;
  CAIRN_TRY(context_.budget.step(enough_for_a_look));
  if (has_failed_) return false;
  const Status joined = within_memory([&] { return join(whole); });
  if (joined) return true;
  CAIRN_TRY(context_.budget.step(enough_for_a_look));
  return false;
}

// What one thread does. A thread that comes too late makes no copies.
void SharedAggregation::work(bool is_first) noexcept {
  if (feed_.is_ended()) return;
  const Status worked = within_memory([&]() -> Status {
    CAIRN_ASSIGN(Worker * worker, make_worker());
    return aggregate(*worker, is_first);
  });
  if (!worked) stop();
}

Result<SharedAggregation::Worker*> SharedAggregation::make_worker() {
  auto made = std::make_unique<Worker>(*this);
  Worker* const worker = made.get();
  const std::lock_guard lock(mutex_);
  workers_.push_back(std::move(made));
  return worker;
}

void SharedAggregation::stop() noexcept {
  has_failed_ = true;
  feed_.end();
  stop_.request_stop();
}

// Asks for help after the first morsel, because many statements have no second one.
Status SharedAggregation::aggregate(Worker& worker, bool is_first) {
  RowBatch rows;
  for (bool is_helped = !is_first;; is_helped = true) {
    worker.root->restart();
    while (true) {
      CAIRN_ASSIGN(const bool more, worker.root->next(rows));
      if (!more) break;
      CAIRN_TRY(worker.part.add(rows, *worker.morsel->morsel()));
    }
    if (!worker.morsel->is_taken()) return unread();
    if (!worker.morsel->morsel()) return {};
    if (!is_helped) help_.ask(content_.shared.threads - 1);
  }
}

Status SharedAggregation::join(Aggregation& whole) {
  std::vector<Aggregation*> parts;
  for (const auto& worker : workers_) {
    parts.push_back(&worker->part);
    for (const std::string& warning : worker->context.warnings) warn_once(context_, warning);
  }
  return whole.join(parts);
}

OperatorProfiles SharedAggregation::profiles() const {
  OperatorProfiles sums;
  for (const auto& worker : workers_)
    for (const auto& [one, profile] : worker->context.running) add(sums[one], *profile);
  return sums;
}

}  // namespace cairn::query
