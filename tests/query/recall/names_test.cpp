// Names in questions of recall(): first names, names without capitals, authors whose property is searched, and records
// that contain no word of the question but match its author and date.
#include "tests/query/recall/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

struct Names : Recalling {
  Names() {
    options.features.author_weight = 0.4;
    options.features.entity_weight = 0.4;
    options.features.date_weight = 0.5;
    add("CREATE (:Memory {name: 'm', content: 'the tea was green', speaker: 'Maya Lindgren', "
        "time: '2021-05-03'}), (:Memory {name: 'p', content: 'the tea was black', speaker: "
        "'Petra', time: '2021-06-03'}), (:Memory {name: 'o', content: 'we went to Oslo', "
        "speaker: 'Petra', time: '2021-05-20'}), (:Memory {name: 'h', content: 'I was at home', "
        "speaker: 'Petra', time: '2021-07-20'}), (:Memory {name: 'n', content: 'the tea was "
        "red', speaker: 'Mayan Travels'})");
  }
  /// The names of the hits, best first.
  std::string found(std::string_view question) {
    std::string names;
    for (const Hit& hit : hits(question)) names += (names.empty() ? "" : " ") + name(hit.id);
    return names;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(recall_names, Names)

BOOST_AUTO_TEST_CASE(a_first_name_names_an_author) {
  BOOST_TEST(found("Which tea did Maya have?").starts_with("m "));
  BOOST_TEST(hits("Which tea did Maya have?").front().explanation->features->named == 1.4 * 1.4,
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_question_without_capitals_has_names_too) {
  BOOST_TEST(found("which tea did maya have?").starts_with("m "));
  BOOST_TEST(found("which tea did petra have?").starts_with("p "));
  BOOST_TEST(found("which tea did maya lindgren have?").starts_with("m "));
  // With a capital elsewhere, what is written small is no name.
  BOOST_TEST(!found("Which tea did petra have?").starts_with("p "));
}

BOOST_AUTO_TEST_CASE(a_property_of_authors_may_be_searched) {
  run_all(*database, {"CREATE FULLTEXT INDEX both FOR (m:Memory) ON EACH [m.content, m.speaker]"});
  options.index = "both";
  BOOST_TEST(found("Which tea did Petra have?").starts_with("p "));
}

BOOST_AUTO_TEST_CASE(an_author_and_a_date_bring_records) {
  options.index = "texts";
  const std::string names = found("Where did Petra travel in May 2021?");
  BOOST_TEST(names.starts_with("o"), names);
}

BOOST_AUTO_TEST_CASE(what_a_question_names_is_found_without_another_word) {
  BOOST_TEST(!found("Petra?").empty());
  BOOST_TEST(found("What happened in July 2021?").starts_with("h"));
  // A filter binds these too.
  options.filter = Filter::where("name", FilterOperator::equals, "p");
  BOOST_TEST(found("Where did Petra travel in May 2021?") == "p");
}

// "law" is a word of the question and not the first name of "law c. k.".
BOOST_AUTO_TEST_CASE(a_word_in_small_letters_is_no_first_name) {
  add("CREATE (:Memory {name: 'l', content: 'the law of heat', speaker: 'law c. k.'})");
  BOOST_TEST(found("the law of heat").starts_with("l"));
  BOOST_TEST(parts_of(hits("the law of heat").front()).named == 1);
  add("CREATE (:Memory {name: 'e', content: 'the \u00e9lan of heat', speaker: '\u00e9lan vital'})");
  BOOST_TEST(parts_of(hits("the \u00e9lan of heat").front()).named == 1);
}

// What a caller may not see has no date for it.
BOOST_AUTO_TEST_CASE(dates_of_other_records_change_no_score) {
  const double before = hits("tea on 2023-05-07").front().score;
  StatementOptions other;
  other.name_space = "other";
  must(must(execute(*database, "CREATE (:Memory {content: 'x', time: '2023-05-07'})", {}, other))
           .all());
  add("CREATE (m:Memory {time: '2023-05-07'}) SET m@expires_at = "
      "datetime('2020-01-01T00:00:00Z')");
  add("CREATE (:Other {time: '2023-05-07'})");
  BOOST_TEST(hits("tea on 2023-05-07").front().score == before);
}

// The third range of dates has both others.
BOOST_AUTO_TEST_CASE(a_date_counts_once_however_often_and_broadly_it_is_named) {
  add("CREATE (:Memory {name: 'd', content: 'the tea was cold', time: date('2021-05-04')})");
  options.features.author_weight = options.features.entity_weight = 0;
  const std::string wanted = scores("tea in May 2021");
  BOOST_TEST(wanted.find("d ") < wanted.find("p "), wanted);
  for (const char* question :
       {"tea on 2021-05-03 on 2021-05-04 on 2021-05-20",
        "tea on 2021-05-20 on 2021-05-04 on 2021-05-03 on 2021-05-20 on 2021-05-03",
        "tea on 2021-05-20 in May 2021 on 2021-05-04"})
    BOOST_TEST(found(question) == found("tea in May 2021"), question);
  std::string often;
  for (int i = 0; i < 5'000; ++i)
    for (const char* date : {" 2021-05-20", " 2021-05-04", " 2021-05-03", " 2020-01-01"})
      often += date;
  BOOST_TEST(found(often) == found("2021-05-03 2021-05-04 2021-05-20"));
}

BOOST_AUTO_TEST_CASE(a_misspelt_name_names_its_author) {
  for (const char* question : {"Which tea did Petar have?", "Which tea did Perta have?",
                               "Which tea did Petar's have?", "which tea did petar have?"})
    BOOST_TEST(found(question).starts_with("p "), question);
  BOOST_TEST(found("Which tea did Maay have?").starts_with("m "));  // a first name
  BOOST_TEST(hits("Which tea did Petar have?").front().explanation->features->named == 1.4 * 1.4,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(found("Where did Petar travel in May 2021?").starts_with("o"));
  options.features.corrects_spelling = false;
  BOOST_TEST(!found("Which tea did Petar have?").starts_with("p "));
}

BOOST_AUTO_TEST_CASE(a_misspelt_name_of_an_author_is_mentioned_too) {
  add("CREATE (:Memory {name: 'l', content: 'the tea was white', speaker: 'Tim', listener: "
      "'Petra'})");
  const auto named = [&](std::string_view question) {
    std::string all;
    for (const Hit& hit : hits(question))
      all += name(hit.id) + " " + std::to_string(hit.explanation->features->named) + "; ";
    return all;
  };
  BOOST_TEST(named("Which tea did Petar have?") == named("Which tea did Petra have?"));
  BOOST_TEST(named("Which tea did Petar have?").find("l 1.4") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_a_word_that_names_nothing_is_a_misspelt_name) {
  add("CREATE (:Memory {name: 'x', content: 'a Petar of wood', speaker: 'Tim'})");
  BOOST_TEST(!found("Which tea did Petar have?").starts_with("p "));       // a text has it
  BOOST_TEST(found("Which tea did Maya have, Perta?").starts_with("m "));  // an author is named
  BOOST_TEST(!found("Which tea did Getra have?").starts_with("p "));       // another first letter
  BOOST_TEST(
      !found("Which tea did Petri have?").starts_with("p "));  // another letter in a short name
}

BOOST_AUTO_TEST_CASE(a_value_of_another_property_is_no_misspelt_name) {
  add("CREATE (:Memory {name: 'x', content: 'green tea', speaker: 'Tim', listener: 'Petar'})");
  BOOST_TEST(found("Which tea did Petar get?").starts_with("x "));
}

BOOST_AUTO_TEST_CASE(authors_that_the_question_may_not_find_are_no_corrections) {
  StatementOptions other;
  other.name_space = "other";
  must(must(execute(*database,
                    "UNWIND range(1, 9) AS i CREATE (:Memory {content: 'tea', speaker: 'Ptear'})",
                    {}, other))
           .all());
  BOOST_TEST(found("Which tea did Petar have?").starts_with("p "));
  options.filter = Filter::where("speaker", FilterOperator::not_equals, "Petra");
  for (const Hit& hit : hits("Which tea did Petar have?"))
    BOOST_TEST(hit.explanation->features->named == 1.0);
}

// Their number would show that others have records, and the corrections of a large database would end.
BOOST_AUTO_TEST_CASE(however_many_authors_there_are_a_misspelt_name_is_read) {
  const std::string make =
      "UNWIND range(1, 4200) AS i CREATE (:Memory {content: 'milk', speaker: 'Maker' + i})";
  StatementOptions other;
  other.name_space = "other";
  must(must(execute(*database, make, {}, other)).all());
  BOOST_TEST(found("Which tea did Petar have?").starts_with("p "));
  for (const Hit& hit : hits("Which tea did Makre12 have?"))
    BOOST_TEST(hit.explanation->features->named == 1.0);
  add(make);
  add("CREATE (:Memory {name: 'q', content: 'the tea was cold', speaker: 'petronella'})");
  BOOST_TEST(found("Which tea did Petar have?").starts_with("p "));
  BOOST_TEST(found("Which tea did Maay have?").starts_with("m "));  // a first name
  BOOST_TEST(
      found("Which tea did Petronlela have?").starts_with("q "));  // a value without a capital
  BOOST_TEST(!found("Which tea did Getra have?").starts_with("p "));
}

BOOST_AUTO_TEST_CASE(names_begin_with_capitals_of_other_letters) {
  add("CREATE (:Memory {name: 'e', content: 'the tea was new', speaker: '\u00c9lodie'}), "
      "(:Memory {name: 'u', content: 'the tea was old', speaker: '\u00dcmit Kaya'}), "
      "(:Memory {name: 'i', content: 'the tea was hot', speaker: '\u0418\u0432\u0430\u043d'})");
  BOOST_TEST(found("Which tea did \u00c9ldoie have?").starts_with("e "));
  BOOST_TEST(found("Which tea did \u00c9loodie have?").starts_with("e "));
  BOOST_TEST(found("Which tea did \u00dcmti have?").starts_with("u "));
  BOOST_TEST(found("Which tea did \u0418\u0432\u043d\u0430 have?").starts_with("i "));
  // In a question without capitals, which is one in any letters.
  BOOST_TEST(found("which tea did \u00e9lodie have?").starts_with("e "));
  BOOST_TEST(found("which tea did \u0438\u0432\u043d\u0430 have?").starts_with("i "));
  BOOST_TEST(!found("Which tea did \u0438\u0432\u043d\u0430 have?").starts_with("i "));
  BOOST_TEST(!found("\u0427\u0430\u0439: which tea did petra have?").starts_with("p "));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
