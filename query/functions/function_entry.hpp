#pragma once
// What the binder knows of a function and the evaluator calls, and the families of functions in
// this folder. See also query/builtins/registry.hpp.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::engine {
class Limits;
class View;
}  // namespace cairn::engine

namespace cairn::query {

// What the binder knows of a function and the evaluator calls.

struct RegisteredFunction;

/// What a function may know beyond its arguments.
struct FunctionContext {
  const engine::View* view =
      nullptr;                       ///< for functions of entities (labels, type, properties, ...)
  std::int64_t now = 0;              ///< the statement's clock, microseconds since 1970 UTC
  std::uint64_t seed = 0;            ///< for rand()
  engine::Limits* limits = nullptr;  ///< the statement's; null outside of one
  mutable std::uint64_t draws = 0;   ///< how often it was drawn from; one context, one thread
};

/// Collects values of one group. Null arguments are skipped by the caller, duplicates under
/// DISTINCT too.
class Aggregator {
 public:
  virtual ~Aggregator() = default;
  [[nodiscard]] virtual Status add(std::span<const Value> arguments) = 0;
  /// add() of one number.
  [[nodiscard]] virtual Status add_integer(std::int64_t number) {
    const Value value(number);
    return add({&value, 1});
  }
  [[nodiscard]] virtual Status add_float(double number) {
    const Value value(number);
    return add({&value, 1});
  }
  /// The result, once. What takes long looks at the limits, null for none. Errors: also theirs.
  [[nodiscard]] virtual Result<Value> finish(engine::Limits* limits) = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const noexcept { return 64; }
};

/// A function by its lower-case name. One of `call`, `make_aggregator` and `registered` is set.
struct FunctionEntry {
  std::string_view name;
  std::size_t least_arguments = 0;
  std::size_t most_arguments = 0;
  Result<Value> (*call)(std::span<const Value> arguments, const FunctionContext& context) = nullptr;
  std::unique_ptr<Aggregator> (*make_aggregator)() = nullptr;
  const RegisteredFunction* registered = nullptr;  ///< a function of the program
  std::string_view signature;    ///< for messages and help: "substring(text, start, length?)"
  bool is_deterministic = true;  ///< false for rand(): never folded, never moved
};

/// A family of functions. Entries live as long as the program.
using FunctionFamily = std::span<const FunctionEntry>;

// The families of functions in this folder, one source file each; see also query/builtins/registry.hpp.

[[nodiscard]] FunctionFamily scalar_functions();
[[nodiscard]] FunctionFamily conversion_functions();
[[nodiscard]] FunctionFamily entity_functions();
[[nodiscard]] FunctionFamily list_functions();
[[nodiscard]] FunctionFamily string_functions();
[[nodiscard]] FunctionFamily text_case_functions();
[[nodiscard]] FunctionFamily mathematical_functions();
[[nodiscard]] FunctionFamily vector_functions();
[[nodiscard]] FunctionFamily version_functions();
[[nodiscard]] FunctionFamily embedding_functions();
[[nodiscard]] FunctionFamily highlight_functions();
[[nodiscard]] FunctionFamily temporal_functions();
[[nodiscard]] FunctionFamily aggregate_functions();
[[nodiscard]] FunctionFamily statistical_aggregates();

}  // namespace cairn::query
