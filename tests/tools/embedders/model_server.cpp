#include "tests/tools/embedders/model_server.hpp"

#include "tests/support/graph_builder.hpp"

#include <cairn/json.hpp>

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

namespace cairn::test {
namespace {

HttpResponse refused(int status, const std::string& message) {
  return {status, to_json(Value(Map{{"error", Map{{"message", message}, {"type", "made"}}}})), {}};
}

Value list_of(const std::vector<float>& vector) {
  List list;
  for (const float component : vector) list.emplace_back(static_cast<double>(component));
  return list;
}

/// Little-endian floats.
std::string base64_of(const std::vector<float>& vector) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  for (const float component : vector)
    for (unsigned i = 0; i < 4; ++i)
      bytes += static_cast<char>(std::bit_cast<std::uint32_t>(component) >> (8 * i) & 0xFF);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (unsigned j = 0; j < 4; ++j) text += digits[bits >> (18 - 6 * j) & 63];
  }
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  return text.replace(text.size() - padding, padding, std::string(padding, '='));
}

bool ends_with(const std::string& path, std::string_view end) { return path.ends_with(end); }

}  // namespace

ModelServer::ModelServer()
    : server_([this](const HttpRequest& request) { return answer(request); }) {}

void ModelServer::plan(std::string letters) {
  const std::lock_guard lock(mutex_);
  plan_ = std::move(letters);
  requests = 0;
  texts = 0;
  bodies.clear();
  paths.clear();
}

std::vector<float> ModelServer::vector_of(std::string_view text) {
  const auto byte = [](char c) { return static_cast<float>(static_cast<unsigned char>(c)); };
  return {static_cast<float>(text.size()), text.empty() ? 0 : byte(text.front()),
          text.empty() ? 0 : byte(text.back()), 0.25F};
}

HttpResponse ModelServer::answer(const HttpRequest& request) {
  const std::lock_guard lock(mutex_);
  const char letter = requests < plan_.size() ? plan_[requests] : '.';
  ++requests;
  paths.push_back(request.path);
  const auto body = parse_json(request.body);
  if (!body || body->map() == nullptr) return refused(400, "no JSON");
  bodies.push_back(body->as_map());
  if (!key.empty() && request.header("authorization") != "Bearer " + key)
    return refused(401, "Incorrect API key: " + request.header("authorization"));
  if (is_away_half_of_the_time && requests % 2 == 1) return refused(503, "away");
  return answer_planned(letter, request);
}

HttpResponse ModelServer::answer_planned(char letter, const HttpRequest& request) {
  HttpResponse response;
  switch (letter) {
    case '0':
      return refused(500, "a fault");
    case '3':
      return refused(503, "too much to do");
    case 'w':
      response = refused(503, "soon");
      response.headers["Retry-After"] = "0";
      return response;
    case 'W':
      response = refused(429, "later");
      response.headers["Retry-After"] = "3600";
      return response;
    case 'd':
      response.is_dropped = true;
      return response;
    case 'g':
      response.body = "<html>";
      return response;
    case 'k':
      return refused(401, "Incorrect API key: " + key);
    case 'b':
      return refused(400, "not\x1b[1m with " + key + " and " + std::string(280, 'x') + key);
    case 'r':
    case 'R':
      response.status = 307;
      response.headers["Location"] =
          letter == 'r' ? "/moved" + request.path : "http://localhost:1" + request.path;
      return response;
    case 's':
      std::this_thread::sleep_for(std::chrono::milliseconds(2'500));
      break;
    default:
      break;
  }
  response = vectors(letter, request);
  response.is_cut = letter == 'u';
  return response;
}

// OpenAI's items are in another order than the texts, as their index allows.
HttpResponse ModelServer::vectors(char letter, const HttpRequest& request) {
  const Map& body = bodies.back();
  const bool is_tei = ends_with(request.path, "/embed") && !ends_with(request.path, "/api/embed");
  const bool is_ollama = ends_with(request.path, "/api/embed");
  const List& sent = body.at(is_tei ? "inputs" : "input").as_list();
  if (sent.size() > most_texts) return refused(413, "too many texts");
  List embeddings;
  for (const Value& text : sent) {
    if (text.as_string().size() > most_bytes) return refused(413, "too many tokens");
    std::vector<float> vector = vector_of(text.as_string());
    if (letter == 'l') vector.resize(dimension - 1);
    Value embedding = sends_base64 ? Value(base64_of(vector)) : list_of(vector);
    if (letter == 'n') embedding = List{1, 2, nullptr, 4};
    embeddings.push_back(std::move(embedding));
  }
  texts += sent.size();
  if (letter == 'c') embeddings.pop_back();
  if (letter == 'C') embeddings.push_back(embeddings.back());
  if (is_tei) return {200, to_json(Value(std::move(embeddings))), {}};
  if (is_ollama)
    return {200,
            to_json(Value(Map{{"model", body.at("model")},
                              {"embeddings", std::move(embeddings)},
                              {"total_duration", 14'143'917},
                              {"prompt_eval_count", 8}})),
            {}};
  List data;
  for (std::size_t i = embeddings.size(); i-- > 0;) {
    const std::size_t index = letter == 'I' && i == 0 ? embeddings.size() - 1 : i;
    data.push_back(Map{{"object", "embedding"}, {"index", index}, {"embedding", embeddings[i]}});
  }
  return {200,
          to_json(Value(Map{{"object", "list"},
                            {"data", std::move(data)},
                            {"model", body.at("model")},
                            {"usage", Map{{"prompt_tokens", 8}, {"total_tokens", 8}}}})),
          {}};
}

}  // namespace cairn::test
