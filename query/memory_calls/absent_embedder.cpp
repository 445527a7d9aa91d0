#include "query/memory_calls/absent_embedder.hpp"

#include "query/memory/memory_impl.hpp"

#include <cairn/embedding_space.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

class AbsentEmbedder final : public Embedder {
 public:
  AbsentEmbedder(std::string model, std::size_t dimension)
      : model_(std::move(model)), dimension_(dimension) {}

  [[nodiscard]] std::string model() const override { return model_; }
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }
  /// Of texts without a word it knows the vector.
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    if (std::ranges::all_of(texts, &std::string_view::empty))
      return std::vector<Vector>(texts.size(), Vector(std::vector<float>(dimension_)));
    return Error{ErrorCode::unsupported,
                 "the vectors of this memory are of model \"" + model_ +
                     "\", which only the program has that made them: let it add texts and ask by "
                     "meaning, or ask by words (strategy 'text') or with a `vector`",
                 {}};
  }

 private:
  const std::string model_;
  const std::size_t dimension_;
};

/// 0 where there is none of this name.
Result<std::size_t> dimension_of(const Snapshot& snapshot, std::string_view index) {
  CAIRN_ASSIGN(const auto indexes, snapshot.indexes());
  const auto found = std::ranges::find(indexes, index, &IndexDescription::name);
  if (found == indexes.end()) return std::size_t{0};
  const auto option = found->options.find("vector.dimensions");
  const auto* dimension =
      option == found->options.end() ? nullptr : option->second.get_if<std::int64_t>();
  return dimension == nullptr ? std::size_t{0} : static_cast<std::size_t>(*dimension);
}

}  // namespace

Result<std::shared_ptr<const Embedder>> absent_embedder(const Snapshot& snapshot) {
  using Pointer = std::shared_ptr<const Embedder>;
  const auto model = index_model(snapshot, memory::embedding_index);
  if (!model) return Pointer();  // none yet, or one that Memory::open() refuses
  if (check_model(snapshot, memory::embedding_index, *make_hashing_embedder())) return Pointer();
  CAIRN_ASSIGN(const std::size_t dimension, dimension_of(snapshot, memory::embedding_index));
  const std::string name = model->empty() ? std::string("unknown") : *model;
  return Pointer(std::make_shared<const AbsentEmbedder>(name, dimension));
}

}  // namespace cairn::query
