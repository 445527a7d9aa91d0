// CALL: returns the rows of a procedure for each input row. A procedure is a function from
// arguments to rows. Usually it returns all rows at once, because their number is bounded by its
// subject (labels, indexes, facets) or by a limit among the arguments. A procedure that reads a
// file returns its rows one by one instead. Errors get the position of the CALL, unless they have
// the position of an argument.

#include "query/execute/call/operators.hpp"
#include "query/execute/call/procedures.hpp"
#include "query/execute/row_loader.hpp"
#include "query/execute/write/eager_operator.hpp"
#include "query/plan/planner.hpp"
#include "query/registered/call_body.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::query {
namespace {

// Returns the procedure with its parameters, for error messages.
std::string signature(const Procedure& procedure) {
  std::string text(procedure.name);
  text += '(';
  for (const std::string_view parameter : procedure.parameters)
    text += (text.ends_with('(') ? "" : ", ") + std::string(parameter);
  return text + ')';
}

/// Parameters whose name ends in ? are optional. Optional arguments can be omitted from the end.
Status check_count(const Procedure& procedure, std::size_t count) {
  const auto is_needed = [](std::string_view parameter) { return !parameter.ends_with('?'); };
  const auto& parameters = procedure.parameters;
  const auto least =
      static_cast<std::size_t>(std::count_if(parameters.begin(), parameters.end(), is_needed));
  if (count >= least && count <= parameters.size()) return {};
  std::string range = std::to_string(least);
  if (least < parameters.size()) range += " to " + std::to_string(parameters.size());
  return Error{ErrorCode::invalid_argument,
               signature(procedure) + " takes " + range +
                   (range == "1" ? " argument, got " : " arguments, got ") + std::to_string(count),
               std::nullopt};
}

// Evaluates the arguments for one row and calls the procedure.
class ProcedureCall {
 public:
  ProcedureCall(ExecutionContext& context, const CallClause& clause)
      : context_(context), clause_(clause), writes_(is_writing(clause)), held_(context.budget) {}

  [[nodiscard]] const Procedure& procedure() const noexcept { return procedure_; }

  /// Calls the procedure and returns its rows. If the procedure makes its rows one by one, returns
  /// no rows: the caller reads them from source(). Errors without a position get the position of
  /// the call.
  Result<Procedure::Rows> run(Row row) {
    auto rows = try_run(row);
    if (!rows) return placed(rows.error());
    return rows;
  }
  /// nullptr if run() returned all rows.
  [[nodiscard]] RowSource* source() const noexcept { return source_.get(); }
  [[nodiscard]] Error placed(Error error) const {
    if (!error.where) error.where = clause_.where;
    return error;
  }

 private:
  Status find() {
    if (!procedure_.name.empty()) return {};
    CAIRN_ASSIGN(procedure_, procedure_of(clause_));
    return {};
  }

  // The number of arguments is checked after their evaluation. Registered calls check the number of
  // their arguments themselves.
  Result<Procedure::Rows> try_run(Row row) {
    source_.reset();
    held_.clear();
    CAIRN_TRY(find());
    std::vector<Value> arguments;
    for (const ExpressionPtr& argument : clause_.arguments) {
      CAIRN_ASSIGN(Value value, context_.evaluator.evaluate(*argument, row));
      arguments.push_back(std::move(value));
    }
    if (clause_.registered != nullptr) return run_registered(arguments);
    CAIRN_TRY(check_count(procedure_, arguments.size()));
    // Not every procedure writes by a GraphEditor.
    if (writes_) context_.graph.begin_change();
    if (procedure_.open != nullptr) {
      CAIRN_ASSIGN(source_, procedure_.open(context_, arguments));
      return Procedure::Rows();
    }
    CAIRN_ASSIGN(Procedure::Rows rows, procedure_.run(context_, arguments));
    CAIRN_TRY(hold(rows));
    return rows;
  }

  /// A registered procedure without columns returns one empty row, so that the input row passes on.
  Result<Procedure::Rows> run_registered(std::vector<Value>& arguments) {
    RowLoader loader(context_.graph, context_.budget);
    const std::span<Value> values(arguments);
    if (RowLoader::needs_loading(values)) CAIRN_TRY(loader.load(values));
    CAIRN_ASSIGN(Procedure::Rows rows,
                 call_procedure(*clause_.registered, arguments, context_.budget.free_bytes(),
                                context_.budget));
    if (procedure_.columns.empty()) return Procedure::Rows(1);
    CAIRN_TRY(hold(rows));
    return rows;
  }

  /// Charges the memory of the rows until the next call.
  Status hold(const Procedure::Rows& rows) {
    held_.clear();
    for (const std::vector<Value>& row : rows) {
      CAIRN_TRY(held_.add_bytes(sizeof(row) + row.size() * sizeof(Value)));
      CAIRN_TRY(held_.add(row));
    }
    return context_.budget.step(rows.size());
  }

  ExecutionContext& context_;
  const CallClause& clause_;
  const bool writes_;
  Procedure procedure_;  // no name before find()
  std::unique_ptr<RowSource> source_;
  Holding held_;
};

// Maps each YIELD to a column of the procedure.
class YieldedColumns {
 public:
  YieldedColumns(const CallClause& clause, bool gives_all)
      : clause_(clause), gives_all_(gives_all) {}

  /// Finds columns by name, because YIELD may name them in any order and repeatedly. All of them exist: see
  /// check_procedures().
  void find(const Procedure& procedure) {
    columns_.clear();
    const auto& names = procedure.columns;
    for (const CallClause::Yield& yield : clause_.yields)
      columns_.push_back(
          static_cast<std::size_t>(std::ranges::find(names, yield.column) - names.begin()));
  }

  /// Copies the yielded values into a row. A standalone CALL copies all columns in the order of the
  /// procedure.
  void fill(Row made, const std::vector<Value>& values) const {
    if (gives_all_) std::copy(values.begin(), values.end(), made.begin());
    for (std::size_t i = 0; i < clause_.yields.size(); ++i)
      made[clause_.yields[i].slot] = values[columns_[i]];
  }

 private:
  const CallClause& clause_;
  bool gives_all_;
  std::vector<std::size_t> columns_;
};

// Runs procedures that only read. For each input row, returns one row for each row of the
// procedure. An input row for which the procedure returns no rows is dropped.
class CallProcedureOperator final : public FanOutOperator {
 public:
  CallProcedureOperator(const CallProcedure& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        call_(parts.context, *content.clause),
        columns_(*content.clause, content.gives_all) {}

 protected:
  Status begin(Row row) override {
    rows_ = {};
    next_ = 0;
    CAIRN_ASSIGN(rows_, call_.run(row));
    columns_.find(call_.procedure());
    return {};
  }

  /// Returns the rows of a call batch by batch.
  Result<bool> emit(Row row, RowBatch& out) override {
    if (call_.source() != nullptr) return emit_from(*call_.source(), row, out);
    for (; next_ < rows_.size() && !out.full(); ++next_) {
      CAIRN_TRY(out.hold(rows_[next_]));
      CAIRN_ASSIGN(const Row made, out.append(row));
      columns_.fill(made, rows_[next_]);
    }
    return next_ < rows_.size();
  }

 private:
  /// Returns rows of a source. Each row is freed with its batch.
  Result<bool> emit_from(RowSource& source, Row row, RowBatch& out) {
    while (!out.full()) {
      const auto is_there = source.next(made_);
      if (!is_there) return call_.placed(is_there.error());
      if (!*is_there) return false;
      CAIRN_TRY(out.hold(made_));
      CAIRN_ASSIGN(const Row made, out.append(row));
      columns_.fill(made, made_);
    }
    return true;
  }

  ProcedureCall call_;
  YieldedColumns columns_;
  std::vector<Value> made_;
  Procedure::Rows rows_;
  std::size_t next_ = 0;
};

// Runs procedures that write. All changes are made before the first row is returned. A procedure
// without columns passes its input rows on. Other procedures return their own rows, possibly none.
class CallWritingProcedureOperator final : public EagerOperator {
 public:
  CallWritingProcedureOperator(const CallProcedure& content, Parts parts)
      : EagerOperator(std::move(parts)),
        call_(context_, *content.clause),
        columns_(*content.clause, content.gives_all) {}

 protected:
  /// A procedure without columns neither adds nor removes rows: the input rows pass on unchanged.
  Status apply(Row row) override {
    CAIRN_ASSIGN(const Procedure::Rows rows, call_.run(row));
    columns_.find(call_.procedure());
    if (call_.procedure().columns.empty()) return {};
    take_over();
    for (const std::vector<Value>& values : rows) {
      std::vector<Value> made(row.begin(), row.end());
      made.resize(std::max<std::size_t>(width(), row.size()));
      columns_.fill(made, values);
      CAIRN_TRY(hand_on(made));
    }
    return {};
  }

 private:
  ProcedureCall call_;
  YieldedColumns columns_;
};

}  // namespace

OperatorPtr make_operator(const CallProcedure& content, Parts parts) {
  if (is_writing(*content.clause))
    return std::make_unique<CallWritingProcedureOperator>(content, std::move(parts));
  return std::make_unique<CallProcedureOperator>(content, std::move(parts));
}

}  // namespace cairn::query
