#include "query/execute/call/memory_calls.hpp"

#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "query/memory_calls/absent_embedder.hpp"
#include "query/memory_calls/answers.hpp"
#include "query/memory_calls/install.hpp"

#include <cairn/memory/memory.hpp>

#include <memory>

namespace cairn::query {
namespace {

/// A memory for each call, with the embedder that is built in.
class BuiltInMemoryCalls final : public MemoryCalls {
 public:
  Result<MemoryAnswer> run(const MemoryCall& call) const override {
    memory::MemoryOptions options;
    CAIRN_ASSIGN(options.mode, schema_mode(call));
    options.name_space = call.limits.name_space;
    options.also_read = call.limits.also_read;
    options.author = call.limits.author;
    options.now = call.limits.now;
    options.limits = call.limits;
    CAIRN_ASSIGN(const Snapshot snapshot, call.database.snapshot());
    CAIRN_ASSIGN(options.embedder, absent_embedder(snapshot));
    CAIRN_ASSIGN(memory::Memory memory, memory::Memory::open(call.database, std::move(options)));
    return answer(memory, call);
  }

 private:
  static Result<MemoryAnswer> answer(memory::Memory& memory, const MemoryCall& call) {
    switch (call.procedure) {
      case MemoryProcedure::add:
        return answer_add(memory, call);
      case MemoryProcedure::remember:
        return answer_remember(memory, call);
      case MemoryProcedure::find:
        return answer_find(memory, call);
      case MemoryProcedure::recall:
        return answer_recall(memory, call);
      case MemoryProcedure::search:
        return answer_search(memory, call);
      case MemoryProcedure::list:
        return answer_list(memory, call);
      case MemoryProcedure::update:
        return answer_update(memory, call);
      case MemoryProcedure::forget:
        return answer_forget(memory, call);
      case MemoryProcedure::restore:
        return answer_restore(memory, call);
      case MemoryProcedure::file:
        return answer_file(memory, call);
      case MemoryProcedure::view_file:
        return answer_view_file(memory, call);
      case MemoryProcedure::history:
        return answer_history(memory, call);
      case MemoryProcedure::describe:
        break;
    }
    return answer_describe(memory, call);
  }
};

}  // namespace

void install_memory_calls(const Database& database) {
  Access::core(database)->calls().change(
      [](const engine::ExtensionPlace::Pointer&) -> engine::ExtensionPlace::Pointer {
        return std::make_shared<const BuiltInMemoryCalls>();
      });
}

}  // namespace cairn::query
