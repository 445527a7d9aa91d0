#pragma once
// RegisteredCalls: an immutable set of the functions and procedures that a program has registered.

#include "engine/database/extension.hpp"
#include "query/functions/function_entry.hpp"
#include "query/syntax/signature.hpp"

#include <cairn/database.hpp>
#include <cairn/functions.hpp>
#include <cairn/result.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// A function of the program. Calls share its ownership, since a call may outlive the statement and the registration.
struct RegisteredFunction : std::enable_shared_from_this<RegisteredFunction> {
  Signature signature;
  FunctionBody body;
  CallOptions options;
  std::string key;      ///< name in lower case
  FunctionEntry entry;  ///< how the binder sees it; points into this object
};

/// A procedure of the program. Calls share its ownership for the same reason.
struct RegisteredProcedure : std::enable_shared_from_this<RegisteredProcedure> {
  Signature signature;
  ProcedureBody body;
  CallOptions options;
};

/// A shared instance is never changed: each registration makes a changed copy. A statement uses the copy with which it
/// was bound.
class RegisteredCalls final : public engine::Extension {
 public:
  using FunctionPtr = std::shared_ptr<const RegisteredFunction>;
  using ProcedurePtr = std::shared_ptr<const RegisteredProcedure>;
  using Functions = std::map<std::string, FunctionPtr, std::less<>>;
  using Procedures = std::map<std::string, ProcedurePtr, std::less<>>;

  /// Returns the function or procedure with this name in lower case, or nullptr.
  [[nodiscard]] const RegisteredFunction* function(std::string_view key) const;
  [[nodiscard]] const RegisteredProcedure* procedure(std::string_view key) const;
  /// All functions and procedures, by name in lower case.
  [[nodiscard]] const Functions& functions() const noexcept { return functions_; }
  [[nodiscard]] const Procedures& procedures() const noexcept { return procedures_; }

  /// Adds a function or procedure, or replaces one with the same name. `key` is the name in lower case.
  void put(std::string key, FunctionPtr function);
  void put(std::string key, ProcedurePtr procedure);
  /// Removes a function or procedure. Returns false if it does not exist.
  bool erase_function(const std::string& key) { return functions_.erase(key) > 0; }
  bool erase_procedure(const std::string& key) { return procedures_.erase(key) > 0; }

 private:
  Functions functions_;
  Procedures procedures_;
};

using RegisteredCallsPtr = std::shared_ptr<const RegisteredCalls>;

/// Returns the calls that are registered with the database now; nullptr without any.
[[nodiscard]] RegisteredCallsPtr registered_calls(const Database& database);

}  // namespace cairn::query
