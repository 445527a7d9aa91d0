// Parses the addresses of remote databases, such as bolt+s://example.org:7687.
#include "query/remote/remote_address.hpp"

#include <cairn/remote.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace query::remote {
namespace {

// The three schemes that drivers of Neo4j use as well.
struct Scheme {
  std::string_view begin;
  Security security;
};

constexpr std::array schemes{Scheme{"bolt://", Security::none},
                             Scheme{"bolt+s://", Security::verified},
                             Scheme{"bolt+ssc://", Security::unverified}};

// The scheme at the beginning of an address; nullptr if it has none.
const Scheme* scheme_of(std::string_view text) {
  for (const Scheme& scheme : schemes)
    if (text.starts_with(scheme.begin)) return &scheme;
  return nullptr;
}

// True for a text such as "neo4j://localhost". A path hardly ever begins like this.
bool has_any_scheme(std::string_view text) {
  const std::size_t end = text.find("://");
  const auto is_letter = [](char one) {
    return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || one == '+' ||
           (one >= '0' && one <= '9');
  };
  return end != std::string_view::npos && end > 0 &&
         std::ranges::all_of(text.substr(0, end), is_letter);
}

// With neo4j:// a driver asks one server for all the others; here the address is that of the server itself.
std::string advice_on_scheme(std::string_view text) {
  constexpr std::string_view routed = "neo4j";
  if (!text.starts_with(routed)) return {};
  const std::string_view security = text.substr(routed.size(), text.find("://") - routed.size());
  return "; write bolt" + std::string(security) + ":// in place of neo4j" + std::string(security) +
         "://, with the address of one server";
}

}  // namespace

// Errors quote the address as it was given.
Result<RemoteAddress> RemoteAddress::parse(std::string_view text) {
  const Scheme* const scheme = scheme_of(text);
  if (scheme == nullptr)
    return Error{ErrorCode::invalid_argument,
                 "address \"" + std::string(text) +
                     "\": expected bolt://host:port, bolt+s://host:port or bolt+ssc://host:port" +
                     advice_on_scheme(text),
                 {}};
  // Tolerate one trailing slash.
  std::string_view rest = text.substr(scheme->begin.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  // "user@host" would put the token on the command line, where other users can read it.
  if (rest.find('@') != rest.npos)
    return Error{ErrorCode::invalid_argument,
                 "an address must not contain a token, because other users can see it in the list "
                 "of processes; set CAIRN_TOKEN or RemoteOptions::token",
                 {}};
  CAIRN_ASSIGN(BoltAddress place, BoltAddress::parse(rest));
  return RemoteAddress{scheme->security, std::move(place)};
}

std::string RemoteAddress::text() const {
  for (const Scheme& scheme : schemes)
    if (scheme.security == security) return std::string(scheme.begin) + place.text();
  return place.text();
}

}  // namespace query::remote

// An address with another scheme also counts, so that it is refused and does not become a
// directory.
bool is_remote_address(std::string_view text) { return query::remote::has_any_scheme(text); }

}  // namespace cairn
