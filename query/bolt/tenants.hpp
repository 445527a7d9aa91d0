#pragma once
// Tenants: the databases of a listener that serves many databases, each with the namespaces of one
// tenant.

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::query::bolt {

/// Where the database of a namespace is.
struct TenantPlace {
  std::shared_ptr<Database> database{};  ///< nullptr if another process serves it
  std::string server{};                  ///< the Bolt address of the process that serves it
};

/// Whether an entry makes the database of a tenant that has none.
enum class MayMake : bool { no, yes };

/// A commit that a client has seen.
struct SeenCommit {
  std::string database{};  ///< the id
  std::uint64_t commit = 0;
};

/// Who enters the database of a tenant.
struct TenantEntry {
  MayMake may_make = MayMake::no;
  bool is_reading = false;            ///< a replica suffices if it has the commits of `seen`
  std::vector<SeenCommit> seen = {};  ///< of any databases
};

/// Threads: any.
class Tenants {
 public:
  virtual ~Tenants() = default;
  /// Returns the database of a namespace, and opens it if no other process serves it. If another process serves it, returns a
  /// replica for reading, or the address of that process. The database stays open as long as the result lives. Errors: those of
  /// opening; busy if the home does not answer, or if the replica lacks a commit; not_found if the tenant has no database and
  /// `may_make` does not permit to make one.
  [[nodiscard]] virtual Result<TenantPlace> enter(const std::string& name_space,
                                                  const TenantEntry& entry) = 0;
  /// Returns the Bolt address of the process that serves a namespace; if none does, of the process that would
  /// open its database. Opens nothing.
  [[nodiscard]] virtual Result<std::string> server_of(const std::string& name_space) = 0;
  /// Updates the tokens of the listener's database, because another process may have made new tokens.
  virtual void renew_tokens() = 0;
};

}  // namespace cairn::query::bolt
