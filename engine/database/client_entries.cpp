#include "engine/database/client_entries.hpp"

#include "codec/meta.hpp"
#include "codec/request_name.hpp"
#include "engine/database/core.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cairn::engine {
namespace {

/// The most notes that one batch erases, and their bytes. A batch must fit into one record of the log of a home.
constexpr std::size_t erased_at_once = 10'000;
constexpr std::size_t bytes_at_once = std::size_t{8} << 20;

using Test = std::function<bool(std::string_view name, std::string_view value)>;

/// Erases some entries of clients that pass the test. Returns true if there may be more. An entry that is renewed meanwhile
/// stays: its client may ask for it.
Result<bool> forget_some_clients(Core& core, std::string_view prefix, const Test& is_needless) {
  std::vector<Note> found;
  std::size_t bytes = 0;
  bool is_full = false;
  CAIRN_TRY(core.visit_notes(
      codec::client_entry_key(prefix), [&](std::string_view key, std::string_view value) {
        if (is_full || !is_needless(key.substr(codec::client_entries.size()), value)) return;
        found.push_back({std::string(key), std::string(value)});
        bytes += key.size() + value.size();
        is_full = found.size() == erased_at_once || bytes >= bytes_at_once;
      }));
  CAIRN_TRY(core.erase_unchanged_notes(found));
  return is_full;
}

Status forget_clients_if(Core& core, std::string_view prefix, const Test& is_needless) {
  for (bool has_more = true; has_more;) {
    CAIRN_ASSIGN(has_more, forget_some_clients(core, prefix, is_needless));
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

Status forget_requests_in(Core& core, std::string_view name_space, std::int64_t before) {
  return forget_clients_if(core, codec::request_names,
                           [name_space, before](std::string_view name, std::string_view value) {
                             if (codec::name_space_of_request(name) != name_space) return false;
                             const auto entry = codec::decode_client_entry(value);
                             return !entry || entry->committed_at < before;
                           });
}

}  // namespace cairn::engine
