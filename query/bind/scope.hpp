#pragma once
// Scope: which variables an expression sees, and which slots of the row they are.

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

struct Variable {
  Slot slot = 0;
  StaticType type;
  bool is_carried = false;  ///< a subquery's outer variable: seen, but no part of *
};

/// The variables of one row. A scope may stand before another one, whose variables are seen too,
/// further along the row: those of the query around a subquery, or the input of a projection.
class Scope {
 public:
  Scope() = default;
  /// `behind` must outlive this scope; its slot s is slot s + shift here.
  Scope(const Scope* behind, Slot shift, Slot first_slot)
      : behind_(behind), shift_(shift), next_(first_slot) {}

  /// Stands before `behind` from now on.
  void put_before(const Scope& behind, Slot shift) {
    behind_ = &behind;
    shift_ = shift;
    reserve(behind.width() + shift);
  }

  [[nodiscard]] std::optional<Variable> find(std::string_view name) const;
  [[nodiscard]] bool has_own(std::string_view name) const { return own_.contains(name); }

  /// A slot without a name.
  Slot allocate() { return next_++; }
  Variable declare(std::string_view name, StaticType type);
  void declare_at(std::string_view name, Variable variable);
  /// Leaves slots below `width` to others.
  void reserve(Slot width) { next_ = next_ < width ? width : next_; }
  /// The length of a row that has all slots.
  [[nodiscard]] Slot width() const noexcept { return next_; }

  /// Own variables in the order they were declared in; carried ones are left out.
  [[nodiscard]] std::vector<std::pair<std::string, Variable>> visible() const;
  /// All names, for advice.
  [[nodiscard]] std::vector<std::string_view> names() const;

  /// Forgets, when it ends, the names declared since it began. Their slots stay taken.
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

  const Scope* behind_ = nullptr;
  Slot shift_ = 0;
  Slot next_ = 0;
  std::unordered_map<std::string, Variable, TextHash, std::equal_to<>> own_;
  std::vector<Undo> undo_;  // every declaration, oldest first
};

}  // namespace cairn::query
