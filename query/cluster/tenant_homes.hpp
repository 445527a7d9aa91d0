#pragma once
// TenantHomes: the homes of all tenants for which a node got requests.

#include "query/bolt/tenants.hpp"
#include "query/cluster/cluster_tokens.hpp"
#include "query/cluster/tenant_home.hpp"

#include <cairn/result.hpp>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::query::cluster {

/// The homes of a node. Threads: any.
class TenantHomes final : public bolt::Tenants {
 public:
  /// `settings` and `tokens` must outlive the object.
  TenantHomes(const NodeSettings& settings, ClusterTokens& tokens, std::size_t most_open)
      : settings_(settings), tokens_(tokens), most_open_(most_open) {}

  Result<bolt::TenantPlace> enter(const std::string& name_space,
                                  const bolt::TenantEntry& entry) override;
  Result<std::string> server_of(const std::string& name_space) override;
  void renew_tokens() override { tokens_.renew(); }

  [[nodiscard]] std::size_t open_homes() const;
  /// Closes the least recently used homes that nobody uses, as long as too many are open.
  void close_idle();
  /// Closes idle homes until one more may be opened, and sets `is_open` of the home to open, so that it counts at once.
  /// Errors: busy if too many homes are in use.
  [[nodiscard]] Status make_room(std::atomic<bool>& is_open);
  /// Releases all homes. Afterwards no home can be opened. Errors: the first error of
  /// TenantHome::close().
  [[nodiscard]] Status close_all();

 private:
  using Home = std::shared_ptr<TenantHome>;

  /// Returns the home of a namespace's tenant. Errors: busy after close_all().
  [[nodiscard]] Result<Home> find(const std::string& name_space);
  [[nodiscard]] std::vector<Home> open_ones() const;
  /// Closes the least recently used home that nobody uses. Returns false if there is none.
  [[nodiscard]] bool close_one_idle();
  /// Forgets the homes that are not open, if there are many. The caller holds mutex_.
  void forget_closed();

  const NodeSettings& settings_;
  ClusterTokens& tokens_;
  const std::size_t most_open_;
  std::mutex room_mutex_;     // held while room is sought; locked before mutex_
  mutable std::mutex mutex_;  // guards the members below
  bool is_closed_ = false;
  std::map<std::string, Home> homes_;  // by tenant
};

}  // namespace cairn::query::cluster
