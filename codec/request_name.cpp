// The lengths make the name unique, as a part may contain any character.
#include "codec/request_name.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>

namespace cairn::codec {
namespace {

void append_part(std::string& name, std::string_view part) {
  name += std::to_string(part.size());
  name += '/';
  name += part;
  name += '/';
}

/// Takes a part from the front of `rest`.
std::optional<std::string_view> take_part(std::string_view& rest) {
  std::size_t bytes = 0;
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), bytes);
  if (problem != std::errc()) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (rest.size() < 2 || bytes > rest.size() - 2 || rest[0] != '/' || rest[bytes + 1] != '/')
    return std::nullopt;
  const std::string_view part = rest.substr(1, bytes);
  rest.remove_prefix(bytes + 2);
  return part;
}

}  // namespace

std::string request_name(std::string_view token, std::string_view name_space, std::string_view id) {
  std::string name(request_names);
  append_part(name, token);
  append_part(name, name_space);
  name += id;
  return name;
}

std::optional<std::string_view> name_space_of_request(std::string_view name) {
  if (!name.starts_with(request_names)) return std::nullopt;
  name.remove_prefix(request_names.size());
  if (!take_part(name)) return std::nullopt;
  return take_part(name);
}

}  // namespace cairn::codec
