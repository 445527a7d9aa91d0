#pragma once
// What all sessions of one listener have together.

#include "query/bolt/attached.hpp"
#include "query/bolt/wrong_tokens.hpp"

#include <cairn/bolt.hpp>
#include <cairn/database.hpp>

#include <functional>
#include <string>

namespace cairn::query::bolt {

struct Shared {
  Database& database;  ///< a handle of the listener's own
  const BoltLimits& limits;
  WrongTokens& wrong_tokens;
  std::string address;  ///< where clients reach the listener, for routing
  /// Of the socket in the directory, whose clients are processes of the same user: they need no token. Else null.
  AttachedCalls* attached = nullptr;
  std::function<void(const BoltStatement&)> on_statement = {};  ///< empty: nobody wants to know
};

}  // namespace cairn::query::bolt
