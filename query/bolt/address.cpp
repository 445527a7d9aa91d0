// Parses and writes the address of a listener: host:port, host, :port or [::1]:port.
#include <cairn/bolt.hpp>

#include <charconv>

namespace cairn {
namespace {

Error address_error(std::string_view text) {
  return Error{ErrorCode::invalid_argument,
               "address \"" + std::string(text) +
                   "\": expected host:port, host, :port or [::1]:port, with a port from 0 to 65535",
               {}};
}

/// Parses a port. `text` is the whole address, for the error.
Result<std::uint16_t> parse_port(std::string_view port, std::string_view text) {
  std::uint16_t number = 0;
  const char* const end = port.data() + port.size();
  const auto [stop, problem] = std::from_chars(port.data(), end, number);
  if (problem != std::errc() || stop != end) return address_error(text);
  return number;
}

/// Removes the host from the front of `rest` and returns it without brackets. After the host, `rest` must be empty
/// or begin with the colon of a port.
Result<std::string> take_host(std::string_view& rest, std::string_view text) {
  if (!rest.starts_with('[')) {
    const std::string host(rest.substr(0, rest.find(':')));
    rest.remove_prefix(host.size());
    return host;
  }
  const std::size_t close = rest.find(']');
  if (close == std::string_view::npos || close == 1) return address_error(text);
  const std::string host(rest.substr(1, close - 1));
  rest.remove_prefix(close + 1);
  return host;
}

}  // namespace

// A text without a port keeps the default port; a text without a host keeps the default host.
Result<BoltAddress> BoltAddress::parse(std::string_view text) {
  BoltAddress address;
  std::string_view rest = text;
  CAIRN_ASSIGN(std::string host, take_host(rest, text));
  if (!host.empty()) address.host = std::move(host);
  if (rest.empty() && !text.empty()) return address;
  if (!rest.starts_with(':')) return address_error(text);
  CAIRN_ASSIGN(address.port, parse_port(rest.substr(1), text));
  return address;
}

std::string BoltAddress::text() const {
  const bool needs_brackets = host.find(':') != std::string::npos;
  return (needs_brackets ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace cairn
