// Logs clients on with tokens. A session does not store the secret of its token; later checks recognise the
// token by its name and creation time.
#include "query/bolt/login.hpp"

#include "engine/home/home_address.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query::bolt {
namespace {

constexpr std::chrono::seconds time_between_checks{1};
constexpr std::string_view how_to_log_on =
    "log on with a token: scheme bearer, or scheme basic with the token as the password; `cairn "
    "token create` creates one";

Failure refuses_logon(const FailureCode& code, std::string message) {
  return {code, std::move(message), std::nullopt, Next::close};
}

// A text entry; empty if it is absent or of another type.
std::string_view entry_of(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  const std::string* text = found == map.end() ? nullptr : found->second.string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

// The namespaces that a token may use, for messages.
std::string names_of(const Token& token) {
  if (token.name_spaces.empty()) return "only its home namespace";
  std::string names;
  for (const std::string& name : token.name_spaces)
    names += (names.empty() ? "its home namespace and " : ", ") + in_quotes(name);
  return names;
}

}  // namespace

// Many wrong tokens from one address are refused without a lookup, so that tokens cannot be guessed.
std::optional<Failure> Login::log_on(const Map& credentials, Shared& shared,
                                     const std::string& peer) {
  const std::string_view scheme = entry_of(credentials, "scheme");
  if (scheme.empty() || scheme == "none")
    return refuses_logon(code::unauthorized,
                         "this server requires a token; " + std::string(how_to_log_on));
  if (scheme != "bearer" && scheme != "basic")
    return refuses_logon(code::unauthorized, "the scheme " + in_quotes(scheme) + " is unknown; " +
                                                 std::string(how_to_log_on));
  if (shared.wrong_tokens.is_refused(peer))
    return refuses_logon(code::too_many_tries,
                         "too many wrong tokens came from this address; wait a minute");
  auto token = find_token(shared.database, entry_of(credentials, "credentials"));
  if (token && !*token && shared.tenants != nullptr) {
    shared.tenants->renew_tokens();
    token = find_token(shared.database, entry_of(credentials, "credentials"));
  }
  if (!token)
    return refuses_logon(failure_of(token.error(), Operation::statement).code,
                         token.error().message);
  if (!*token) {
    shared.wrong_tokens.note(peer);
    return refuses_logon(code::unauthorized,
                         "the token is unknown or was revoked; " + std::string(how_to_log_on));
  }
  const std::lock_guard lock(mutex_);
  token_ = **std::move(token);
  checked_ = Clock::now();
  return std::nullopt;
}

// The token of an owner has no name and cannot be revoked.
void Login::log_on_as_owner() {
  const std::lock_guard lock(mutex_);
  token_ = Token{"", Role::admin, "", {"*"}, 0};
  is_owner_ = true;
}

void Login::log_off() {
  const std::lock_guard lock(mutex_);
  token_.reset();
}

// A token of the same name that was created later is another token.
std::optional<Failure> Login::check(const Database& database, Clock::time_point now) {
  if (is_owner_ || now - checked_ < time_between_checks) return std::nullopt;
  auto tokens = list_tokens(database);
  if (!tokens)
    return refuses_logon(failure_of(tokens.error(), Operation::statement).code,
                         tokens.error().message);
  const auto found = std::ranges::find_if(*tokens, [&](const Token& token) {
    return token.name == token_->name && token.created_at == token_->created_at;
  });
  if (found == tokens->end())
    return refuses_logon(code::authorization_expired,
                         "the token " + in_quotes(token_->name) + " was revoked");
  checked_ = now;
  return std::nullopt;
}

std::string Login::name_space_of(std::string_view database) const {
  if (database.empty()) return token_->home;
  const bool is_default = database == "neo4j" || database == "system";
  if (!is_default) return std::string(database);
  return token_->may_use("") ? std::string() : token_->home;
}

// "*" in a token means all namespaces.
std::optional<std::vector<std::string>> Login::listed_name_spaces() const {
  std::vector<std::string> listed = token_->name_spaces;
  if (std::ranges::find(listed, "*") != listed.end()) return std::nullopt;
  listed.push_back(token_->home);
  listed.insert(listed.end(), token_->also_read.begin(), token_->also_read.end());
  return listed;
}

std::vector<std::string> Login::also_read(std::string_view name_space) const {
  std::vector<std::string> others = token_->also_read;
  std::erase(others, name_space);
  return others;
}

std::optional<Failure> Login::refusal_of(std::string_view name_space) const {
  if (name_space == token_->home || token_->may_use(name_space)) return std::nullopt;
  const bool is_also_read =
      std::ranges::find(token_->also_read, name_space) != token_->also_read.end();
  return Failure{code::forbidden, "the token " + in_quotes(token_->name) +
                                      " may not use the namespace " + in_quotes(name_space) +
                                      "; it may use " + names_of(*token_) +
                                      (is_also_read ? ", whose statements also read " : "") +
                                      (is_also_read ? in_quotes(name_space) : std::string())};
}

// The name "*" permits no tenant here: otherwise each mistyped name would make a database.
bool Login::may_make_tenant(std::string_view name_space) const {
  const std::string tenant = engine::tenant_of(name_space);
  const auto is_of_tenant = [&](const std::string& name) {
    return name != "*" && engine::tenant_of(name) == tenant;
  };
  if (token_->role == Role::admin) return true;
  if (token_->role < Role::write) return false;
  return is_of_tenant(token_->home) || std::ranges::any_of(token_->name_spaces, is_of_tenant);
}

// Each statement has the lowest role that may run it.
std::optional<Failure> Login::refusal_of(const Statement& statement) const {
  const Role needed = statement.needed_role();
  if (needed <= token_->role) return std::nullopt;
  return Failure{code::forbidden, "this statement needs the role " + in_quotes(to_string(needed)) +
                                      ", and the token " + in_quotes(token_->name) +
                                      " has the role " + in_quotes(to_string(token_->role)) +
                                      "; use a token with the needed role"};
}

bool Login::is_logged_on() const {
  const std::lock_guard lock(mutex_);
  return token_.has_value();
}

std::string Login::principal() const {
  const std::lock_guard lock(mutex_);
  return token_ ? token_->name : std::string();
}

// If a token is created again between two reads, only the creation times show it.
bool Revocations::look(const Database& database, Clock::time_point now) {
  if (now < next_look_) return false;
  next_look_ = now + std::chrono::seconds(1);
  const auto listed = list_tokens(database);
  if (!listed) return false;
  before_ = std::exchange(tokens_, {});
  for (const Token& token : *listed) tokens_.emplace(token.name, token.created_at);
  return true;
}

bool Revocations::is_revoked(const std::string& name) const {
  const auto now = tokens_.find(name);
  if (now == tokens_.end()) return true;
  const auto before = before_.find(name);
  return before != before_.end() && before->second != now->second;
}

}  // namespace cairn::query::bolt
