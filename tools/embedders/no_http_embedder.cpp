// Replaces the other http_*.cpp in a build without libcurl: no service can be asked.
#include "tools/embedders/http_embedder.hpp"

namespace cairn::tools {

Result<std::unique_ptr<Embedder>> make_http_embedder(const std::vector<std::string>& words,
                                                     const EmbedderOptions& options) {
  static_cast<void>(words);
  static_cast<void>(options);
  return Error{
      ErrorCode::unsupported,
      "this Cairn was built without libcurl, so it cannot get vectors from a service; install "
      "libcurl4-openssl-dev and build it again",
      {}};
}

}  // namespace cairn::tools
