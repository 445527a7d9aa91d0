// Embedders of static models: sums of every type of numbers, and damaged files.
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/tools/embedders/made_safetensors.hpp"
#include "tests/tools/embedders/made_tokenizer.hpp"

#include <cairn/make_embedder.hpp>
#include <cairn/value.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace cairn;
using test::MadeTensor;
using test::must;

namespace {

constexpr std::size_t tokens = 57;  // of small_bert()
constexpr std::size_t dimension = 3;
constexpr std::size_t the_token = 10;
constexpr std::size_t fox_token = 13;

/// Small whole numbers, which every type has exactly.
float component(std::size_t row, std::size_t at) {
  return static_cast<float>(static_cast<int>((row * 7 + at * 5) % 11) - 5);
}

MadeTensor table(const std::string& type, std::size_t rows = tokens,
                 const std::string& name = "embeddings") {
  std::vector<float> numbers;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t at = 0; at < dimension; ++at) numbers.push_back(component(row, at));
  return {name, type, {rows, dimension}, test::stored(type, numbers)};
}

/// A model in a directory.
struct Model {
  test::TemporaryDirectory directory;

  Model() {
    write("tokenizer.json", test::small_bert());
    write("config.json", R"({"normalize": false, "hidden_dim": 3})");
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(directory.path() / name, std::ios::binary) << bytes;
  }
  Result<std::unique_ptr<Embedder>> open(const std::string& table_bytes) const {
    write("model.safetensors", table_bytes);
    return open();
  }
  [[nodiscard]] Result<std::unique_ptr<Embedder>> open() const {
    return make_embedder("static:" + directory.path().string());
  }
  std::string message_of(const std::string& table_bytes) const {
    const auto opened = open(table_bytes);
    return opened ? std::string() : opened.error().message;
  }
};

std::vector<float> vector_of(const Embedder& embedder, std::string_view text) {
  const auto made = must(embedder.embed({&text, 1}));
  return {made[0].components().begin(), made[0].components().end()};
}

/// The mean of the rows, each times its weight.
std::vector<float> mean(const std::vector<std::size_t>& rows, float weight = 1) {
  std::vector<float> sums(dimension, 0.0F);
  for (const std::size_t row : rows)
    for (std::size_t at = 0; at < dimension; ++at) sums[at] += weight * component(row, at);
  for (float& sum : sums) sum /= static_cast<float>(rows.size());
  return sums;
}

void check_near(const std::vector<float>& found, const std::vector<float>& wanted) {
  BOOST_REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    BOOST_TEST(std::abs(found[i] - wanted[i]) < 1e-5F, found[i] << " is not " << wanted[i]);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(static_embedder, Model)

BOOST_AUTO_TEST_CASE(a_vector_is_the_mean_of_those_of_the_tokens) {
  for (const std::string type : {"F32", "F16", "BF16", "I8"}) {
    const auto embedder = must(open(test::made_safetensors({table(type)})));
    BOOST_TEST(embedder->dimension() == dimension);
    check_near(vector_of(*embedder, "the fox The"), mean({the_token, fox_token, the_token}));
    check_near(vector_of(*embedder, "Unaffable"), mean({5, 6, 7}));
    check_near(vector_of(*embedder, "the zebra"), mean({the_token}));
    for (const std::string_view nothing : {"", " \n", "zebra"})
      check_near(vector_of(*embedder, nothing), {0, 0, 0});
  }
}

BOOST_AUTO_TEST_CASE(many_texts_keep_their_order) {
  const auto embedder = must(open(test::made_safetensors({table("F32")})));
  const std::vector<std::string_view> texts = {"fox", "", "the"};
  const auto vectors = must(embedder->embed_documents(texts));
  BOOST_REQUIRE(vectors.size() == 3U);
  BOOST_TEST(vectors[0].components()[0] == component(fox_token, 0));
  BOOST_TEST(vectors[1].components()[0] == 0.0F);
  BOOST_TEST(vectors[2].components()[0] == component(the_token, 0));
}

BOOST_AUTO_TEST_CASE(vectors_are_scaled_if_the_model_says_so) {
  write("config.json", R"({"normalize": true})");
  const auto embedder = must(open(test::made_safetensors({table("F32")})));
  const std::vector<float> made = vector_of(*embedder, "the fox");
  const std::vector<float> raw = mean({the_token, fox_token});
  const float length = std::hypot(raw[0], raw[1], raw[2]);
  check_near(made, {raw[0] / length, raw[1] / length, raw[2] / length});
  check_near(vector_of(*embedder, ""), {0, 0, 0});
}

BOOST_AUTO_TEST_CASE(weights_and_a_mapping_count) {
  std::vector<float> rows;
  for (std::size_t token = 0; token < tokens; ++token)
    rows.push_back(token == fox_token ? 2.0F : 1.0F);
  for (const std::string weight_type : {"F64", "F32", "F16"})
    for (const std::string mapping_type : {"I32", "I64"}) {
      const auto embedder = must(open(test::made_safetensors(
          {table("F32", 3),
           {"mapping", mapping_type, {tokens}, test::stored(mapping_type, rows)},
           {"weights",
            weight_type,
            {tokens},
            test::stored(weight_type, std::vector<float>(tokens, 0.25F))}})));
      check_near(vector_of(*embedder, "the fox"), mean({1, 2}, 0.25F));
    }
}

BOOST_AUTO_TEST_CASE(a_model_of_sentence_transformers_counts_unknown_tokens) {
  std::filesystem::remove(directory.path() / "config.json");
  const auto embedder =
      must(open(test::made_safetensors({table("F32", tokens, "embedding.weight")})));
  check_near(vector_of(*embedder, "the zebra"), mean({the_token, 1}));
}

BOOST_AUTO_TEST_CASE(each_model_has_its_name) {
  const auto first = must(open(test::made_safetensors({table("F32")})));
  BOOST_TEST(first->model().starts_with("static-1-"));
  BOOST_TEST(must(open(test::made_safetensors({table("F32")})))->model() == first->model());
  BOOST_TEST(must(open(test::made_safetensors({table("F16")})))->model() != first->model());
  write("config.json", R"({"normalize": true})");
  BOOST_TEST(must(open(test::made_safetensors({table("F32")})))->model() != first->model());
}

BOOST_AUTO_TEST_CASE(a_replaced_file_does_not_change_an_open_model) {
  const auto embedder = must(open(test::made_safetensors({table("F32")})));
  const auto path = directory.path() / "model.safetensors";
  write("other", "nothing");
  std::filesystem::rename(directory.path() / "other", path);
  check_near(vector_of(*embedder, "the"), mean({the_token}));
}

BOOST_AUTO_TEST_CASE(missing_files_are_errors) {
  BOOST_TEST((make_embedder("static:/no/such/directory").error().code == ErrorCode::io_error));
  BOOST_TEST((make_embedder("static:").error().code == ErrorCode::invalid_argument));
  BOOST_TEST((open("").error().code == ErrorCode::io_error));
  write("model.safetensors", test::made_safetensors({table("F32")}));
  write("tokenizer.json", "{}");
  BOOST_TEST(open().error().message.find("tokenizer.json: the model is not an object") !=
             std::string::npos);
  std::filesystem::remove(directory.path() / "tokenizer.json");
  BOOST_TEST((open().error().code == ErrorCode::io_error));
}

BOOST_AUTO_TEST_CASE(tables_that_do_not_fit_are_errors) {
  const auto fails = [&](const std::vector<MadeTensor>& tensors, std::string_view wanted) {
    const std::string message = message_of(test::made_safetensors(tensors));
    BOOST_TEST(message.find(wanted) != std::string::npos, message << " lacks " << wanted);
  };
  fails({}, "has no table");
  fails({table("F32", tokens, "other")}, "has no table");
  fails({{"embeddings", "F32", {tokens * dimension}, std::string(tokens * dimension * 4, '\0')}},
        "has no table");
  fails({{"embeddings", "U32", {tokens, 1}, std::string(tokens * 4, '\0')}}, "has no table");
  fails({{"embeddings", "I8", {1, 5'000}, std::string(5'000, '\0')}}, "5000 components");
  fails({{"embeddings", "I8", {tokens, 0}, ""}}, "0 components");
  fails({table("F32", tokens - 1)}, "has 56 rows, but tokenizer.json has a token of number 56");
  fails({table("F32"), {"weights", "F32", {3}, std::string(12, '\0')}}, "\"weights\" has 3 rows");
  fails({table("F32"), {"mapping", "F32", {tokens}, std::string(tokens * 4, '\0')}},
        "whole numbers");
  fails({table("F32"),
         {"mapping", "I32", {tokens}, test::stored("I32", std::vector<float>(tokens, 57.0F))}},
        "names the row 57, but there are 57 rows");
  fails({table("F32"),
         {"mapping", "I32", {tokens}, test::stored("I32", std::vector<float>(tokens, -1.0F))}},
        "names the row -1, but there are 57 rows");
}

BOOST_AUTO_TEST_CASE(damaged_headers_are_errors) {
  const std::string numbers(24, '\0');
  const auto about = [](const std::string& type, const std::string& shape,
                        const std::string& range) {
    return R"({"embeddings":{"dtype":)" + type + R"(,"shape":)" + shape + R"(,"data_offsets":)" +
           range + "}}";
  };
  for (const std::string& header :
       {std::string("[]"), std::string("{"), std::string(R"({"embeddings":1})"),
        about("1", "[2,3]", "[0,24]"), about("\"F32\"", "[2,-3]", "[0,24]"),
        about("\"F32\"", "[2,4]", "[0,24]"), about("\"F32\"", "[2,3]", "[0,25]"),
        about("\"F32\"", "[2,3]", "[24,0]"), about("\"F32\"", "[2,3]", "[0]"),
        about("\"F32\"", "[1,3]", "[0,12]"), about("\"F32\"", "[1,3]", "[12,24]"),
        about("\"F32\"", "[4294967296,4294967296,4294967296]", "[0,24]"),
        about("\"F32\"", "[2,3]", "[0,9223372036854775807]"),
        about("\"F32\"", "[1e3,3]", "[0,24]")})
    BOOST_TEST(message_of(test::made_safetensors(header, numbers)).find("model.safetensors: ") !=
                   std::string::npos,
               header);
  std::string huge;
  test::append_number(huge, ~std::uint64_t{0}, 8);
  BOOST_TEST(message_of(huge + "{}").find("18446744073709551615 bytes") != std::string::npos);
  BOOST_TEST(!message_of("{}").empty());
}

// A flip in the header or behind it is an error, or gives finite vectors of the right length.
BOOST_AUTO_TEST_CASE(flipped_bits_and_cuts_do_no_harm) {
  const std::string whole = test::made_safetensors({table("F32")});
  const std::vector<std::string_view> texts = {"the fox", "Unaffable", "a b e o s t"};
  for (std::size_t bit = 0; bit < whole.size() * 8; bit += 5) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const auto embedder = open(flipped);
    if (!embedder) continue;
    const auto vectors = (*embedder)->embed(texts);
    if (!vectors) continue;
    for (const Vector& vector : *vectors)
      for (const float number : vector.components()) BOOST_REQUIRE(std::isfinite(number));
  }
  for (std::size_t size = 0; size < whole.size(); size += 7)
    BOOST_REQUIRE(!open(whole.substr(0, size)));
}

BOOST_AUTO_TEST_SUITE_END()
