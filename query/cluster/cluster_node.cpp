// A node: a listener for drivers, a health page, and a thread that closes idle homes and renews the tokens.
#include "engine/home/kept_states.hpp"
#include "engine/home/object_store.hpp"
#include "query/bolt/listener_impl.hpp"
#include "query/cluster/cluster_tokens.hpp"
#include "query/cluster/health_page.hpp"
#include "query/cluster/left_replicas.hpp"
#include "query/cluster/tenant_homes.hpp"

#include <cairn/cluster.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace cairn {

using query::cluster::ClusterTokens;
using query::cluster::HealthPage;
using query::cluster::NodeSettings;
using query::cluster::TenantHomes;

namespace {

/// Options::memory_bytes of an open home.
constexpr std::size_t home_memory_bytes = std::size_t{32} << 20;
constexpr std::chrono::milliseconds round_time{1'000};

Status make_directory_of(const std::filesystem::path& directory) {
  std::error_code problem;
  std::filesystem::create_directories(directory, problem);
  if (!problem) return {};
  return Error{ErrorCode::io_error,
               "cannot make the directory " + directory.string() + ": " + problem.message(),
               {}};
}

}  // namespace

class ClusterNode::Impl {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Impl>> open(const std::filesystem::path& directory,
                                                          const ClusterOptions& options);
  ~Impl() { static_cast<void>(close()); }

  [[nodiscard]] const BoltAddress& bolt_address() const { return listener_->address(); }
  [[nodiscard]] const BoltAddress& health_address() const { return page_->address(); }
  [[nodiscard]] std::size_t open_homes() const { return homes_->open_homes(); }
  [[nodiscard]] Status close();

 private:
  [[nodiscard]] HealthPage::Content health() const;
  [[nodiscard]] Status begin(const ClusterOptions& options);
  void keep_round(const std::stop_token& stop);

  std::atomic<bool> is_closing_ = false;
  NodeSettings settings_;
  std::unique_ptr<ClusterTokens> tokens_;
  std::unique_ptr<TenantHomes> homes_;
  std::unique_ptr<HealthPage> page_;
  std::unique_ptr<BoltListener::Impl> listener_;
  std::jthread rounds_;
};

Result<std::unique_ptr<ClusterNode::Impl>> ClusterNode::Impl::open(
    const std::filesystem::path& directory, const ClusterOptions& options) {
  CAIRN_TRY(engine::check_object_store_address(options.homes));
  CAIRN_TRY(engine::check_history(options.home_history.value_or(std::chrono::seconds(0))));
  CAIRN_TRY(make_directory_of(directory));
  auto node = std::make_unique<Impl>();
  node->settings_.homes = options.homes;
  node->settings_.directory = directory / "homes";
  node->settings_.home_memory_bytes = home_memory_bytes;
  node->settings_.home_history = options.home_history;
  query::cluster::erase_left_replicas(node->settings_.directory);
  CAIRN_ASSIGN(node->tokens_, ClusterTokens::open(directory, options.homes));
  const std::size_t most = std::max<std::size_t>(options.memory_bytes / home_memory_bytes, 1);
  node->homes_ = std::make_unique<TenantHomes>(node->settings_, *node->tokens_, most);
  node->settings_.make_room = [homes = node->homes_.get()](std::atomic<bool>& is_open) {
    return homes->make_room(is_open);
  };
  CAIRN_TRY(node->begin(options));
  return node;
}

// The addresses are known before the listener serves, because the heads of homes name them.
Status ClusterNode::Impl::begin(const ClusterOptions& options) {
  tokens_->renew();
  CAIRN_ASSIGN(page_, HealthPage::open(options.health, [this] { return health(); }));
  const auto announce = [&](const BoltAddress& bolt) {
    const auto reached = [&](BoltAddress address) {
      if (!options.advertised_host.empty()) address.host = options.advertised_host;
      return address.text();
    };
    settings_.self = {reached(bolt), reached(page_->address())};
    return settings_.self.bolt;
  };
  CAIRN_ASSIGN(listener_, BoltListener::Impl::open_for(tokens_->database(), *homes_, options.bolt,
                                                       options.bolt_options, announce));
  rounds_ = std::jthread([this](const std::stop_token& stop) { keep_round(stop); });
  return {};
}

HealthPage::Content ClusterNode::Impl::health() const {
  const bool is_serving = !is_closing_.load();
  return {is_serving, std::string("{\"status\": \"") + (is_serving ? "serving" : "ending") +
                          "\", \"open_homes\": " + std::to_string(homes_->open_homes()) + "}\n"};
}

// Renews the tokens also while no client connects, so that a revoked token cannot log on.
void ClusterNode::Impl::keep_round(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, stop, round_time, [&] { return stop.stop_requested(); }) &&
         !stop.stop_requested()) {
    tokens_->renew();
    homes_->close_idle();
  }
}

// The health page says that the node ends before its homes are released, so that a proxy asks other nodes.
Status ClusterNode::Impl::close() {
  is_closing_.store(true);
  rounds_ = {};
  if (listener_) listener_->close();
  const Status closed = homes_ ? homes_->close_all() : Status();
  if (page_) page_->close();
  return closed;
}

ClusterNode::ClusterNode(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ClusterNode::ClusterNode(ClusterNode&&) noexcept = default;
ClusterNode& ClusterNode::operator=(ClusterNode&&) noexcept = default;
ClusterNode::~ClusterNode() = default;

Result<ClusterNode> ClusterNode::open(const std::filesystem::path& directory,
                                      const ClusterOptions& options) {
  CAIRN_ASSIGN(auto impl, Impl::open(directory, options));
  return ClusterNode(std::move(impl));
}

const BoltAddress& ClusterNode::bolt_address() const noexcept { return impl_->bolt_address(); }
const BoltAddress& ClusterNode::health_address() const noexcept { return impl_->health_address(); }
std::size_t ClusterNode::open_homes() const { return impl_->open_homes(); }
Status ClusterNode::close() { return impl_->close(); }

}  // namespace cairn
