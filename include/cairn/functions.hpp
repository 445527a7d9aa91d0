#pragma once
// Functions and procedures of a program, which its statements call like the ones of the language.
//
//     CAIRN_TRY(database.register_function(
//         "app.discount(price :: FLOAT, percent :: INTEGER) :: FLOAT",
//         [](std::span<const Value> arguments) -> Result<Value> {
//           return arguments[0].as_float() * double(100 - arguments[1].as_integer()) / 100;
//         }));
//     CAIRN_TRY(execute(database, "MATCH (a:Article) SET a.sale = app.discount(a.price, 20)"));
//
// A signature says what a call takes and gives:
//
//     function  := name "(" [parameter {"," parameter}] ")" "::" type
//     procedure := name "(" [parameter {"," parameter}] ")" "::" "(" [column {"," column}] ")"
//     parameter := word ["?"] "::" type      a call may leave out those with "?", from the last one on
//     column    := word "::" type
//     type      := ("LIST" "<" type ">" | word of a type) ["?"]      with "?" it may be null
//
// The words of types are ANY, BOOLEAN, INTEGER, FLOAT, NUMBER, STRING, MAP, LIST, NODE, RELATIONSHIP, PATH,
// VECTOR, DATE, LOCAL TIME, ZONED TIME, LOCAL DATETIME, ZONED DATETIME and DURATION. An integer is taken for a
// FLOAT as well, and reaches the body as one; NUMBER is either of the two. ANY takes null.
//
// A function is not called with a null for a parameter that may not be null: its result is null then, as of
// most functions of the language. Such a null for a procedure is an error.

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <functional>
#include <span>
#include <vector>

namespace cairn {

/// What a function does. The arguments are as many and of the types that its signature says; nodes and
/// relationships among them have their properties.
///
/// An error, an exception and a value of another type than the signature's end the statement with an
/// error that names the function.
/// Nodes and relationships that it returns are taken by their ids: the statement reads their records itself.
///
/// A body may run statements of its own on the database, but not on the transaction that calls it (conflict), and it
/// cannot begin to write while its statement does (busy). Such calls nest up to 8 deep.
/// Threads: called by any number at once, and not by the one that runs the statement; see CallOptions. A process has 64
/// threads for them; where all are busy a call waits, within the time limit of its statement.
/// Lifetime: until the database is closed and the last statement and rows that know it are gone. A body that
/// nobody waits for any more, after a time limit, runs on beyond the statement and beyond the database: capture what it
/// needs by value, not by reference, and not the Database that it is registered with.
using FunctionBody = std::function<Result<Value>(std::span<const Value> arguments)>;

/// Takes the rows of a procedure. Threads: the one that the body was called on.
class CAIRN_EXPORT ProcedureRows {
 public:
  class Impl;
  explicit ProcedureRows(Impl& impl) noexcept : impl_(&impl) {}

  /// Add a row: a value for each column, in the order of the signature.
  /// Errors: type_error where a value does not fit its column, invalid_argument for another number of values,
  /// resource_limit beyond the memory of the statement, cancelled when the statement waits no more. The
  /// statement ends with the first error, whether the body hands it on or not.
  [[nodiscard]] Status add(std::vector<Value> row);

 private:
  Impl* impl_;
};

/// What a procedure does: it adds its rows. Else as FunctionBody. All rows are held until the body returns.
using ProcedureBody = std::function<Status(std::span<const Value> arguments, ProcedureRows& rows)>;

/// How functions and procedures of a program are called.
struct CallOptions {
  /// The same arguments give the same result within a statement. A call may then run more or less often than
  /// there are rows, and what it gives may be looked up in an index. Say false of one that reads a clock,
  /// draws a number or counts its calls.
  bool is_deterministic = true;
  /// Call the body on the thread of the statement. That saves some microseconds a call, and nothing can stop
  /// the body: a statement that reaches its time limit, or is cancelled, waits until it returns.
  /// Otherwise the statement ends in time; the body goes on, and what it gives is dropped.
  bool runs_in_place = false;
};

}  // namespace cairn
