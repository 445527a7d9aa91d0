#pragma once
// Registered functions and procedures: C++ functions of a program that its statements can call.
//
//     CAIRN_TRY(database.register_function(
//         "app.discount(price :: FLOAT, percent :: INTEGER) :: FLOAT",
//         [](std::span<const Value> arguments) -> Result<Value> {
//           return arguments[0].as_float() * double(100 - arguments[1].as_integer()) / 100;
//         }));
//     CAIRN_TRY(execute(database, "MATCH (a:Article) SET a.sale = app.discount(a.price, 20)"));
//
// A signature lists the parameters and results:
//
//     function  := name "(" [parameter {"," parameter}] ")" "::" type
//     procedure := name "(" [parameter {"," parameter}] ")" "::" "(" [column {"," column}] ")"
//     parameter := word ["?"] "::" type      parameters with "?" may be omitted, from the last one
//     column    := word "::" type
//     type      := ("LIST" "<" type ">" | word of a type) ["?"]      with "?" it may be null
//
// Type names are ANY, BOOLEAN, INTEGER, FLOAT, NUMBER, STRING, MAP, LIST, NODE, RELATIONSHIP, PATH,
// VECTOR, DATE, LOCAL TIME, ZONED TIME, LOCAL DATETIME, ZONED DATETIME and DURATION. An integer
// argument is accepted for FLOAT and converted; NUMBER accepts both. ANY accepts null.
//
// If an argument is null and its parameter does not accept null, a function is not called, and its
// result is null, as for most functions of the language. For a procedure, such an argument is an
// error.

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <functional>
#include <span>
#include <vector>

namespace cairn {

/// The body of a registered function. The arguments have the number and types of the signature.
/// Nodes and relationships among them are loaded with their properties.
///
/// The statement ends with an error that names the function if the body returns an error, throws an
/// exception, or returns a value of another type than the signature's. Nodes and relationships that
/// it returns are identified by their ids: the statement reads their records itself.
///
/// A body may run statements on the database, but not on the transaction that calls it (conflict).
/// It cannot write while its statement writes (busy). Such calls nest up to 8 deep. Threads: called
/// from several threads at once, on another thread than the statement's; see CallOptions. A process
/// has 64 threads for these calls. If all are in use, a call waits, within the time limit of its
/// statement. Lifetime: until the database is closed and the last statement and rows that use it
/// are destroyed. After a time limit, a body may continue to run longer than its statement and its
/// database. So capture what it needs by value, and do not capture the Database.
using FunctionBody = std::function<Result<Value>(std::span<const Value> arguments)>;

/// Receives the rows of a procedure. Threads: only the thread that called the body.
class CAIRN_EXPORT ProcedureRows {
 public:
  class Impl;
  explicit ProcedureRows(Impl& impl) noexcept : impl_(&impl) {}

  /// Adds a row: one value per column, in the order of the signature. Errors: type_error if a value
  /// does not fit its column; invalid_argument for a wrong number of values; resource_limit over
  /// the statement's memory; cancelled if the statement no longer waits. The first error ends the
  /// statement, whether the body returns it or not.
  [[nodiscard]] Status add(std::vector<Value> row);

 private:
  Impl* impl_;
};

/// The body of a registered procedure: it adds rows. Otherwise like FunctionBody. All rows are held
/// in memory until the body returns.
using ProcedureBody = std::function<Status(std::span<const Value> arguments, ProcedureRows& rows)>;

/// How a registered function or procedure is called.
struct CallOptions {
  /// True: equal arguments give equal results within a statement. The call may then run more or
  /// less often than there are rows, and its result may be used to search an index. Set it to false
  /// if the body reads a clock, draws random numbers or counts calls.
  bool is_deterministic = true;
  /// True: the body runs on the statement's thread. That saves some microseconds per call, but
  /// nothing can interrupt the body: a statement that reaches its time limit or is cancelled waits
  /// until it returns. False: the statement ends in time, and the result of the body is discarded.
  bool runs_in_place = false;
};

}  // namespace cairn
