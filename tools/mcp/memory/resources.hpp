#pragma once
// Resources, prompts and completions of `cairn mcp`, beside its tools.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/definition.hpp"

#include <string>

namespace cairn::tools::mcp {

/// cairn://statistics, cairn://memory/{id}, cairn://session/{name} and cairn://neighbourhood/{id}, which clients can watch.
/// Each is JSON of at most 50,000 tokens. Lifetime: of the caller.
void offer_resources(const MemoryCaller& caller, ServerDefinition& server);

/// `recall` before answering, and `consolidate` a session.
void offer_prompts(const MemoryCaller& caller, ServerDefinition& server);

/// Names of sessions and external ids of memories that begin with what is there.
[[nodiscard]] Answer<Completions> complete_name(const MemoryCaller& caller,
                                                const CompletionRequest& request, Context& context);

}  // namespace cairn::tools::mcp
