// Chooses the database of a session by the namespace of each request, if the listener has many databases. Bookmarks and the
// routing table depend on this choice.
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/home/home_address.hpp"
#include "query/bolt/session_impl.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query::bolt {
namespace {

// How long a driver may cache the routing table.
constexpr std::int64_t routing_seconds = 300;
// How long a driver may cache it in a cluster, where owners change.
constexpr std::int64_t tenant_routing_seconds = 10;

// An entry of the routing table.
Value server_of(const std::string& address, std::string_view role) {
  return map_of({{"addresses", list_of({address})}, {"role", role}});
}

// A bookmark such as "cairn:17" has the number of the last commit that a session has seen. With tenants, the id of the
// database precedes the number, because a driver sends the bookmarks of all databases that it has used.

constexpr std::string_view bookmark_prefix = "cairn:";

struct Bookmark {
  std::string_view database{};  ///< its id, or empty
  std::uint64_t commit = 0;
};

// nullopt if the text is not a bookmark.
std::optional<Bookmark> bookmark_in(std::string_view text) {
  if (!text.starts_with(bookmark_prefix)) return std::nullopt;
  text.remove_prefix(bookmark_prefix.size());
  Bookmark bookmark;
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    bookmark.database = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, bookmark.commit);
  if (error != std::errc() || read != end) return std::nullopt;
  return bookmark;
}

std::vector<SeenCommit> seen_by(const std::vector<std::string>& bookmarks) {
  std::vector<SeenCommit> seen;
  for (const std::string& text : bookmarks)
    if (const auto bookmark = bookmark_in(text))
      seen.push_back({std::string(bookmark->database), bookmark->commit});
  return seen;
}

Failure no_bookmark(const std::string& bookmark) {
  return {code::invalid_bookmark,
          "\"" + bookmark.substr(0, 100) +
              "\" is not a bookmark of this database; its bookmarks have the form cairn:N"};
}

Failure is_ahead(std::uint64_t commit, std::uint64_t newest) {
  return {code::invalid_bookmark,
          "the bookmark cairn:" + std::to_string(commit) +
              " names a commit that this database does not have: its newest is " +
              std::to_string(newest) +
              "; the bookmark is of another database, or commits were lost"};
}

Failure is_of_other_tenant(const std::string& name_space, const std::string& other) {
  return {
      code::forbidden,
      "the token also reads the namespace \"" + other + "\", and a statement in \"" + name_space +
          "\" cannot: each tenant, the text before the first `/`, has a database of its own; use "
          "a token for each tenant"};
}

Failure failure_of_entry(const Error& error) {
  Failure failure = failure_of(error, Operation::transaction);
  if (error.code == ErrorCode::not_found) failure.code = code::no_database;
  return failure;
}

Failure is_elsewhere(const std::string& name_space, const std::string& server) {
  return {code::not_a_leader,
          "the server " + server + " has the namespace \"" + name_space +
              "\": connect to it, or let the driver find it, by neo4j:// in place of bolt://"};
}

}  // namespace

std::variant<std::string, Failure> Session::Impl::name_space_of(std::string_view database) const {
  std::string name_space = login.name_space_of(database);
  if (auto refusal = login.refusal_of(name_space)) return *std::move(refusal);
  return name_space;
}

Session::Impl::Answer Session::Impl::enter(const std::string& name_space,
                                           const TransactionExtra& said) {
  if (shared_.tenants == nullptr) return std::nullopt;
  leave_tenant();
  const bool may_make = !said.is_reading && login.may_make_tenant(name_space);
  auto place = shared_.tenants->enter(name_space, {may_make ? MayMake::yes : MayMake::no,
                                                   said.is_reading, seen_by(said.bookmarks)});
  if (!place) return failure_of_entry(place.error());
  if (place->database == nullptr) return is_elsewhere(name_space, place->server);
  tenant_ = std::move(place->database);
  work_.use(*tenant_);
  return std::nullopt;
}

std::string Session::Impl::bookmark_of(std::uint64_t commit) const {
  std::string bookmark(bookmark_prefix);
  if (tenant_ != nullptr) bookmark += Access::core(*tenant_)->database_id() + ":";
  return bookmark + std::to_string(commit);
}

// Returns a failure for a bookmark with invalid text, or with a commit that this database does not have. Does not wait for
// commits, because a snapshot always sees all of them.
Session::Impl::Answer Session::Impl::check_bookmarks(
    const std::vector<std::string>& bookmarks) const {
  const std::string id = tenant_ == nullptr ? "" : Access::core(*tenant_)->database_id();
  std::uint64_t last = 0;
  for (const std::string& text : bookmarks) {
    const auto bookmark = bookmark_in(text);
    const bool is_of_tenant = bookmark && !bookmark->database.empty();
    if (!bookmark || is_of_tenant != (tenant_ != nullptr)) return no_bookmark(text);
    if (bookmark->database == id) last = std::max(last, bookmark->commit);
  }
  if (last == 0) return std::nullopt;
  const auto snapshot = work_.database().snapshot();
  if (!snapshot) return failure_of(snapshot.error(), Operation::transaction);
  if (last <= snapshot->commit_number()) return std::nullopt;
  return is_ahead(last, snapshot->commit_number());
}

// The database of one tenant does not have the namespaces of another, so reading them would silently return
// nothing.
Session::Impl::Answer Session::Impl::check_tenants(
    const std::string& name_space, const std::vector<std::string>& also_read) const {
  if (shared_.tenants == nullptr) return std::nullopt;
  for (const std::string& other : also_read)
    if (engine::tenant_of(other) != engine::tenant_of(name_space))
      return is_of_other_tenant(name_space, other);
  return std::nullopt;
}

// The routing table for drivers that connect with neo4j://. Without tenants, the table names this server for every role. With
// tenants, the owner reads and writes; this server is a further router, because any server can give the table.
Session::Impl::Answer Session::Impl::route(const Request& request, Map& metadata) {
  auto read = read_extra(request.fields[2].as_map());
  if (auto* failure = std::get_if<Failure>(&read)) return std::move(*failure);
  auto found = name_space_of(std::get<TransactionExtra>(read).database);
  if (auto* failure = std::get_if<Failure>(&found)) return std::move(*failure);
  const std::string& name_space = std::get<std::string>(found);
  std::string server = shared_.address;
  if (shared_.tenants != nullptr) {
    auto owner = shared_.tenants->server_of(name_space);
    if (!owner) return failure_of(owner.error(), Operation::transaction);
    server = *std::move(owner);
  }
  List routers{server};
  if (server != shared_.address) routers.emplace_back(shared_.address);
  metadata.emplace(
      "rt",
      map_of({{"ttl", shared_.tenants == nullptr ? routing_seconds : tenant_routing_seconds},
              {"db", database_name(name_space)},
              {"servers", list_of({map_of({{"addresses", routers}, {"role", "ROUTE"}}),
                                   server_of(server, "READ"), server_of(server, "WRITE")})}}));
  return std::nullopt;
}

}  // namespace cairn::query::bolt
