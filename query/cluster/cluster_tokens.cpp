// The home of the tokens changes when `cairn token` releases it: then its head is another one.
#include "query/cluster/cluster_tokens.hpp"

#include "codec/meta.hpp"
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/home/home_address.hpp"

#include <cairn/cluster.hpp>
#include <cairn/home.hpp>
#include <cairn/options.hpp>

#include <map>
#include <system_error>
#include <utility>

namespace cairn {
namespace query::cluster {
namespace {

namespace fs = std::filesystem;

using Notes = std::map<std::string, std::string>;

Result<Notes> tokens_of(const Database& database) {
  CAIRN_ASSIGN(const auto notes, Access::core(database)->notes(codec::token_entries));
  Notes tokens;
  for (const engine::Note& note : notes) tokens.emplace(note.key, note.value);
  return tokens;
}

}  // namespace

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
  if (!head || *head == fetched_ || !fetch()) return;
  fetched_ = *head;
}

// A home that is not there, or was deleted, has no tokens.
Status ClusterTokens::fetch() {
  const fs::path copy = directory_ / "tokens.new";
  std::error_code ignored;
  fs::remove_all(copy, ignored);
  const auto restored = restore_home(home_, copy);
  if (!restored) return restored.error();
  Status taken;
  {
    Options options;
    options.mode = OpenMode::read_only;
    CAIRN_ASSIGN(const Database source, Database::open(copy, options));
    taken = take_from(source);
  }
  fs::remove_all(copy, ignored);
  return taken;
}

Status ClusterTokens::take_from(const Database& source) {
  CAIRN_ASSIGN(const Notes wanted, tokens_of(source));
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

// A namespace cannot have this tenant, as a tenant has no slash.
std::string cluster_tokens_home(const std::string& homes) {
  return engine::HomeAddress{homes, {}, "/tokens"}.text();
}

}  // namespace cairn
