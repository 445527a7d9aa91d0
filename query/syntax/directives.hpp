#pragma once
// Directives: what a part of the grammar is called, how deep it may nest, and whether | ends it.

#include "query/syntax/terminals.hpp"

namespace cairn::query::grammar {

/// Calls whatever fails at the start of `subject` by one name: "an expression".
template <class Subject>
struct Named : x3::unary_parser<Subject, Named<Subject>> {
  using Base = x3::unary_parser<Subject, Named<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  std::string_view name;

  constexpr Named(const Subject& inner, std::string_view called) : Base(inner), name(called) {}
  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& rule, A& attribute) const {
    ParseState& state = state_of(context);
    const auto outer = state.enter_group(state.skip_blank(first), name);
    const bool is_match = this->subject.parse(first, last, context, rule, attribute);
    state.leave_group(outer);
    return is_match;
  }
};

/// One or more levels deeper for as long as `subject` runs. Within it, | has its ordinary meaning,
/// unless BarEnds stands directly before it.
template <class Subject>
struct Nested : x3::unary_parser<Subject, Nested<Subject>> {
  using Base = x3::unary_parser<Subject, Nested<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  std::uint32_t levels;

  constexpr Nested(const Subject& inner, std::uint32_t count) : Base(inner), levels(count) {}
  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& rule, A& attribute) const {
    const Descent descent(state_of(context), first, levels);
    return this->subject.parse(first, last, context, rule, attribute);
  }

 private:
  /// Exceptions pass through here: the way up is a destructor.
  class Descent {
   public:
    Descent(ParseState& state, Iterator at, std::uint32_t count)
        : state_(state), count_(count), outer_bar_(state.bar_ends_expression) {
      state_.descend(at, count_);
      state_.bar_ends_expression = std::exchange(state_.bar_ends_next, false);
    }
    ~Descent() {
      state_.bar_ends_expression = outer_bar_;
      state_.ascend(count_);
    }
    Descent(const Descent&) = delete;
    Descent& operator=(const Descent&) = delete;

   private:
    ParseState& state_;
    std::uint32_t count_;
    bool outer_bar_;
  };
};

/// The expression `subject` ends at a | that is in no further bracket.
template <class Subject>
struct BarEnds : x3::unary_parser<Subject, BarEnds<Subject>> {
  using Base = x3::unary_parser<Subject, BarEnds<Subject>>;
  using Base::Base;
  static constexpr bool is_pass_through_unary = true;

  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& rule, A& attribute) const {
    state_of(context).bar_ends_next = true;
    return this->subject.parse(first, last, context, rule, attribute);
  }
};

/// Keeps `subject` a function of its own. Inlined, the attributes of all alternatives would lie in
/// one frame of the stack, at every level of nesting.
template <class Subject>
struct Apart : x3::unary_parser<Subject, Apart<Subject>> {
  using Base = x3::unary_parser<Subject, Apart<Subject>>;
  using Base::Base;
  static constexpr bool is_pass_through_unary = true;

  template <class C, class R, class A>
  [[gnu::noinline]] bool parse(Iterator& first, const Iterator& last, const C& context, R& rule,
                               A& attribute) const {
    return this->subject.parse(first, last, context, rule, attribute);
  }
};

/// Takes nothing and leaves its attribute as it was made: absent.
template <class Node>
struct Absent : x3::parser<Absent<Node>> {
  using attribute_type = Node;
  static constexpr bool has_attribute = true;

  template <class C, class R, class A>
  bool parse(Iterator&, const Iterator&, const C&, R&, A&) const {
    return true;
  }
};

constexpr Absent<ast::Expression> no_expression;
constexpr Absent<ast::Name> no_name;

/// named("an expression")[p], nested(1)[p], bar_ends[p], apart[p]
struct NamedDirective {
  std::string_view name;
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return Named<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject),
                                                                         name);
  }
};

struct NestedDirective {
  std::uint32_t levels;
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return Nested<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject),
                                                                          levels);
  }
};

struct BarEndsDirective {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return BarEnds<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};

struct ApartDirective {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return Apart<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};

constexpr NamedDirective named(std::string_view name) { return {name}; }
constexpr NestedDirective nested(std::uint32_t levels) { return {levels}; }
constexpr BarEndsDirective bar_ends{};
constexpr ApartDirective apart{};

}  // namespace cairn::query::grammar
