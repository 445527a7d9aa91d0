// One context a running statement, on one thread. The seed of rand() is the statement's clock, so
// that a run with a given `now` can be repeated.
#include "query/execute/execution_context.hpp"

#include "engine/write/writer.hpp"

namespace cairn::query {

ExecutionContext::ExecutionContext(const engine::View& view, engine::Writer* statement_writer,
                                   const Parameters& statement_parameters,
                                   const StatementOptions& statement_options, std::int64_t clock)
    : options(statement_options),
      parameters(statement_parameters),
      now(clock),
      budget(statement_options),
      graph(view, statement_options.name_space, clock),
      evaluator(graph, budget, statement_parameters,
                FunctionContext{&view, clock, static_cast<std::uint64_t>(clock), &budget}),
      writer(statement_writer) {}

}  // namespace cairn::query
