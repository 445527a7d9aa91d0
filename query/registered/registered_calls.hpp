#pragma once
// RegisteredCalls: the functions and procedures of a program, as they were at one moment.

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

/// A call that nobody waits for any more still holds its own.
struct RegisteredFunction : std::enable_shared_from_this<RegisteredFunction> {
  Signature signature;
  FunctionBody body;
  CallOptions options;
  std::string key;      ///< the name in lower case
  FunctionEntry entry;  ///< points into this
};

struct RegisteredProcedure : std::enable_shared_from_this<RegisteredProcedure> {
  Signature signature;
  ProcedureBody body;
  CallOptions options;
};

/// Never changed once it is shared. A statement keeps the one that it was bound with.
class RegisteredCalls final : public engine::Extension {
 public:
  using FunctionPtr = std::shared_ptr<const RegisteredFunction>;
  using ProcedurePtr = std::shared_ptr<const RegisteredProcedure>;
  using Functions = std::map<std::string, FunctionPtr, std::less<>>;
  using Procedures = std::map<std::string, ProcedurePtr, std::less<>>;

  /// Of this name in lower case, or null.
  [[nodiscard]] const RegisteredFunction* function(std::string_view key) const;
  [[nodiscard]] const RegisteredProcedure* procedure(std::string_view key) const;
  /// By name in lower case.
  [[nodiscard]] const Functions& functions() const noexcept { return functions_; }
  [[nodiscard]] const Procedures& procedures() const noexcept { return procedures_; }

  /// In place of one of the same name.
  void put(std::string key, FunctionPtr function);
  void put(std::string key, ProcedurePtr procedure);
  /// Whether there was one.
  bool erase_function(const std::string& key) { return functions_.erase(key) > 0; }
  bool erase_procedure(const std::string& key) { return procedures_.erase(key) > 0; }

 private:
  Functions functions_;
  Procedures procedures_;
};

using RegisteredCallsPtr = std::shared_ptr<const RegisteredCalls>;

/// Those of a database now; null for none.
[[nodiscard]] RegisteredCallsPtr registered_calls(const Database& database);

}  // namespace cairn::query
