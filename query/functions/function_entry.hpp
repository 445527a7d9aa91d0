#pragma once
// FunctionEntry: a function as the binder and the evaluator see it, and the families of functions in this folder.
// query/builtins/registry.hpp finds functions by name.

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

class DeletedTypes;
struct RegisteredFunction;

/// The environment of a call, besides its arguments.
struct FunctionContext {
  /// For functions of entities, such as labels() and properties(); nullptr outside of a statement.
  const engine::View* view = nullptr;
  std::int64_t now = 0;              ///< time of the statement, microseconds since 1970 UTC
  std::uint64_t seed = 0;            ///< of the random numbers of the statement
  engine::Limits* limits = nullptr;  ///< of the statement; nullptr: no limits
  /// Random numbers drawn so far; a context belongs to one thread.
  mutable std::uint64_t draws = 0;
  const DeletedTypes* deleted_types =
      nullptr;  ///< of the statement; nullptr outside of a statement
};

/// Computes an aggregate of one group. The caller skips null arguments and, under DISTINCT, duplicates.
class Aggregator {
 public:
  /// Which values may be divided among several aggregators in any order; see join().
  enum class Divisible : std::uint8_t { none, numbers, all };

  virtual ~Aggregator() = default;
  [[nodiscard]] virtual Status add(std::span<const Value> arguments) = 0;
  /// As add(), for a single number. Avoids a Value in hot loops.
  [[nodiscard]] virtual Status add_integer(std::int64_t number) {
    const Value value(number);
    return add({&value, 1});
  }
  [[nodiscard]] virtual Status add_float(double number) {
    const Value value(number);
    return add({&value, 1});
  }
  [[nodiscard]] virtual Divisible divisible() const noexcept { return Divisible::none; }
  /// Merges another aggregator of the same function into this one. Returns false if the result depends on the order of
  /// the values; then neither aggregator may be used again. Preconditions: all values were divisible, and the integers
  /// of a sum overflow in no order.
  [[nodiscard]] virtual Result<bool> join(const Aggregator& /*other*/) { return false; }
  /// Returns the result; called once. Long computations check `limits`, which may be nullptr. Errors: also errors of
  /// the limits.
  [[nodiscard]] virtual Result<Value> finish(engine::Limits* limits) = 0;
  /// The memory that this aggregator holds, in bytes.
  [[nodiscard]] virtual std::size_t memory_bytes() const noexcept { return 64; }
};

/// A function. Exactly one of `call`, `make_aggregator` and `registered` is set.
struct FunctionEntry {
  std::string_view name;  ///< in lower case
  std::size_t least_arguments = 0;
  std::size_t most_arguments = 0;
  Result<Value> (*call)(std::span<const Value> arguments, const FunctionContext& context) = nullptr;
  std::unique_ptr<Aggregator> (*make_aggregator)() = nullptr;
  const RegisteredFunction* registered = nullptr;  ///< a function of the program
  std::string_view signature;    ///< for messages and help: "substring(text, start, length?)"
  bool is_deterministic = true;  ///< false for rand(): the call is never evaluated early or moved
};

/// A family of functions. Its entries live as long as the program.
using FunctionFamily = std::span<const FunctionEntry>;

// The families of functions. Each is defined in one source file.

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
