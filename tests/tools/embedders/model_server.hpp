#pragma once
// A service of embeddings: OpenAI's, Ollama's or text-embeddings-inference's, by the path, with the shapes that they
// have. It can misbehave at any request.

#include "tests/support/loopback_server.hpp"

#include <cairn/value.hpp>

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

class ModelServer {
 public:
  static constexpr std::size_t dimension = 4;

  ModelServer();
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;

  [[nodiscard]] std::string endpoint() const { return server_.endpoint(); }
  /// The vector of a text as it was sent: it distinguishes texts by length, first and last byte.
  [[nodiscard]] static std::vector<float> vector_of(std::string_view text);

  /// The requests to come, one letter each; behind their end it answers as it should.
  ///
  ///    . answers  0 500  3 503  w 503 with Retry-After: 0  W 429 with Retry-After: 3600  d drops the connection
  ///    u cuts the answer  g no JSON  c one vector too few  C one too many  l shorter vectors  n null in a vector
  ///    I an index twice  k 401, with the key  b 400, with the key and a control character  r redirects to itself
  ///    R redirects to another host  s answers late
  void plan(std::string letters);

  // Read before and after calls only.
  std::size_t most_texts = 1'000'000;  ///< of a request; more are status 413
  std::size_t most_bytes = 1'000'000;  ///< of a text; more are status 413
  std::string key;                     ///< wanted from each request, if it is not empty
  bool sends_base64 = false;
  bool is_away_half_of_the_time = false;
  std::size_t requests = 0;
  std::size_t texts = 0;    ///< of requests that were answered
  std::vector<Map> bodies;  ///< of all requests
  std::vector<std::string> paths;

 private:
  HttpResponse answer(const HttpRequest& request);
  [[nodiscard]] HttpResponse answer_planned(char letter, const HttpRequest& request);
  [[nodiscard]] HttpResponse vectors(char letter, const HttpRequest& request);

  std::mutex mutex_;
  std::string plan_;
  LoopbackServer server_;
};

}  // namespace cairn::test
