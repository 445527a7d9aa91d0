#pragma once
// An object store that speaks the S3 interface. The only home of libcurl, which also signs the requests.

#include "engine/home/object_store.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <string_view>

namespace cairn::engine {

/// `text` is `BUCKET/PREFIX`; for the rest see read_s3_settings(). Nothing is asked yet.
/// Errors: invalid_argument; unsupported, where this library was built without libcurl.
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_s3_store(std::string_view text);

}  // namespace cairn::engine
