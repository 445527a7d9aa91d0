// The version of the library that a program runs with. The constants in the header are the version that it was compiled
// with. The static_assert ensures that the build and the header have the same version.
#include "codec/format_version.hpp"

#include <cairn/version.hpp>

namespace cairn {

static_assert(version_major == CAIRN_VERSION_MAJOR && version_minor == CAIRN_VERSION_MINOR &&
                  version_patch == CAIRN_VERSION_PATCH,
              "include/cairn/version.hpp and the root CMakeLists.txt name different versions");

std::string_view version() noexcept { return CAIRN_VERSION; }

std::uint32_t format_version() noexcept { return codec::format_version; }

}  // namespace cairn
