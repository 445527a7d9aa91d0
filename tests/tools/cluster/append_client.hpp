#pragma once
// AppendClient: appends to lists in a cluster whose nodes come and go, and reads them, for an AppendHistory.

#include "tests/query/bolt/socket_client.hpp"
#include "tests/tools/cluster/append_history.hpp"

#include <cairn/bolt.hpp>
#include <cairn/value.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>

namespace cairn::test {

/// Where the nodes are. Any thread may ask.
class NodePlaces {
 public:
  void set(std::size_t node, const BoltAddress& place) {
    const std::lock_guard lock(mutex_);
    places_[node] = place;
  }
  [[nodiscard]] BoltAddress place(std::size_t node) const {
    const std::lock_guard lock(mutex_);
    return places_[node % places_.size()];
  }

 private:
  mutable std::mutex mutex_;
  std::array<BoltAddress, 3> places_;
};

/// Of one thread. A list is named TENANT/KEY.
class AppendClient {
 public:
  AppendClient(const NodePlaces& nodes, std::string secret, AppendHistory& history,
               std::uint32_t number)
      : nodes_(nodes), secret_(std::move(secret)), history_(history), number_(number) {}

  /// Appends one element, at the owner. With a request id, it is sent until it is acknowledged.
  void append();
  /// Reads a list at the owner, or at any node, which then has to know what this client knows.
  void read();

  /// Makes the indexes of a tenant. Returns false if that was not acknowledged.
  [[nodiscard]] bool make_indexes(const std::string& tenant);

  static constexpr std::array<const char*, 2> tenants = {"acme", "other"};

 private:
  struct Reply {
    Sent sent = Sent::unknown;
    Elements list;
    std::int64_t records = 0;
    std::string bookmark;
  };
  /// Sends a statement to the owner of a tenant. A failure ends the connection.
  [[nodiscard]] Reply at_owner(const std::string& tenant, const std::string& text,
                               const Map& parameters, Map extra);
  [[nodiscard]] static Reply ask(SocketClient& socket, const std::string& text,
                                 const Map& parameters, const Map& extra);
  [[nodiscard]] std::unique_ptr<SocketClient> connect(const BoltAddress& place) const;
  [[nodiscard]] BoltAddress owner_of(const std::string& tenant);
  [[nodiscard]] std::string any_list();
  [[nodiscard]] Reply read_at_owner(ListRead& read);
  /// Reads at a random node, which must first wait for the commits of this client's bookmark.
  [[nodiscard]] Reply read_anywhere(ListRead& read);

  const NodePlaces& nodes_;
  const std::string secret_;
  AppendHistory& history_;
  const std::uint32_t number_;
  std::mt19937 random_{number_};
  std::int64_t count_ = 0;
  std::map<std::string, std::unique_ptr<SocketClient>> owners_;  // by tenant
  std::map<std::string, std::uint16_t> owner_ports_;             // those of owners_
  std::map<std::string, std::size_t> known_;                     // elements of lists
  std::map<std::string, std::string> bookmarks_;                 // by tenant
};

}  // namespace cairn::test
