// Each thread has a context, a copy of the operators, and a part of the result of its own. All threads share the
// source, the memory and the time of the statement. A thread that fails stops the others. Its error is dropped, because
// the first error depends on how rows are divided: the statement runs again on one thread and reports the error of that
// run.
#include "query/execute/rows/shared_run.hpp"

#include "query/execute/failed_allocation.hpp"
#include "query/execute/pipeline/running_plan.hpp"
#include "query/plan/logical_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::query {

/// The state of one thread. Created by that thread, and destroyed by the thread of the statement.
struct SharedRun::Worker {
  // Makes the operators of the shared part once more, above a MorselOperator, for this thread.
  explicit Worker(SharedRun& all)
      : context(all.context_, all.options_, all.shared_memory_),
        part(all.gathering_.make(context)) {
    auto first = std::make_unique<MorselOperator>(context, all.feed_, all.source_.width());
    morsel = first.get();
    root = std::move(first);
    for (const Operator& one : std::span(all.shared_.first, all.shared_.count))
      root = lower(context, one, std::move(root));
  }

  ExecutionContext context;
  MorselOperator* morsel = nullptr;  // the first operator, owned by root
  OperatorPtr root;
  std::unique_ptr<ThreadPart> part;
  std::vector<std::uint64_t>
      warned;  // for each warning of the context, the morsel whose rows caused it
};

namespace {

Error input_not_read() {
  return {ErrorCode::unsupported, "an operator ended without reading its input", std::nullopt};
}

}  // namespace

SharedRun::SharedRun(const SharedPart& shared, ExecutionContext& context, PhysicalOperator& source,
                     const Gathering& gathering)
    : shared_(shared),
      context_(context),
      source_(source),
      gathering_(gathering),
      feed_(source, shared.rows_at_once),
      options_(context.options),
      help_(*context.workers, [this] { work(false); }) {
  options_.cancel = stop_.get_token();
  context_.budget.share_memory(shared_memory_);
}

// The workers use the shared memory, so they are destroyed before the sharing ends.
SharedRun::~SharedRun() {
  help_.finish();
  workers_.clear();
  context_.budget.end_sharing();
}

Result<bool> SharedRun::run() {
  {
    const std::stop_callback cancelled(context_.budget.cancel(), [this] { stop_.request_stop(); });
    work(true);
    help_.finish();
  }
  // Enough steps to check the clock and the cancel token, so that a statement that has ended does not run again.
  constexpr std::uint64_t enough_steps = 1'024;
  CAIRN_TRY(context_.budget.step(enough_steps));
  if (has_failed_) return false;
  const Status joined = within_memory([&] { return join(); });
  if (joined) return true;
  CAIRN_TRY(context_.budget.step(enough_steps));
  return false;
}

// Runs on each thread. A thread that starts after the last morsel copies no operators.
void SharedRun::work(bool is_first) noexcept {
  if (feed_.is_ended()) return;
  const Status worked = within_memory([&]() -> Status {
    CAIRN_ASSIGN(Worker * worker, make_worker());
    CAIRN_TRY(gather(*worker, is_first));
    return worker->part->finish();
  });
  if (!worked) stop();
}

Result<SharedRun::Worker*> SharedRun::make_worker() {
  auto made = std::make_unique<Worker>(*this);
  Worker* const worker = made.get();
  const std::lock_guard lock(mutex_);
  workers_.push_back(std::move(made));
  return worker;
}

void SharedRun::stop() noexcept {
  has_failed_ = true;
  feed_.end();
  stop_.request_stop();
}

// Requests further threads after the first morsel, because many statements have only one.
Status SharedRun::gather(Worker& worker, bool is_first) {
  RowBatch rows;
  for (bool is_helped = !is_first;; is_helped = true) {
    worker.root->restart();
    while (true) {
      CAIRN_ASSIGN(const bool more, worker.root->next(rows));
      if (!more) break;
      CAIRN_TRY(worker.part->add(rows, *worker.morsel->morsel()));
    }
    if (!worker.morsel->is_taken()) return input_not_read();
    if (!worker.morsel->morsel()) return {};
    worker.warned.resize(worker.context.warnings.size(), *worker.morsel->morsel());
    if (!is_helped) help_.ask(shared_.threads - 1);
  }
}

Status SharedRun::join() {
  join_warnings();
  std::vector<ThreadPart*> parts;
  for (const auto& worker : workers_) parts.push_back(worker->part.get());
  return gathering_.join(parts);
}

// Adds the warnings in the order in which a single thread would give them. A warning without a morsel was given after
// the last morsel.
void SharedRun::join_warnings() {
  std::vector<std::tuple<std::uint64_t, std::size_t, std::string_view>> found;
  for (const auto& worker : workers_) {
    const std::vector<std::string>& warnings = worker->context.warnings;
    worker->warned.resize(warnings.size(), ~std::uint64_t{0});
    for (std::size_t i = 0; i < warnings.size(); ++i)
      found.emplace_back(worker->warned[i], i, warnings[i]);
  }
  std::ranges::sort(found);
  for (const auto& [morsel, number, warning] : found) warn_once(context_, std::string(warning));
}

OperatorProfiles SharedRun::profiles() const {
  OperatorProfiles sums;
  for (const auto& worker : workers_)
    for (const auto& [one, profile] : worker->context.running) add(sums[one], *profile);
  return sums;
}

std::uint32_t SharedInput::width() const {
  const std::span operators(shared_.first, shared_.count);
  return operators.empty() ? source_.width() : operators.back().width;
}

void SharedInput::restart() {
  if (chain_ != nullptr) chain_->restart();
}

Result<bool> SharedInput::gather(const Gathering& gathering) {
  if (shared_.threads <= 1) return false;
  {
    SharedRun run(shared_, context_, source_, gathering);
    CAIRN_ASSIGN(const bool is_done, run.run());
    if (context_.profile) profiles_ = run.profiles();
    for (const auto& [one, profile] : profiles_) context_.running[one] = &profile;
    if (is_done) return true;
  }
  make_chain();
  return false;
}

void SharedInput::make_chain() {
  source_.restart();
  chain_ = std::make_unique<BorrowedOperator>(context_, source_);
  for (const Operator& one : std::span(shared_.first, shared_.count))
    chain_ = lower(context_, one, std::move(chain_));
}

// Morsel-driven parallelism (Leis et al., 2014): threads take small parts of the input until none is left, so no thread
// waits for a slower one. Batches of the operator are split, because a single row may cause much work in later
// operators.

Result<std::optional<std::uint64_t>> RowFeed::next(RowBatch& out) {
  using Next = std::optional<std::uint64_t>;
  const std::lock_guard lock(mutex_);
  const auto is_there = fill();
  is_ended_ = !is_there || !*is_there;
  if (!is_there) return is_there.error();
  if (is_ended_) return Next();
  CAIRN_TRY(give(out));
  return Next(number_++);
}

void RowFeed::end() {
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
}

bool RowFeed::is_ended() {
  const std::lock_guard lock(mutex_);
  return is_ended_;
}

// Returns whether there are rows to hand out.
Result<bool> RowFeed::fill() {
  if (is_ended_) return false;
  while (given_ == rows_.size()) {
    given_ = 0;
    CAIRN_ASSIGN(const bool more, source_.next(rows_));
    if (!more) return false;
    rows_.pack_rows();
  }
  return true;
}

// Morsels grow, because the number of rows was only estimated.
std::size_t RowFeed::rows_wanted() const noexcept {
  constexpr std::uint64_t morsels_of_a_size = 64;
  const std::uint64_t doublings = std::min<std::uint64_t>(number_ / morsels_of_a_size, 10);
  return std::min(rows_at_once_ << doublings, RowBatch::capacity);
}

Status RowFeed::give(RowBatch& out) {
  const std::size_t rows = std::min(rows_wanted(), rows_.size() - given_);
  if (rows == rows_.size()) {
    CAIRN_TRY(out.pack(rows, rows_.take_columns()));
    return {};
  }
  std::vector<std::uint32_t> taken(rows);
  std::iota(taken.begin(), taken.end(), static_cast<std::uint32_t>(given_));
  given_ += rows;
  std::vector<BatchColumn> columns;
  for (const BatchColumn& column : rows_.columns()) columns.push_back(column.gather(taken));
  return out.pack(rows, std::move(columns));
}

Result<bool> MorselOperator::produce(RowBatch& out) {
  if (std::exchange(is_taken_, true)) return false;
  CAIRN_ASSIGN(number_, feed_.next(out));
  return number_.has_value();
}

}  // namespace cairn::query
