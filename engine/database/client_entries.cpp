#include "engine/database/client_entries.hpp"

#include "codec/meta.hpp"
#include "codec/request_name.hpp"
#include "engine/database/core.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cairn::engine {
namespace {

/// Keys erased by one batch. The batch must fit into one record of the log of a home.
constexpr std::size_t erased_at_once = 10'000;

using Test = std::function<bool(std::string_view name, std::string_view value)>;

/// Erases the entries of clients that pass the test.
Status forget_clients_if(Core& core, std::string_view prefix, const Test& is_needless) {
  std::vector<std::string> keys;
  CAIRN_TRY(core.visit_notes(codec::client_entry_key(prefix),
                             [&](std::string_view key, std::string_view value) {
                               if (is_needless(key.substr(codec::client_entries.size()), value))
                                 keys.emplace_back(key);
                             }));
  while (!keys.empty()) {
    const auto first =
        keys.end() - static_cast<std::ptrdiff_t>(std::min(keys.size(), erased_at_once));
    CAIRN_TRY(core.erase_notes({first, keys.end()}));
    keys.erase(first, keys.end());
  }
  return {};
}

std::chrono::microseconds most_age(std::string_view name, const codec::ClientEntry& entry) {
  if (!name.starts_with(codec::request_names)) return client_time;
  if (entry.is_unfinished) return unfinished_request_time;
  return request_time;
}

}  // namespace

Status forget_old_clients(Core& core, std::string_view prefix, std::int64_t now) {
  return forget_clients_if(core, prefix, [now](std::string_view name, std::string_view value) {
    const auto entry = codec::decode_client_entry(value);
    return !entry || entry->committed_at < now - most_age(name, *entry).count();
  });
}

Status forget_requests_in(Core& core, std::string_view name_space) {
  return forget_clients_if(core, codec::request_names,
                           [name_space](std::string_view name, std::string_view) {
                             return codec::name_space_of_request(name) == name_space;
                           });
}

}  // namespace cairn::engine
