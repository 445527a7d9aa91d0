// Calls a body with checked arguments and checks its results against the declared types.
//
// A body runs on another thread unless its options set `runs_in_place`, so that a stopped statement need not wait for
// the body. The body may then outlive its statement. So a shared call object owns the arguments, the results and the
// function itself.
#include "query/registered/call_body.hpp"

#include "codec/value_extent.hpp"
#include "query/functions/call.hpp"
#include "query/functions/value_forms.hpp"

#include <atomic>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace cairn {
namespace query {
namespace {

using Row = std::vector<Value>;

/// The error for an exception that a body threw.
Error thrown_error(const Signature& signature, std::string_view what) {
  return {ErrorCode::invalid_argument,
          signature.name + "() threw an exception: " + std::string(what), std::nullopt};
}

/// Calls `act` and returns its result. An exception becomes an error.
template <class Act>
auto guarded(const Signature& signature, const Act& act) -> decltype(act()) {
  try {
    return act();
  } catch (const std::exception& thrown) {
    const char* const what = thrown.what();
    return thrown_error(signature, what == nullptr ? "it has no message" : what);
  } catch (...) {
    return thrown_error(signature, "it is not a std::exception");
  }
}

/// Prefixes the error with the name of the function. Drops the place: if the body ran a statement, the place is in
/// that statement's text.
Error named(const Signature& signature, Error error) {
  error.message.insert(0, signature.name + "(): ");
  error.where.reset();
  return error;
}

/// True if the value is nested more deeply than statements allow, because recursive code would need too much stack.
bool is_too_deep(const Value& value) { return codec::extent_of(value).levels > codec::most_levels; }

/// Makes the error for a value that is too deep. `what` names the value: "the result".
Error too_deep(const Signature& signature, const std::string& what) {
  return {ErrorCode::resource_limit,
          what + " of " + signature.name + "() has more than " +
              std::to_string(codec::most_levels) + " levels of nested lists and maps",
          std::nullopt};
}

/// The error for an argument that does not fit its parameter.
Error refused_argument(const Signature& signature, std::size_t place, const Value& value) {
  const DeclaredName& parameter = signature.parameters[place];
  return {ErrorCode::type_error,
          signature.name + "() takes " + parameter.type.text() + " for `" + parameter.name +
              "`, got " + described(value),
          std::nullopt};
}

/// Converts the value to the type; returns nullopt if it does not fit. Checks the memory limit first: a conversion
/// copies lists, and a list that occurs several times in the value is shared before but not after it.
Result<std::optional<Value>> fit_within(engine::Limits& limits, const DeclaredType& type,
                                        const Value& value) {
  const std::uint64_t bytes = codec::extent_of(value).bytes;
  CAIRN_TRY(limits.step(bytes / 1'024));
  if (type.fit_of(value) == DeclaredType::Fit::changed) CAIRN_TRY(limits.check_room(bytes));
  return type.fit(value);
}

/// Converts all arguments. Returns nullopt if a null was passed for a parameter that may not be null. Errors:
/// type_error for any other argument that does not fit.
Result<std::optional<Row>> fit_arguments(const Signature& signature,
                                         std::span<const Value> arguments, engine::Limits& limits) {
  Row fitting;
  bool has_wrong_null = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_too_deep(arguments[i]))
      return too_deep(signature, "argument `" + signature.parameters[i].name + "`");
    CAIRN_ASSIGN(auto fitted, fit_within(limits, signature.parameters[i].type, arguments[i]));
    if (!fitted && !arguments[i].is_null()) return refused_argument(signature, i, arguments[i]);
    has_wrong_null = has_wrong_null || !fitted;
    fitting.push_back(fitted ? *std::move(fitted) : Value());
  }
  return has_wrong_null ? std::optional<Row>() : std::optional(std::move(fitting));
}

/// Runs `call` in place or on another thread, as the options say. On another thread the call object is shared,
/// because it may outlive the statement.
template <class Call>
Status run_call(const std::shared_ptr<Call>& call, const Signature& signature,
                const CallOptions& options, engine::Limits& limits) {
  if (options.runs_in_place) {
    call->run();
    return {};
  }
  const Status done = call_beside([call] { call->run(); }, limits);
  if (done) return {};
  call->abandon();
  Error error = done.error();
  error.message += "; the statement was waiting for " + signature.name + "()";
  return error;
}

/// One call of a function: everything that its body needs.
struct FunctionCall {
  RegisteredCalls::FunctionPtr function;  // shared with the registration and statements
  Row arguments;
  std::optional<Result<Value>> result;

  void run() {
    result = guarded(function->signature, [this] { return function->body(arguments); });
  }
  void abandon() noexcept {}
};

/// Converts the result of a body to the declared type.
Result<Value> checked_result(const Signature& signature, Result<Value> result,
                             engine::Limits& limits) {
  if (!result) return named(signature, std::move(result).error());
  if (is_too_deep(*result)) return too_deep(signature, "the result");
  CAIRN_TRY(limits.check_room(codec::extent_of(*result).bytes));
  CAIRN_ASSIGN(const auto fitted, fit_within(limits, signature.result, *result));
  if (fitted) return bare(*fitted);
  return Error{ErrorCode::type_error,
               signature.name + "() declares " + signature.result.text() + " and returned " +
                   described(*result),
               std::nullopt};
}

}  // namespace
}  // namespace query

// Collects the rows of a procedure. Only the thread of the body writes; the statement reads after the body has
// returned. The flag is_abandoned_ is the only member that both use at the same time.
class ProcedureRows::Impl {
 public:
  Impl(const query::Signature& signature, std::size_t room) : signature_(signature), room_(room) {}

  /// Checks and stores a row. The first error is remembered, and the statement fails with it even if the body ignores
  /// it.
  Status add(std::vector<Value> row) {
    if (is_abandoned_.load(std::memory_order_relaxed))
      return fail({ErrorCode::cancelled,
                   signature_.name + "() must return: the statement that called it has ended",
                   std::nullopt});
    if (failure_) return *failure_;
    if (row.size() != signature_.columns.size()) return fail(wrong_count(row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (query::is_too_deep(row[i]))
        return fail(query::too_deep(signature_, "column `" + signature_.columns[i].name + "`"));
      if (codec::extent_of(row[i]).bytes > room_) return fail(no_room());
      const auto fitted = signature_.columns[i].type.fit(row[i]);
      if (!fitted) return fail(wrong_value(i, row[i]));
      row[i] = query::bare(*fitted);
    }
    return keep(std::move(row));
  }

  /// Makes the next add() fail, so that the body of a stopped statement ends.
  void abandon() noexcept { is_abandoned_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] const std::optional<Error>& failure() const noexcept { return failure_; }
  [[nodiscard]] std::vector<query::Row> take() noexcept { return std::move(rows_); }

 private:
  Status fail(Error error) {
    failure_ = std::move(error);
    return *failure_;
  }

  /// Stores a row if it fits into the memory that is left.
  Status keep(std::vector<Value> row) {
    std::size_t bytes = sizeof(row) + row.size() * sizeof(Value);
    for (const Value& value : row) bytes += codec::extent_of(value).bytes;
    if (bytes > room_) return fail(no_room());
    room_ -= bytes;
    rows_.push_back(std::move(row));
    return {};
  }

  [[nodiscard]] Error no_room() const {
    return {ErrorCode::resource_limit,
            signature_.name +
                "() adds more rows than the statement has memory for "
                "(StatementOptions::memory_bytes)",
            std::nullopt};
  }

  [[nodiscard]] Error wrong_count(std::size_t count) const {
    return {ErrorCode::invalid_argument,
            signature_.name + "() has " + std::to_string(signature_.columns.size()) +
                " columns and added a row of " + std::to_string(count),
            std::nullopt};
  }

  [[nodiscard]] Error wrong_value(std::size_t column, const Value& value) const {
    const query::DeclaredName& declared = signature_.columns[column];
    return {ErrorCode::type_error,
            signature_.name + "() declares " + declared.type.text() + " for its column `" +
                declared.name + "` and added " + query::described(value),
            std::nullopt};
  }

  const query::Signature& signature_;
  std::size_t room_;  // bytes that further rows may take
  std::atomic<bool> is_abandoned_ = false;
  std::optional<Error> failure_;  // the first error of add()
  std::vector<query::Row> rows_;
};

Status ProcedureRows::add(std::vector<Value> row) { return impl_->add(std::move(row)); }

namespace query {
namespace {

/// One call of a procedure: everything that its body needs.
struct RegisteredProcedureCall {
  RegisteredProcedureCall(RegisteredCalls::ProcedurePtr called, Row fitting, std::size_t room)
      : procedure(std::move(called)),
        arguments(std::move(fitting)),
        rows(procedure->signature, room) {}

  RegisteredCalls::ProcedurePtr procedure;  // shared with the registration and statements
  Row arguments;
  ProcedureRows::Impl rows;
  Status result = {};

  void run() {
    ProcedureRows taker(rows);
    result = guarded(procedure->signature,
                     [&]() -> Status { return procedure->body(arguments, taker); });
  }
  void abandon() noexcept { rows.abandon(); }
};

}  // namespace

Result<Value> call_function(const RegisteredFunction& function, std::span<const Value> arguments,
                            engine::Limits& limits) {
  const Signature& signature = function.signature;
  CAIRN_ASSIGN(auto fitting, fit_arguments(signature, arguments, limits));
  if (!fitting) return Value();
  const auto call = std::make_shared<FunctionCall>(
      FunctionCall{function.shared_from_this(), *std::move(fitting), std::nullopt});
  CAIRN_TRY(run_call(call, signature, function.options, limits));
  return checked_result(signature, *std::move(call->result), limits);
}

Result<std::vector<Row>> call_procedure(const RegisteredProcedure& procedure,
                                        std::span<const Value> arguments, std::size_t room,
                                        engine::Limits& limits) {
  const Signature& signature = procedure.signature;
  CAIRN_ASSIGN(auto fitting, fit_arguments(signature, arguments, limits));
  if (!fitting) {
    // Finds the argument that does not fit, for the message. This argument is null.
    std::size_t place = 0;
    while (signature.parameters[place].type.fit(arguments[place])) ++place;
    return refused_argument(signature, place, arguments[place]);
  }
  const auto call = std::make_shared<RegisteredProcedureCall>(procedure.shared_from_this(),
                                                              *std::move(fitting), room);
  CAIRN_TRY(run_call(call, signature, procedure.options, limits));
  if (call->rows.failure()) return *call->rows.failure();
  if (!call->result) return named(signature, call->result.error());
  return call->rows.take();
}

}  // namespace query
}  // namespace cairn
