#pragma once
// Resources, prompts and completions of `cairn mcp`.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/definition.hpp"

#include <string>

namespace cairn::tools::mcp {

/// Offers cairn://statistics, cairn://memory/{id}, cairn://session/{name} and
/// cairn://neighbourhood/{id}, which clients can watch. Each is JSON of at most 50,000 tokens.
/// Lifetime: the caller must outlive the server.
void offer_resources(const MemoryCaller& caller, ServerDefinition& server);

/// Offers the prompts `recall` (before answering) and `consolidate` (a session).
void offer_prompts(const MemoryCaller& caller, ServerDefinition& server);

/// Completes names of sessions and external ids of memories.
[[nodiscard]] Answer<Completions> complete_name(const MemoryCaller& caller,
                                                const CompletionRequest& request, Context& context);

}  // namespace cairn::tools::mcp
