#include "query/attach/share_group.hpp"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string>
#include <vector>

namespace cairn::query::attach {
namespace {

// The group number that the text is, if it consists of digits.
std::optional<gid_t> number_in(const std::string& text) {
  gid_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

// A number is used as it is; a name is looked up in the group database.
Result<std::optional<gid_t>> share_group_of(const Options& options) {
  const std::string& name = options.share_group;
  if (name.empty()) return std::optional<gid_t>();
  if (const auto number = number_in(name)) return number;
  constexpr std::size_t most_bytes = std::size_t{1} << 20U;
  // getgrnam_r() needs a buffer of unknown size: the buffer doubles until it is large enough.
  for (std::vector<char> room(1'024); room.size() <= most_bytes; room.resize(2 * room.size())) {
    group entry{};
    group* found = nullptr;
    const int problem = ::getgrnam_r(name.c_str(), &entry, room.data(), room.size(), &found);
    if (problem == ERANGE) continue;
    if (found != nullptr) return std::optional(entry.gr_gid);
    if (problem == 0) break;
    return Error{ErrorCode::io_error,
                 "Options::share_group: cannot look up the group \"" + name +
                     "\": " + std::strerror(problem),
                 {}};
  }
  return Error{
      ErrorCode::invalid_argument,
      "Options::share_group: this system has no group \"" + name + "\"; getent group lists them",
      {}};
}

bool is_of_other_user(const std::filesystem::path& directory) {
  struct stat status{};
  return ::stat(directory.c_str(), &status) == 0 && status.st_uid != ::geteuid();
}

}  // namespace cairn::query::attach
