// An admin of one namespace learns of no other one by the statements that change the schema, except what the page of the
// language names under "Namespaces".

#include "tests/tools/mcp/tenants_world.hpp"

#include <string>

namespace cairn::test {

BOOST_AUTO_TEST_SUITE(tenants_schema)

BOOST_FIXTURE_TEST_CASE(dropped_names_answer_as_without_the_others, Tenants) {
  for (const char* statement :
       {"DROP INDEX vectorz", "DROP INDEX memory_content", "DROP INDEX codes",
        "DROP INDEX `node.globex1_secret`", "DROP INDEX `node.globex1_secret` IF EXISTS",
        "DROP INDEX `node.globex1_secreT`", "DROP INDEX `relationship.globex`",
        "DROP INDEX `node.acme_secret`", "DROP INDEX `node.age`", "DROP INDEX `relationship.since`",
        "DROP INDEX `relationship.sinze`", "DROP CONSTRAINT codez", "DROP CONSTRAINT ages",
        "DROP CONSTRAINT codez IF EXISTS", "DROP INDEX ages", "DROP CONSTRAINT codes",
        "DROP INDEX memory_contents", "DROP INDEX memory_contents"})
    compare(statement, Role::admin);
}

// Indexes and constraints cover the records of all namespaces, which may not fit. The error does not say which ones.
BOOST_FIXTURE_TEST_CASE(errors_show_no_records_of_others, Tenants) {
  with_others.add("globex", {"CREATE (:Doc {wide: vector([5, 6, 7], 3, FLOAT)})",
                             "CREATE (:Doc {zero: [0, 0]})"});
  for (const char* statement :
       {"CREATE VECTOR INDEX wide FOR (n:Doc) ON (n.wide) OPTIONS {indexConfig: "
        "{`vector.dimensions`: 2}}",
        "CREATE VECTOR INDEX zero FOR (n:Doc|Person) ON (n.zero) OPTIONS {indexConfig: "
        "{`vector.dimensions`: 2}}",
        "CREATE CONSTRAINT names FOR (n:Person) REQUIRE n.name IS UNIQUE"}) {
    const std::string found = with_others.answer(statement, Role::admin);
    BOOST_TEST(found.find("only a caller that may use all namespaces sees which ones") !=
                   std::string::npos,
               found);
    for (const char* word : {"node ", "P1", "3", "zero vector", "globex"})
      BOOST_TEST(found.find(word) == std::string::npos, found);
    BOOST_TEST(without_others.answer(statement, Role::admin).find("changes") != std::string::npos);
  }
}

// What is packed in memory has the records of all namespaces.
BOOST_FIXTURE_TEST_CASE(segments_are_listed_as_without_the_others, Tenants) {
  run_all(*with_others.database, {"CALL db.warm(['globex1_secret', 'age', 'since'])"});
  run_all(*without_others.database, {"CALL db.warm(['age', 'since'])"});
  for (const char* statement :
       {"CALL db.segments()", "CALL db.warm(['name'])", "CALL db.warm(['globex1_secret'])",
        "CALL db.warm(['globex1_nothing'])", "CALL db.segments()"})
    compare(statement, Role::admin);
  const std::string found = with_others.answer("CALL db.segments()", Role::admin);
  BOOST_TEST(found.find("'NODE PROPERTY' | 'name' | null") != std::string::npos, found);
}

// The others have made the indexes of the memory calls and of `cairn ingest`.
BOOST_AUTO_TEST_CASE(a_tenant_without_records_drops_no_index_of_others) {
  Tenants tenants(tools::mcp::ToolSet::memory, Start::empty);
  for (const char* name :
       {"memory_contents", "memory_content", "memory_embedding", "chunk_content", "chunk_embeddin"})
    for (const char* end : {"", " IF EXISTS"})
      tenants.compare("DROP INDEX " + std::string(name) + end, Role::admin);
  BOOST_TEST(result_of(*tenants.with_others.database,
                       "SHOW INDEXES YIELD name WHERE name IN ['memory_contents', "
                       "'memory_embedding', 'chunk_content'] RETURN count(*)") == "3");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
