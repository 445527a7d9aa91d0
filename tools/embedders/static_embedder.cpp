// The vector of a text is the mean of the vectors of its tokens. If the model has weights, each
// token vector is multiplied by its weight. If config.json has `normalize`, the mean is scaled to
// length 1. All tokens of a text count, although Model2Vec itself stops at 512. In models of
// Model2Vec, unknown tokens do not count.
#include "tools/embedders/json_member.hpp"
#include "tools/embedders/local_embedders.hpp"
#include "tools/embedders/model_file.hpp"
#include "tools/embedders/tokenizer/tokenizer.hpp"
#include "tools/embedders/vector_lists.hpp"

#include <cairn/json.hpp>
#include <cairn/value.hpp>

#define XXH_INLINE_ALL  // the library links no hash of its own
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

Error wrong(std::string message) { return {ErrorCode::corruption, std::move(message), {}}; }

/// The vectors of tokens.
class TokenTable {
 public:
  /// Reads the tensors of a file. Errors: corruption if the tensors do not fit each other, or do
  /// not cover all tokens up to `largest_id`.
  static Result<TokenTable> of(std::string_view file, std::uint32_t largest_id) {
    CAIRN_ASSIGN(const Tensors tensors, read_safetensors(file));
    TokenTable table;
    for (const auto& [name, tensor] : tensors) {
      if (name == "embeddings" || name == "embedding.weight") table.rows_ = tensor;
      if (name == "weights") table.weights_ = tensor;
      if (name == "mapping") table.mapping_ = tensor;
      table.is_model2vec_ = table.is_model2vec_ || name == "embeddings";
    }
    CAIRN_TRY(table.check(largest_id));
    return table;
  }

  [[nodiscard]] std::size_t dimension() const { return rows_.shape[1]; }
  [[nodiscard]] bool is_model2vec() const noexcept { return is_model2vec_; }

  /// Adds the vector of a token. Precondition: `token` is at most the largest id.
  void add(std::uint32_t token, std::span<float> sums) const {
    const float weight = weights_ ? weights_->number(token) : 1.0F;
    const auto row = mapping_ ? static_cast<std::uint64_t>(mapping_->integer(token)) : token;
    add_numbers(rows_, row * sums.size(), weight, sums);
  }

 private:
  /// Checks the tensors once, so that add() need not check a row.
  [[nodiscard]] Status check(std::uint32_t largest_id) const {
    if (rows_.shape.size() != 2 || rows_.type == NumberType::other)
      return wrong("it has no table of numbers \"embeddings\" or \"embedding.weight\"");
    if (rows_.shape[1] == 0 || rows_.shape[1] > most_dimensions)
      return wrong("its vectors have " + std::to_string(rows_.shape[1]) +
                   " components, but a vector of Cairn has 1 to " +
                   std::to_string(most_dimensions));
    if (weights_) CAIRN_TRY(check_list("weights", *weights_, largest_id));
    if (mapping_) return check_mapping(largest_id);
    return check_reach("embeddings", rows_.shape[0], largest_id);
  }

  /// Checks that a table has a row for each token.
  static Status check_reach(const std::string& name, std::uint64_t count,
                            std::uint32_t largest_id) {
    if (count > largest_id) return {};
    return wrong("\"" + name + "\" has " + std::to_string(count) +
                 " rows, but tokenizer.json has a token of number " + std::to_string(largest_id));
  }

  static Status check_list(const std::string& name, const Tensor& tensor,
                           std::uint32_t largest_id) {
    if (tensor.shape.size() != 1 || tensor.type == NumberType::other)
      return wrong("\"" + name + "\" is not a list of numbers");
    return check_reach(name, tensor.shape[0], largest_id);
  }

  [[nodiscard]] Status check_mapping(std::uint32_t largest_id) const {
    CAIRN_TRY(check_list("mapping", *mapping_, largest_id));
    if (!mapping_->is_integer()) return wrong("\"mapping\" is not a list of whole numbers");
    for (std::uint64_t i = 0; i < mapping_->shape[0]; ++i) {
      const std::int64_t row = mapping_->integer(i);
      if (row < 0 || static_cast<std::uint64_t>(row) >= rows_.shape[0])
        return wrong("\"mapping\" names the row " + std::to_string(row) + ", but there are " +
                     std::to_string(rows_.shape[0]) + " rows");
    }
    return {};
  }

  Tensor rows_;
  std::optional<Tensor> weights_;
  std::optional<Tensor> mapping_;
  bool is_model2vec_ = false;
};

/// Scales a vector to length 1. Computes in doubles, because squares of small floats would be zero.
/// A zero vector stays unchanged.
void scale_to_one(std::span<float> components) {
  double squares = 0;
  for (const float component : components)
    squares += static_cast<double>(component) * static_cast<double>(component);
  if (!(squares > 0)) return;
  const double scale = 1 / std::sqrt(squares);
  for (float& component : components)
    component = static_cast<float>(static_cast<double>(component) * scale);
}

/// The settings in config.json.
struct StaticConfig {
  std::string bytes;
  bool normalizes = false;
};

class StaticEmbedder final : public Embedder {
 public:
  StaticEmbedder(MappedFile file, TokenTable table, Tokenizer tokenizer, bool normalizes,
                 std::string model)
      : file_(std::move(file)),
        table_(std::move(table)),
        tokenizer_(std::move(tokenizer)),
        normalizes_(normalizes),
        model_(std::move(model)) {}

  [[nodiscard]] std::string model() const override { return model_; }
  [[nodiscard]] std::size_t dimension() const override { return table_.dimension(); }
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    std::vector<Vector> vectors;
    vectors.reserve(texts.size());
    for (const std::string_view text : texts) {
      CAIRN_ASSIGN(Vector vector, embed_one(text));
      vectors.push_back(std::move(vector));
    }
    return vectors;
  }

 private:
  // Returns the mean of the tokens' rows. For models of Model2Vec, unknown tokens do not count, as
  // in the code of Model2Vec.
  [[nodiscard]] Result<Vector> embed_one(std::string_view text) const {
    CAIRN_ASSIGN(const auto tokens, tokenizer_.encode(text));
    std::vector<float> sums(table_.dimension(), 0.0F);
    std::size_t count = 0;
    for (const Token& token : tokens) {
      if (table_.is_model2vec() && token.id == tokenizer_.unknown()) continue;
      table_.add(token.id, sums);
      ++count;
    }
    for (float& sum : sums) sum /= static_cast<float>(std::max<std::size_t>(count, 1));
    if (!std::ranges::all_of(sums, [](float sum) { return std::isfinite(sum); }))
      return wrong("a vector of the model " + model_ +
                   " is not finite: model.safetensors is damaged");
    if (normalizes_) scale_to_one(sums);
    return Vector(std::move(sums));
  }

  const MappedFile file_;
  const TokenTable table_;  // in file_
  const Tokenizer tokenizer_;
  const bool normalizes_;
  const std::string model_;
};

/// Reads config.json; the defaults if the model has no such file.
Result<StaticConfig> read_config(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return StaticConfig();
  CAIRN_ASSIGN(const MappedFile file, MappedFile::open(path));
  const auto value = parse_json(file.bytes());
  if (!value || value->map() == nullptr) return wrong(path.string() + " is not a JSON object");
  const Value normalizes = json_member(*value->map(), "normalize");
  return StaticConfig{std::string(file.bytes()), normalizes == Value(true)};
}

/// Returns a name that differs between models, whatever their directories are called.
std::string name_of(std::string_view table, std::string_view tokenizer, std::string_view config) {
  XXH64_hash_t hash = 0;
  for (const std::string_view part : {table, tokenizer, config})
    hash = XXH3_64bits_withSeed(part.data(), part.size(), hash);
  char name[32];
  std::snprintf(name, sizeof name, "static-1-%016llx", static_cast<unsigned long long>(hash));
  return name;
}

Error in_file(const std::filesystem::path& path, const Error& error) {
  return {error.code, path.string() + ": " + error.message, {}};
}

}  // namespace

Result<std::unique_ptr<Embedder>> open_static_embedder(const std::filesystem::path& directory) {
  const auto table_path = directory / "model.safetensors";
  const auto tokenizer_path = directory / "tokenizer.json";
  CAIRN_ASSIGN(auto table_file, MappedFile::open(table_path));
  CAIRN_ASSIGN(const auto tokenizer_file, MappedFile::open(tokenizer_path));
  CAIRN_ASSIGN(const auto config, read_config(directory / "config.json"));
  auto tokenizer = Tokenizer::read(tokenizer_file.bytes());
  if (!tokenizer) return in_file(tokenizer_path, tokenizer.error());
  auto table = TokenTable::of(table_file.bytes(), tokenizer->largest_id());
  if (!table) return in_file(table_path, table.error());
  std::string name = name_of(table_file.bytes(), tokenizer_file.bytes(), config.bytes);
  return std::unique_ptr<Embedder>(
      std::make_unique<StaticEmbedder>(std::move(table_file), std::move(*table),
                                       std::move(*tokenizer), config.normalizes, std::move(name)));
}

}  // namespace cairn::tools
