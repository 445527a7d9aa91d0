// The state of one running statement. The clock of the statement seeds rand(), so that a run with a
// given `now` is reproducible.
#include "query/execute/pipeline/execution_context.hpp"

#include "engine/write/writer.hpp"

namespace cairn::query {

ExecutionContext::ExecutionContext(const engine::View& view, engine::Writer* statement_writer,
                                   const Parameters& statement_parameters,
                                   const StatementOptions& statement_options, std::int64_t clock)
    : options(statement_options),
      parameters(statement_parameters),
      now(clock),
      budget(statement_options),
      graph(view, statement_options.name_space, statement_options.also_read, clock, budget),
      evaluator(graph, budget, statement_parameters,
                FunctionContext{&view, clock, static_cast<std::uint64_t>(clock), &budget}),
      writer(statement_writer),
      changes_before(writer == nullptr ? 0 : writer->memory_bytes()),
      changes_held(budget) {}

ExecutionContext::ExecutionContext(const ExecutionContext& whole,
                                   const StatementOptions& own_options, SharedMemory& room)
    : options(own_options),
      parameters(whole.parameters),
      now(whole.now),
      budget(own_options, whole.budget, room),
      graph(whole.graph.view(), own_options.name_space, own_options.also_read, whole.now, budget),
      evaluator(graph, budget, parameters,
                FunctionContext{&graph.view(), now, static_cast<std::uint64_t>(now), &budget}),
      writer(nullptr),
      changes_held(budget),
      profile(whole.profile),
      core(whole.core),
      make_operator(whole.make_operator) {}

ExecutionContext::ExecutionContext(const ExecutionContext& whole, const engine::View& view,
                                   engine::Writer& own_writer, std::uint64_t seed,
                                   SharedMemory& room)
    : options(whole.options),
      parameters(whole.parameters),
      now(whole.now),
      budget(options, whole.budget, room),
      graph(view, options.name_space, options.also_read, now, budget),
      evaluator(graph, budget, parameters, FunctionContext{&view, now, seed, &budget}),
      writer(&own_writer),
      changes_before(own_writer.memory_bytes()),
      changes_held(budget),
      profile(whole.profile),
      files(whole.files),
      core(whole.core),
      registered(whole.registered),
      make_operator(whole.make_operator),
      optimizer_inputs(whole.optimizer_inputs) {}

// Called after each change, so the memory of at most one record exceeds the limit. A scrub has no
// writer, because its writes belong to no transaction.
Status ExecutionContext::charge_changes() {
  if (writer == nullptr) return {};
  const std::size_t bytes = writer->memory_bytes();
  const std::size_t known = changes_before + changes_held.bytes();
  return bytes > known ? changes_held.add_bytes(bytes - known) : Status();
}

Result<const engine::FileRoot*> files_of(const ExecutionContext& context) {
  if (context.options.use_files && context.files != nullptr) return context.files;
  return Error{ErrorCode::unsupported,
               "this statement must not read or write files; set StatementOptions::use_files to "
               "allow it, for clients on the machine of the database",
               std::nullopt};
}

}  // namespace cairn::query
