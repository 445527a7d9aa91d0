// The procedures memory.*: opens a Memory on the database of the statement and calls the answer of the procedure.
#include "query/execute/call/memory_calls.hpp"

#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "query/memory/memory_impl.hpp"
#include "query/memory_calls/answers.hpp"
#include "query/memory_calls/install.hpp"

#include <cairn/embedder.hpp>
#include <cairn/embedding_space.hpp>
#include <cairn/memory/memory.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {

// Embedding without a model: an application may have made the vectors of a memory with a model that this process does not
// have.

namespace {

/// Has the name and dimension of the missing model, but embeds only empty texts. Its errors name the model unless it is
/// secret.
class AbsentEmbedder final : public Embedder {
 public:
  AbsentEmbedder(std::string model, std::size_t dimension, bool is_secret)
      : model_(std::move(model)), dimension_(dimension), is_secret_(is_secret) {}

  [[nodiscard]] std::string model() const override { return model_; }
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }
  /// Returns zero vectors for empty texts, which need no model.
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    if (std::ranges::all_of(texts, &std::string_view::empty))
      return std::vector<Vector>(texts.size(), Vector(std::vector<float>(dimension_)));
    const std::string model =
        is_secret_ ? "the vectors of this database are made by a model that this process does not "
                     "have: "
                   : "the vectors of this memory were made by model \"" + model_ +
                         "\", which this process does not have: search by meaning in the program "
                         "that has the model, or ";
    return Error{
        ErrorCode::unsupported, model + "search by words (strategy 'text') or with a `vector`", {}};
  }

 private:
  const std::string model_;
  const std::size_t dimension_;
  const bool is_secret_;
};

/// The dimension of a vector index; 0 if no index has the name.
Result<std::size_t> dimension_of(const Snapshot& snapshot, std::string_view index) {
  CAIRN_ASSIGN(const auto indexes, snapshot.indexes());
  const auto found = std::ranges::find(indexes, index, &IndexDescription::name);
  if (found == indexes.end()) return std::size_t{0};
  const auto option = found->options.find("vector.dimensions");
  const auto* dimension =
      option == found->options.end() ? nullptr : option->second.get_if<std::int64_t>();
  return dimension == nullptr ? std::size_t{0} : static_cast<std::size_t>(*dimension);
}

/// True if the caller may use all namespaces, or sees a memory that passes a condition.
Result<bool> sees_memory(const MemoryCall& call, const Snapshot& snapshot,
                         const std::string& condition) {
  if (!call.limits.listed_name_spaces) return true;
  CAIRN_ASSIGN(const Statement found,
               Statement::parse("MATCH (m:Memory) WHERE " + condition + " RETURN true LIMIT 1"));
  CAIRN_ASSIGN(Rows rows, found.run(snapshot, {}, call.limits));
  CAIRN_ASSIGN(const auto all, rows.all());
  return !all.empty();
}

/// True if the call stores records, also where there were none.
bool adds_records(MemoryProcedure procedure) {
  return procedure == MemoryProcedure::add || procedure == MemoryProcedure::remember ||
         procedure == MemoryProcedure::file;
}

/// The embedder for a memory: that of the database, or nullptr for the built-in one, whichever fits the vectors.
/// Otherwise an embedder with the name of the missing model, whose calls fail: operations without vectors work with it. A
/// caller that sees no memory gets the embedder of the database, as if there were no vectors, unless it stores some.
/// Errors: those of the snapshot.
Result<std::shared_ptr<const Embedder>> fitting_embedder(
    const Snapshot& snapshot, const std::shared_ptr<const Embedder>& given,
    const MemoryCall& call) {
  using Pointer = std::shared_ptr<const Embedder>;
  const auto model = index_model(snapshot, memory::embedding_index);
  if (!model) return given;  // no index yet, or one that Memory::open() refuses
  if (given != nullptr && check_model(snapshot, memory::embedding_index, *given)) return given;
  const Status is_built_in =
      check_model(snapshot, memory::embedding_index, *make_hashing_embedder());
  if (is_built_in && given == nullptr) return given;
  CAIRN_ASSIGN(const bool sees_any, sees_memory(call, snapshot, "true"));
  if (!sees_any && !adds_records(call.procedure)) return given;
  if (is_built_in) return Pointer();
  CAIRN_ASSIGN(const bool sees_vectors, sees_memory(call, snapshot, "m.embedding IS NOT NULL"));
  CAIRN_ASSIGN(const std::size_t dimension, dimension_of(snapshot, memory::embedding_index));
  const std::string name = model->empty() ? std::string("unknown") : *model;
  return Pointer(std::make_shared<const AbsentEmbedder>(name, dimension, !sees_vectors));
}

}  // namespace

namespace {

/// Opens a Memory for each call.
class BuiltInMemoryCalls final : public MemoryCalls {
 public:
  BuiltInMemoryCalls(std::shared_ptr<const Embedder> embedder, std::string spec)
      : embedder_(std::move(embedder)), spec_(std::move(spec)) {}

  std::shared_ptr<const Embedder> embedder() const override { return embedder_; }
  const std::string& embedder_spec() const override { return spec_; }

  // The memory gets the namespace, author, clock and limits of the calling statement.
  Result<MemoryAnswer> run(const MemoryCall& call) const override {
    memory::MemoryOptions options;
    CAIRN_ASSIGN(options.mode, schema_mode(call));
    options.name_space = call.limits.name_space;
    options.also_read = call.limits.also_read;
    options.author = call.limits.author;
    options.now = call.limits.now;
    options.limits = call.limits;
    CAIRN_ASSIGN(const Snapshot snapshot, call.database.snapshot());
    CAIRN_ASSIGN(options.embedder, fitting_embedder(snapshot, embedder_, call));
    CAIRN_ASSIGN(memory::Memory memory, memory::Memory::open(call.database, std::move(options)));
    return answer(memory, call);
  }

 private:
  // Every procedure is listed, so that a new one is not forgotten.
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

  const std::shared_ptr<const Embedder> embedder_;
  const std::string spec_;
};

}  // namespace

void install_memory_calls(const Database& database, std::shared_ptr<const Embedder> embedder,
                          std::string spec) {
  const auto calls =
      std::make_shared<const BuiltInMemoryCalls>(std::move(embedder), std::move(spec));
  Access::core(database)->calls().change(
      [&](const engine::ExtensionPlace::Pointer&) -> engine::ExtensionPlace::Pointer {
        return calls;
      });
}

}  // namespace cairn::query
