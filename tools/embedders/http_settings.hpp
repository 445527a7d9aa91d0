#pragma once
// The settings of an embedder that requests vectors from a service, and the bodies of its messages.

#include "tools/embedders/http_transport.hpp"

#include <cairn/make_embedder.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// The interface of a service.
enum class HttpKind : std::uint8_t {
  openai,  ///< /v1/embeddings, as OpenAI and many others have it
  ollama,  ///< /api/embed
  tei,     ///< /embed of text-embeddings-inference
};

/// How texts of one purpose are sent.
struct HttpInput {
  std::string prefix;  ///< in front of each text
  std::string type;    ///< `input_type`, or `prompt_name` of tei; empty: none
};

struct HttpSettings {
  HttpAddress address;
  HttpKind kind = HttpKind::openai;
  std::string model;
  std::size_t dimension = 0;  ///< of all vectors; 0: set by the first vector
  bool shortens = false;      ///< asks for vectors of this dimension
  bool truncates = false;     ///< the service may cut long texts
  std::size_t batch = 32;     ///< texts of a request
  HttpInput query{};
  HttpInput document{};
  std::string key{};
  bool sends_clear_key = false;  ///< the key may be sent without encryption
  std::chrono::milliseconds timeout{};
  std::chrono::milliseconds patience{};
  std::chrono::milliseconds first_wait{250};  ///< doubled with each further try
};

/// Reads an address and settings, NAME=VALUE. Errors: invalid_argument, whose message shows no
/// value, because a value may be a key; io_error if the file of the key cannot be read.
[[nodiscard]] Result<HttpSettings> read_http_settings(const std::vector<std::string>& words,
                                                      const EmbedderOptions& options);

// The bodies of requests to services, and of their replies.

/// Returns the body of a request for vectors of texts, which have their prefix already.
[[nodiscard]] std::string http_request(const HttpSettings& settings, const HttpInput& input,
                                       std::span<const std::string_view> texts);

/// Returns the vectors of a reply in the order of the texts. Errors: io_error for another shape,
/// and those of vectors_of().
[[nodiscard]] Result<std::vector<Vector>> http_vectors(HttpKind kind, std::string_view body,
                                                       std::size_t count, std::size_t dimension);

/// Returns the error message in the body of a reply; the body itself if its shape is unknown.
[[nodiscard]] std::string http_error_text(std::string_view body);

}  // namespace cairn::tools
