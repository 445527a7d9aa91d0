#pragma once
// The answer of each memory procedure: arguments read, the call of cairn/memory/memory.hpp made, its result as rows.

#include "query/execute/call/memory_calls.hpp"

#include <cairn/memory/memory.hpp>
#include <cairn/result.hpp>

namespace cairn::query {

[[nodiscard]] Result<MemoryAnswer> answer_add(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_remember(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_find(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_recall(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_search(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_list(memory::Memory& memory, const MemoryCall& call);

// Changes of records that are there.
[[nodiscard]] Result<MemoryAnswer> answer_update(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_forget(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_restore(memory::Memory& memory, const MemoryCall& call);

// Files of the memory tool.
[[nodiscard]] Result<MemoryAnswer> answer_file(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_view_file(memory::Memory& memory, const MemoryCall& call);

// What there is.
[[nodiscard]] Result<MemoryAnswer> answer_history(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_describe(memory::Memory& memory, const MemoryCall& call);

/// What a memory call does about records that do not fit the schema: `mode` among the options of memory.add().
[[nodiscard]] Result<memory::SchemaMode> schema_mode(const MemoryCall& call);

}  // namespace cairn::query
