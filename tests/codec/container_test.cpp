#include "codec/container.hpp"

#include "tests/codec/bitmap_samples.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::codec;
using namespace cairn::codec::samples;
using Form = Container::Form;

namespace {

template <class Check>
void with_seeds(Check&& check) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(seed);
      check(random);
    }
  }
}

// Every pair of shapes, each in every form, and what a model makes of the two.
template <class Model, class Check>
void with_pairs(Model&& model, Check&& check) {
  with_seeds([&](Random& random) {
    const auto firsts = shapes(random);
    const auto seconds = shapes(random);
    std::vector<std::vector<Container>> forms_of_seconds;
    for (const Lows& b : seconds) forms_of_seconds.push_back(forms_of(b));
    for (const Lows& a : firsts) {
      const auto a_forms = forms_of(a);
      for (std::size_t i = 0; i < seconds.size(); ++i) {
        const auto wanted = model(a, seconds[i]);
        for (const Container& a_form : a_forms)
          for (const Container& b_form : forms_of_seconds[i]) {
            BOOST_TEST_CONTEXT(a.size()
                               << " values as form " << static_cast<int>(a_form.form()) << ", "
                               << seconds[i].size() << " as " << static_cast<int>(b_form.form())) {
              check(wanted, a_form, b_form);
            }
          }
      }
    }
  });
}

// The same values, a cardinality that is theirs, and the form that goes with it.
void expect(const Container& container, const Lows& values) {
  BOOST_TEST((values_of(container) == values));
  BOOST_TEST(container.cardinality() == values.size());
  BOOST_TEST((container.form() == Form::runs ||
              (container.form() == Form::array) == (values.size() <= Container::max_array)));
  BOOST_TEST(container.array().empty() == (container.form() != Form::array || values.empty()));
  BOOST_TEST(container.words().empty() == (container.form() != Form::bitmap));
  BOOST_TEST(container.runs().empty() == (container.form() != Form::runs));
}

void expect_plain(const Container& container, const Lows& values) {
  expect(container, values);
  BOOST_TEST((container.form() != Form::runs));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(container)

BOOST_AUTO_TEST_CASE(a_container_holds_the_values_it_was_made_from) {
  with_seeds([](Random& random) {
    for (const Lows& values : shapes(random)) {
      expect_plain(Container::from_sorted(values), values);
      expect(as_runs(values), values);
      expect(as_runs(values).optimized(), values);
    }
  });
}

BOOST_AUTO_TEST_CASE(words_become_the_form_that_fits_their_number_of_bits) {
  with_seeds([](Random& random) {
    for (const Lows& values : shapes(random)) {
      std::vector<std::uint64_t> words(Container::bitmap_words);
      for (std::uint16_t value : values) words[value / 64] |= std::uint64_t{1} << (value % 64);
      const std::span<const std::uint64_t, Container::bitmap_words> all(words);
      expect_plain(Container::from_words(all), values);
    }
  });
}

BOOST_AUTO_TEST_CASE(contains_is_true_for_members_only) {
  with_seeds([](Random& random) {
    for (const Lows& values : shapes(random))
      for (const Container& container : forms_of(values)) {
        std::vector<bool> member(Container::capacity);
        for (std::uint16_t value : values) member[value] = true;
        std::uint32_t wrong = 0;
        for (std::uint32_t value = 0; value < Container::capacity; ++value)
          wrong += container.contains(static_cast<std::uint16_t>(value)) != member[value];
        BOOST_TEST(wrong == 0U);
      }
  });
}

BOOST_AUTO_TEST_CASE(first_and_last_are_the_ends_of_the_values) {
  with_seeds([](Random& random) {
    for (const Lows& values : shapes(random))
      for (const Container& container : forms_of(values)) {
        BOOST_TEST(container.empty() == values.empty());
        BOOST_TEST(container.full() == (values.size() == Container::capacity));
        if (values.empty()) continue;
        BOOST_TEST(container.first() == values.front());
        BOOST_TEST(container.last() == values.back());
      }
  });
}

BOOST_AUTO_TEST_CASE(intersecting_gives_what_both_have) {
  with_pairs(both<std::uint16_t>,
             [](const Lows& wanted, const Container& a_form, const Container& b_form) {
               expect_plain(intersect(a_form, b_form), wanted);
             });
}

BOOST_AUTO_TEST_CASE(few_values_are_found_among_many_wherever_they_stand) {
  with_seeds([](Random& random) {
    const Lows many = pick(random, Container::max_array, 100, 60'000);
    for (std::size_t count = 0; count < 100; ++count) {
      Lows few = pick(random, count, 0, 65'535);
      for (std::size_t i = 0; i < count; ++i) few.push_back(many[below(random, many.size())]);
      few.insert(few.end(), {many.front(), many.back(), 65'000});
      std::ranges::sort(few);
      few.erase(std::unique(few.begin(), few.end()), few.end());
      expect_plain(intersect(Container::from_sorted(many), Container::from_sorted(few)),
                   both(many, few));
    }
  });
}

BOOST_AUTO_TEST_CASE(the_size_of_an_intersection_needs_no_intersection) {
  with_pairs(both<std::uint16_t>,
             [](const Lows& wanted, const Container& a_form, const Container& b_form) {
               BOOST_TEST(intersection_cardinality(a_form, b_form) == wanted.size());
             });
}

BOOST_AUTO_TEST_CASE(uniting_gives_what_either_has) {
  with_pairs(either<std::uint16_t>,
             [](const Lows& wanted, const Container& a_form, const Container& b_form) {
               expect_plain(unite(a_form, b_form), wanted);
             });
}

BOOST_AUTO_TEST_CASE(subtracting_leaves_what_the_second_has_not) {
  with_pairs(without<std::uint16_t>,
             [](const Lows& wanted, const Container& a_form, const Container& b_form) {
               expect_plain(subtract(a_form, b_form), wanted);
             });
}

BOOST_AUTO_TEST_CASE(containers_are_equal_exactly_when_their_values_are) {
  struct Wanted {
    bool is_equal;
    std::vector<Container> forms_of_a;
  };
  with_pairs([](const Lows& a, const Lows& b) { return Wanted{a == b, forms_of(a)}; },
             [](const Wanted& wanted, const Container& a_form, const Container& b_form) {
               BOOST_TEST((a_form == b_form) == wanted.is_equal);
               for (const Container& form : wanted.forms_of_a) BOOST_TEST((a_form == form));
             });
}

BOOST_AUTO_TEST_CASE(containers_of_one_size_and_different_values_are_unequal) {
  Lows values(5'000);
  std::iota(values.begin(), values.end(), std::uint16_t{0});
  const Container runs = as_runs(values);
  values.back() = 60'000;
  BOOST_TEST(!(runs == Container::from_sorted(values)));
  BOOST_TEST(!(runs == as_runs(values)));
}

BOOST_AUTO_TEST_CASE(applying_changes_removes_and_adds_them_all) {
  struct Changes {
    Lows added, removed, wanted;
  };
  const auto changes_of = [](const Lows& a, const Lows& b) {
    Changes changes;
    for (std::uint16_t value : b)
      (value % 3 == 0 ? changes.added : changes.removed).push_back(value);
    changes.wanted = either(without(a, changes.removed), changes.added);
    return changes;
  };
  with_pairs(changes_of, [](const Changes& changes, const Container& a_form, const Container&) {
    Container container = a_form;
    container.apply(changes.added, changes.removed);
    BOOST_TEST((values_of(container) == changes.wanted));
    BOOST_TEST(container.cardinality() == changes.wanted.size());
  });
}

BOOST_AUTO_TEST_CASE(adding_and_removing_single_values_follows_a_set) {
  with_seeds([](Random& random) {
    for (const Lows& values : shapes(random))
      for (Container container : forms_of(values)) {
        std::set<std::uint16_t> model(values.begin(), values.end());
        for (int step = 0; step < 100; ++step) {
          const auto value = static_cast<std::uint16_t>(below(random, 65'536));
          if (below(random, 2) == 0) {
            container.add(value);
            model.insert(value);
          } else {
            container.remove(value);
            model.erase(value);
          }
        }
        expect(container, {model.begin(), model.end()});
      }
  });
}

BOOST_AUTO_TEST_CASE(one_value_more_than_an_array_holds_makes_a_bitmap_and_back) {
  Lows values(Container::max_array);
  std::iota(values.begin(), values.end(), std::uint16_t{0});
  Container container = Container::from_sorted(values);

  container.add(50'000);
  BOOST_TEST((container.form() == Form::bitmap));
  container.remove(7);
  BOOST_TEST((container.form() == Form::array));
}

BOOST_AUTO_TEST_CASE(the_optimized_form_is_never_larger_than_the_others) {
  const auto bytes = [](const Container& container) {
    return container.array().size_bytes() + container.words().size_bytes() +
           container.runs().size_bytes();
  };
  with_seeds([&](Random& random) {
    for (const Lows& values : shapes(random))
      for (const Container& container : forms_of(values))
        for (const Container& other : forms_of(values))
          BOOST_TEST(bytes(container.optimized()) <= bytes(other));
  });
}

BOOST_AUTO_TEST_CASE(copying_in_pieces_gives_every_value_once) {
  with_seeds([](Random& random) {
    for (const Lows& values : shapes(random))
      for (const Container& container : forms_of(values)) {
        const Ids expected(values.begin(), values.end());
        Ids copied;
        Ids piece(1 + below(random, 3'000));
        for (std::uint32_t from = 0; from <= 65'535;) {
          const std::size_t count = container.copy_values(from, 1'000'000, piece);
          if (count == 0) break;
          for (std::size_t i = 0; i < count; ++i) copied.push_back(piece[i] - 1'000'000);
          from = static_cast<std::uint32_t>(copied.back()) + 1;
        }
        BOOST_TEST((copied == expected));
        BOOST_TEST(container.copy_values(Container::capacity, 0, piece) == 0U);
      }
  });
}

BOOST_AUTO_TEST_CASE(a_union_of_many_is_the_union_of_each_with_the_rest) {
  with_seeds([](Random& random) {
    const auto all = shapes(random);
    std::vector<Container> containers;
    Lows expected;
    for (int i = 0; i < 5; ++i) {
      const Lows& values = all[below(random, all.size() - 1)];
      containers.push_back(forms_of(values)[below(random, 2)]);
      expected = either(expected, values);
    }
    std::vector<const Container*> pointers;
    for (const Container& container : containers) pointers.push_back(&container);
    expect_plain(unite_all(pointers), expected);
  });
}

BOOST_AUTO_TEST_SUITE_END()
