// `cairn token` changes the home of the tokens and then releases the home, which replaces its head.
// Therefore the tokens are unchanged if the head is unchanged.
#include "query/cluster/cluster_tokens.hpp"

#include "codec/meta.hpp"
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/home/home_address.hpp"

#include <cairn/cluster.hpp>
#include <cairn/home.hpp>
#include <cairn/options.hpp>

#include <system_error>
#include <utility>

namespace cairn {
namespace query::cluster {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<ClusterTokens::Notes> ClusterTokens::tokens_of(const Database& database) {
  CAIRN_ASSIGN(const auto notes, Access::core(database)->notes(codec::token_entries));
  Notes tokens;
  for (const engine::Note& note : notes) tokens.emplace(note.key, note.value);
  return tokens;
}

Result<std::unique_ptr<ClusterTokens>> ClusterTokens::open(const fs::path& directory,
                                                           const std::string& homes) {
  const std::string home = cluster_tokens_home(homes);
  CAIRN_ASSIGN(auto watch, engine::HomeWatch::open(home));
  Options options;
  options.share = Share::exclusive;
  options.memory_bytes = std::size_t{16} << 20;
  CAIRN_ASSIGN(Database database, Database::open(directory / "tokens", options));
  return std::unique_ptr<ClusterTokens>(
      new ClusterTokens(std::move(database), directory, home, std::move(watch)));
}

void ClusterTokens::renew() {
  const std::lock_guard lock(mutex_);
  const auto head = watch_.look();
  if (!head || (is_fetched_ && *head == fetched_)) return;
  auto tokens = fetch();
  // A home that does not exist, or was deleted, has no tokens.
  if (!tokens && tokens.error().code == ErrorCode::not_found) tokens = Notes();
  if (!tokens || !take(*tokens)) return;
  fetched_ = *head;
  is_fetched_ = true;
}

Result<ClusterTokens::Notes> ClusterTokens::fetch() const {
  const fs::path copy = directory_ / "tokens.new";
  std::error_code ignored;
  fs::remove_all(copy, ignored);
  CAIRN_TRY(restore_home(home_, copy));
  Options options;
  options.mode = OpenMode::read_only;
  options.share = Share::exclusive;
  auto source = Database::open(copy, options);
  auto tokens = source ? tokens_of(*source) : Result<Notes>(source.error());
  if (source) static_cast<void>(source->close());
  fs::remove_all(copy, ignored);
  return tokens;
}

Status ClusterTokens::take(const Notes& wanted) {
  CAIRN_ASSIGN(const Notes present, tokens_of(database_));
  const auto core = Access::core(database_);
  for (const auto& [key, value] : present)
    if (!wanted.contains(key)) CAIRN_TRY(core->write_note(key, std::nullopt));
  for (const auto& [key, value] : wanted)
    if (const auto found = present.find(key); found == present.end() || found->second != value)
      CAIRN_TRY(core->write_note(key, value));
  return {};
}

}  // namespace query::cluster

// The home of the tokens is next to the homes of the tenants. Its name begins with a slash, so no tenant can
// have it.
std::string cluster_tokens_home(const std::string& homes) {
  return engine::HomeAddress{homes, {}, "/tokens"}.text();
}

}  // namespace cairn
