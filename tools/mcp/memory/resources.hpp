#pragma once
// Resources, prompts and completions of `cairn mcp`.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/definition.hpp"

#include <string>
#include <string_view>

namespace cairn::tools::mcp {

/// The start of a statement: rows of what ('label'), name and count. Cost: each label is counted by
/// its index, without a look at its nodes.
inline constexpr std::string_view label_counts =
    "CALL db.labels() YIELD label "
    "CALL (label) { MATCH (n:$(label)) RETURN count(n) AS count } "
    "WITH 'label' AS what, label AS name, count WHERE count > 0 ";

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
