// Errors as the codes of Neo4j, by which drivers decide what to run again.
#include "query/bolt/failure.hpp"

#include "query/bolt/doubt.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace cairn::test {
namespace {

using query::bolt::failure_of;
using query::bolt::metadata_of;
using query::bolt::Operation;

std::string code_of(ErrorCode code, const std::string& message = "m",
                    Operation operation = Operation::statement) {
  return std::string(failure_of({code, message, {}}, operation).code.name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bolt_failures)

BOOST_AUTO_TEST_CASE(each_error_has_its_code) {
  BOOST_TEST(code_of(ErrorCode::parse_error) == "Neo.ClientError.Statement.SyntaxError");
  BOOST_TEST(code_of(ErrorCode::type_error) == "Neo.ClientError.Statement.TypeError");
  BOOST_TEST(code_of(ErrorCode::invalid_argument) == "Neo.ClientError.Statement.ArgumentError");
  BOOST_TEST(code_of(ErrorCode::not_found) == "Neo.ClientError.Statement.EntityNotFound");
  BOOST_TEST(code_of(ErrorCode::not_found, "there is no procedure apoc.help()") ==
             "Neo.ClientError.Procedure.ProcedureNotFound");
  BOOST_TEST(code_of(ErrorCode::already_exists) ==
             "Neo.ClientError.Schema.ConstraintValidationFailed");
  BOOST_TEST(code_of(ErrorCode::conflict) == "Neo.ClientError.Schema.ConstraintValidationFailed");
  BOOST_TEST(code_of(ErrorCode::busy) == "Neo.TransientError.Transaction.LockAcquisitionTimeout");
  BOOST_TEST(code_of(ErrorCode::cancelled) == "Neo.ClientError.Transaction.Terminated");
  BOOST_TEST(code_of(ErrorCode::resource_limit) == "Neo.ClientError.Statement.ExecutionFailed");
  BOOST_TEST(code_of(ErrorCode::resource_limit, "raise StatementOptions::timeout (--timeout)") ==
             "Neo.ClientError.Transaction.TransactionTimedOut");
  BOOST_TEST(code_of(ErrorCode::io_error) == "Neo.DatabaseError.General.UnknownError");
  BOOST_TEST(code_of(ErrorCode::corruption) == "Neo.DatabaseError.General.UnknownError");
  BOOST_TEST(code_of(ErrorCode::unsupported) ==
             "Neo.ClientError.Statement.UnsupportedOperationError");
}

// Another transaction may go through; the same statement on the same data does not.
BOOST_AUTO_TEST_CASE(a_conflict_of_a_transaction_may_be_tried_again) {
  BOOST_TEST(code_of(ErrorCode::conflict, "m", Operation::transaction) ==
             "Neo.TransientError.Transaction.DeadlockDetected");
  BOOST_TEST(code_of(ErrorCode::resource_limit, "m", Operation::transaction) ==
             "Neo.ClientError.Statement.ExecutionFailed");
}

BOOST_AUTO_TEST_CASE(what_went_with_a_host_may_be_tried_again) {
  BOOST_TEST(
      code_of(ErrorCode::conflict, "process 7 ended; nothing of this was written: run it again") ==
      "Neo.TransientError.Transaction.DeadlockDetected");
}

// A driver that ran it again might make the change twice.
BOOST_AUTO_TEST_CASE(a_change_in_doubt_is_not_tried_again) {
  using query::bolt::Doubt;
  for (const Doubt doubt : {Doubt::stopped_host, Doubt::unknown_outcome})
    for (const ErrorCode code : {ErrorCode::busy, ErrorCode::conflict}) {
      const Error lost{code, "process 7 ended; nothing of this was written: run it again", {}};
      const Error error = query::bolt::with_doubt(lost, doubt);
      BOOST_TEST(code_of(code, error.message, Operation::transaction) ==
                 "Neo.DatabaseError.Transaction.TransactionCommitFailed");
      BOOST_TEST(error.message.find("run it again") == std::string::npos, error.message);
    }
}

BOOST_AUTO_TEST_CASE(the_place_is_in_the_message_once) {
  const TextRange where{5, 6, 2, 3};
  BOOST_TEST(failure_of({ErrorCode::type_error, "no number", where}, {}).message ==
             "line 2, column 3: no number");
  BOOST_TEST(failure_of({ErrorCode::parse_error, "line 2, column 3: what", where}, {}).message ==
             "line 2, column 3: what");
  BOOST_TEST(failure_of({ErrorCode::type_error, "no number", {}}, {}).message == "no number");
}

BOOST_AUTO_TEST_CASE(the_status_of_gql_is_there_since_5_7) {
  const auto failure =
      failure_of({ErrorCode::type_error, "no number", TextRange{5, 6, 2, 3}}, Operation::statement);
  BOOST_TEST(Value(metadata_of(failure, {5, 6})).to_text() ==
             "{code: 'Neo.ClientError.Statement.TypeError', message: 'line 2, column 3: no "
             "number'}");
  const Map metadata = metadata_of(failure, {5, 7});
  BOOST_TEST(!metadata.contains("code"));
  BOOST_TEST(metadata.at("neo4j_code").as_string() == "Neo.ClientError.Statement.TypeError");
  BOOST_TEST(metadata.at("gql_status").as_string() == "22G03");
  BOOST_TEST(metadata.at("description").as_string() ==
             "error: data exception. line 2, column 3: no number");
  BOOST_TEST(metadata.at("diagnostic_record").to_text() ==
             "{CURRENT_SCHEMA: '/', OPERATION: '', OPERATION_CODE: '0', _classification: "
             "'CLIENT_ERROR', _position: {column: 3, line: 2, offset: 5}}");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
