// The shapes of requests and replies:
//
//    openai  {"model", "input": [...], "encoding_format": "float"} -> {"data": [{"index", "embedding"}]}
//    ollama  {"model", "input": [...], "truncate": false}          -> {"embeddings": [[...]]}
//    tei     {"inputs": [...], "truncate": false}                  -> [[...]]
#include "tools/embedders/http_settings.hpp"
#include "tools/embedders/json_member.hpp"
#include "tools/embedders/vector_lists.hpp"

#include <cairn/json.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

namespace cairn::tools {
namespace {

Error wrong(std::string message) { return {ErrorCode::io_error, std::move(message), {}}; }

/// The value of a base64 character; 64 for any other.
unsigned value_of(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0') + 52;
  return c == '+' ? 62 : c == '/' ? 63 : 64;
}

/// Decodes little-endian floats in base64, which some services send although another format was
/// asked for. Returns nullopt for any other text.
std::optional<List> floats_of_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  List numbers;
  std::uint64_t bits = 0;
  unsigned count = 0;  // of bits
  std::uint32_t word = 0;
  unsigned bytes = 0;  // of the word
  for (const char c : text) {
    const unsigned value = value_of(c);
    if (value == 64) return std::nullopt;
    bits = (bits << 6 | value) & 0xFFFF;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    word |= static_cast<std::uint32_t>(bits >> count & 0xFF) << (8 * bytes);
    if (++bytes < 4) continue;
    numbers.emplace_back(static_cast<double>(std::bit_cast<float>(word)));
    word = 0;
    bytes = 0;
  }
  if (bytes != 0) return std::nullopt;
  return numbers;
}

Result<Vector> vector_of_embedding(const Value& embedding, std::size_t dimension) {
  const std::string* const text = embedding.string();
  if (text == nullptr) return vector_of(embedding, dimension);
  auto numbers = floats_of_base64(*text);
  if (!numbers) return wrong("sent a text that is not a vector in base64");
  return vector_of(Value(*std::move(numbers)), dimension);
}

/// The place that an item of `data` names. Items without an index have the order of the texts.
std::optional<std::size_t> index_of(const Map& item, std::size_t usual) {
  const Value index = json_member(item, "index");
  if (index.is_null()) return usual;
  const auto* const number = index.get_if<std::int64_t>();
  if (number == nullptr || *number < 0) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

/// Reads `data`, whose items may be in any order: each names its text by `index`.
Result<std::vector<Vector>> openai_vectors(const Value& reply, std::size_t count,
                                           std::size_t dimension) {
  const Map* const object = reply.map();
  const Value data = object == nullptr ? Value() : json_member(*object, "data");
  if (data.list() == nullptr) return wrong("sent a reply without `data`");
  CAIRN_TRY(check_count(data.list()->size(), count));
  std::vector<std::optional<Vector>> found(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Map* const item = (*data.list())[i].map();
    if (item == nullptr) return wrong("sent an item of `data` that is not an object");
    const auto index = index_of(*item, i);
    if (!index || *index >= count || found[*index])
      return wrong("sent items of `data` whose `index` does not name each text once");
    CAIRN_ASSIGN(found[*index], vector_of_embedding(json_member(*item, "embedding"), dimension));
    dimension = found[*index]->dimension();
  }
  std::vector<Vector> vectors;
  vectors.reserve(count);
  for (std::optional<Vector>& vector : found) vectors.push_back(*std::move(vector));
  return vectors;
}

}  // namespace

std::string http_request(const HttpSettings& settings, const HttpInput& input,
                         std::span<const std::string_view> texts) {
  Map request;
  const bool is_tei = settings.kind == HttpKind::tei;
  request[is_tei ? "inputs" : "input"] = List(texts.begin(), texts.end());
  if (!is_tei) request["model"] = settings.model;
  if (settings.kind == HttpKind::openai)
    request["encoding_format"] = "float";
  else
    request["truncate"] = settings.truncates;
  if (settings.shortens) request["dimensions"] = settings.dimension;
  if (!input.type.empty()) request[is_tei ? "prompt_name" : "input_type"] = input.type;
  return to_json(Value(std::move(request)));
}

Result<std::vector<Vector>> http_vectors(HttpKind kind, std::string_view body, std::size_t count,
                                         std::size_t dimension) {
  const auto reply = parse_json(body);
  if (!reply) return wrong("sent a reply that is not JSON");
  if (kind == HttpKind::openai) return openai_vectors(*reply, count, dimension);
  if (kind == HttpKind::tei) return vectors_of(*reply, count, dimension);
  const Map* const object = reply->map();
  return vectors_of(object == nullptr ? Value() : json_member(*object, "embeddings"), count,
                    dimension);
}

std::string http_error_text(std::string_view body) {
  const auto reply = parse_json(body);
  const Map* const object = reply ? reply->map() : nullptr;
  if (object == nullptr) return std::string(body);
  Value text = json_member(*object, "error");
  if (const Map* const inner = text.map()) text = Value(json_member(*inner, "message"));
  if (text.is_null()) text = json_member(*object, "message");
  return text.string() == nullptr ? std::string(body) : *text.string();
}

}  // namespace cairn::tools
