#pragma once
// The answers of the memory procedures. Each reads its arguments, makes a call of cairn/memory/memory.hpp and returns the
// result as rows.

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

// Changing existing records.
[[nodiscard]] Result<MemoryAnswer> answer_update(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_forget(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_restore(memory::Memory& memory, const MemoryCall& call);

// The files of a model's memory tool.
[[nodiscard]] Result<MemoryAnswer> answer_file(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_view_file(memory::Memory& memory, const MemoryCall& call);

// History and overview.
[[nodiscard]] Result<MemoryAnswer> answer_history(memory::Memory& memory, const MemoryCall& call);
[[nodiscard]] Result<MemoryAnswer> answer_describe(memory::Memory& memory, const MemoryCall& call);

/// What happens to records that do not fit the schema: the option `mode` of memory.add().
[[nodiscard]] Result<memory::SchemaMode> schema_mode(const MemoryCall& call);

}  // namespace cairn::query
