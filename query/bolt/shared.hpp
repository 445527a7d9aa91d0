#pragma once
// The objects that all sessions of one listener share.

#include "query/bolt/admission.hpp"
#include "query/bolt/attached.hpp"
#include "query/bolt/stored_outcome.hpp"
#include "query/bolt/tenants.hpp"

#include <cairn/bolt.hpp>
#include <cairn/database.hpp>

#include <functional>
#include <string>

namespace cairn::query::bolt {

/// Created by the listener; must outlive its sessions.
struct Shared {
  Database& database;  ///< the listener's own handle
  const BoltLimits& limits;
  WrongTokens& wrong_tokens;
  std::string address;  ///< the address of the listener, for the routing table
  /// The functions for attached processes; nullptr for a listener at a network address. Clients of the socket in a
  /// directory belong to the same user and need no token.
  AttachedCalls* attached = nullptr;
  std::function<void(const BoltStatement&)> on_statement =
      {};  ///< called for each statement; may be empty
  /// The databases of namespaces; nullptr: `database` has all. Otherwise `database` has the tokens alone.
  Tenants* tenants = nullptr;
  OldRequests old_requests = {};
  /// A descriptor that is readable once the listener closes and lets its clients finish; -1 if it does not let them.
  int closing_event = -1;
};

}  // namespace cairn::query::bolt
