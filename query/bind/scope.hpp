#pragma once
// Scope: the variables that are visible to an expression, and their slots in the row.

#include "query/bind/expression.hpp"
#include "query/bind/static_type.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::query {

/// The slot of a variable in the row, and the known type of its values.
struct Variable {
  Slot slot = 0;
  StaticType type;
  bool is_carried = false;  ///< an outer variable of a subquery: visible, but not included in *
};

/// The variables of one row. A scope may be chained to an outer scope, whose variables are visible too and occupy
/// other slots of the row. The outer scope belongs to the query around a subquery, or to the input row of a
/// projection.
class Scope {
 public:
  Scope() = default;
  /// Makes `outer` the next outer scope; it must outlive this one. Slot s of `outer` is slot s + shift here.
  Scope(const Scope* outer, Slot shift, Slot first_slot)
      : outer_(outer), shift_(shift), next_(first_slot) {}

  /// Makes `outer` the next outer scope from now on, and leaves room for its slots.
  void put_before(const Scope& outer, Slot shift) {
    outer_ = &outer;
    shift_ = shift;
    reserve(outer.width() + shift);
  }

  /// Looks up a name here and in the outer scopes.
  [[nodiscard]] std::optional<Variable> find(std::string_view name) const;
  [[nodiscard]] bool has_own(std::string_view name) const { return own_.contains(name); }

  /// Allocates a slot without a name.
  Slot allocate() { return next_++; }
  /// Declares a variable in a new slot. A variable with the same name is hidden.
  Variable declare(std::string_view name, StaticType type);
  /// Declares a variable in a given slot.
  void declare_at(std::string_view name, Variable variable);
  /// Makes sure that slots below `width` are not allocated.
  void reserve(Slot width) { next_ = next_ < width ? width : next_; }
  /// The length of a row with all slots.
  [[nodiscard]] Slot width() const noexcept { return next_; }

  /// Returns the own variables in order of declaration, without carried ones: the columns of *.
  [[nodiscard]] std::vector<std::pair<std::string, Variable>> visible() const;
  /// Returns all visible names, for suggestions in error messages.
  [[nodiscard]] std::vector<std::string_view> names() const;

  /// Removes the names declared during its lifetime, and restores the names that these have hidden. Their slots remain
  /// allocated.
  class Frame {
   public:
    explicit Frame(Scope& scope) : scope_(scope), mark_(scope.undo_.size()) {}
    ~Frame() { scope_.undo_to(mark_); }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    Scope& scope_;
    std::size_t mark_;
  };

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  struct Undo {
    std::string name;
    std::optional<Variable> before;
  };
  void undo_to(std::size_t mark);

  const Scope* outer_ = nullptr;  // the outer scope, or nullptr
  Slot shift_ = 0;                // offset of the outer scope's slots
  Slot next_ = 0;                 // next free slot
  std::unordered_map<std::string, Variable, TextHash, std::equal_to<>> own_;
  std::vector<Undo> undo_;  // every declaration with what it replaced, oldest first
};

}  // namespace cairn::query
