// Replaces s3_store.cpp in a build without libcurl: an S3 store cannot be opened.
#include "engine/home/object_store.hpp"

#include <string>

namespace cairn::engine {

Result<std::unique_ptr<ObjectStore>> open_s3_store(std::string_view text) {
  return Error{ErrorCode::unsupported,
               "this Cairn was built without libcurl and cannot open s3://" + std::string(text) +
                   "; install libcurl4-openssl-dev and build it again",
               {}};
}

}  // namespace cairn::engine
