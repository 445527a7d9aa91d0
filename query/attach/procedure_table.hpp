#pragma once
// Helpers that the tables of procedures share: where a call runs, and how results become values.

#include "engine/database/call_values.hpp"
#include "query/bolt/attached.hpp"

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query::attach {

using bolt::CallPlace;
using engine::CallReader;

/// A call of the public headers with its arguments and result as values.
struct NamedProcedure {
  std::string_view name;
  Result<Value> (*run)(CallReader& arguments, const CallPlace& place);
};

/// The procedures, grouped by subject.
[[nodiscard]] std::span<const NamedProcedure> database_procedures();
[[nodiscard]] std::span<const NamedProcedure> record_procedures();
[[nodiscard]] std::span<const NamedProcedure> field_procedures();
[[nodiscard]] std::span<const NamedProcedure> search_procedures();

/// The error of a call that needs a transaction or snapshot that is not open.
[[nodiscard]] inline Error wrong_place(std::string_view where) {
  return {ErrorCode::io_error, "the call must be made " + std::string(where), {}};
}

/// The snapshot of a call. Errors: io_error if the call does not run on a snapshot.
[[nodiscard]] inline Result<const Snapshot*> snapshot_of(const CallPlace& place) {
  if (place.snapshot == nullptr) return wrong_place("on a snapshot");
  return place.snapshot;
}

/// The transaction of a call. Errors: io_error if the call does not run in a transaction.
[[nodiscard]] inline Result<Transaction*> transaction_of(const CallPlace& place) {
  if (place.transaction == nullptr) return wrong_place("in a transaction");
  return place.transaction;
}

/// The transaction of a call that changes something. Checks the arguments first, so call it once all of them are read.
/// Errors: those of transaction_of(); io_error for an argument that is missing or of another type.
[[nodiscard]] inline Result<Transaction*> checked_transaction(const CallReader& arguments,
                                                              const CallPlace& place) {
  CAIRN_TRY(arguments.check());
  return transaction_of(place);
}

/// The node as a value; null for nullopt.
[[nodiscard]] inline Value node_value(const std::optional<Node>& node) {
  return node ? Value(*node) : Value();
}

/// The result of a call that returns no value: null, or its error.
[[nodiscard]] inline Result<Value> nothing(const Status& done) {
  if (!done) return done.error();
  return Value();
}

/// The result of a call as a value, or its error.
template <class T>
[[nodiscard]] Result<Value> value_of_result(Result<T> result) {
  if (!result) return std::move(result).error();
  return engine::call_value(*result);
}

/// The results of a call as a list of values, or its error.
template <class T>
[[nodiscard]] Result<Value> list_of_result(Result<std::vector<T>> result) {
  if (!result) return std::move(result).error();
  return engine::list_value(*result);
}

}  // namespace cairn::query::attach
