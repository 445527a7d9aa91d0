// Who may do what: tokens, roles, namespaces, bookmarks.
#include "query/bolt/login.hpp"
#include "tests/query/bolt/bolt_client.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <thread>

namespace cairn::test {
namespace {

using query::bolt::Tag;
using query::bolt::Version;

struct AccessFixture : BoltFixture {
  // A client with HELLO behind it, and the answer to its LOGON.
  BoltAnswer answer_to(const Map& credentials, const std::string& peer = "127.0.0.1") {
    BoltClient client(shared, {5, 8}, peer);
    client.ask(Tag::hello, {Map()});
    BoltAnswer answer = client.ask(Tag::logon, {credentials});
    BOOST_TEST(client.is_closed == (answer.name() != "SUCCESS"));
    return answer;
  }
  BoltClient client_of(const std::string& made) {
    BoltClient client(shared);
    client.log_on(made);
    return client;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bolt_session_access, AccessFixture)

BOOST_AUTO_TEST_CASE(hello_tells_who_is_there) {
  BoltClient one(shared);
  const BoltAnswer hello = one.ask(Tag::hello, {Map{{"user_agent", "test"}}});
  BOOST_TEST(hello["server"].as_string().starts_with("Neo4j/5.26.0 (Cairn "));
  BOOST_TEST(hello["connection_id"].as_string().starts_with("bolt-"));
  BOOST_TEST(hello["hints"].to_text() == "{`telemetry.enabled`: false}");
  BoltClient other(shared);
  BOOST_TEST(!(other.ask(Tag::hello, {Map()})["connection_id"] == hello["connection_id"]));
}

BOOST_AUTO_TEST_CASE(a_token_logs_on_by_two_schemes) {
  BOOST_TEST(answer_to({{"scheme", "bearer"}, {"credentials", secret}}).name() == "SUCCESS");
  BOOST_TEST(
      answer_to({{"scheme", "basic"}, {"principal", "who"}, {"credentials", secret}}).name() ==
      "SUCCESS");
  BoltClient logged_on = client();
  BOOST_TEST(logged_on.session().is_logged_on());
  BOOST_TEST(logged_on.session().principal() == "all");
}

BOOST_AUTO_TEST_CASE(nobody_comes_in_without_one) {
  for (const Map& credentials :
       {Map(), Map{{"scheme", "none"}}, Map{{"scheme", "kerberos"}, {"credentials", secret}},
        Map{{"scheme", "bearer"}}, Map{{"scheme", "bearer"}, {"credentials", secret + "x"}},
        Map{{"scheme", "basic"}, {"principal", secret}, {"credentials", "neo4j"}}}) {
    const std::string text = failure_text(answer_to(credentials));
    BOOST_TEST(text.starts_with("Neo.ClientError.Security.Unauthorized"), text);
    BOOST_TEST(text.find("cairn token create") != std::string::npos, text);
  }
  BoltClient oldest(shared, {5, 0});
  BOOST_TEST(failure_title(oldest.ask(Tag::hello, {Map{{"scheme", "none"}}})) == "Unauthorized");
  BOOST_TEST(oldest.is_closed);
}

BOOST_AUTO_TEST_CASE(wrong_tokens_close_the_door_to_their_address) {
  const Map wrong{{"scheme", "bearer"}, {"credentials", "cairn_wrong"}};
  const Map right{{"scheme", "bearer"}, {"credentials", secret}};
  for (int i = 0; i < 10; ++i)
    BOOST_TEST(failure_title(answer_to(wrong, "1.2.3.4")) == "Unauthorized");
  BOOST_TEST(failure_title(answer_to(right, "1.2.3.4")) == "AuthenticationRateLimit");
  BOOST_TEST(answer_to(right, "1.2.3.5").name() == "SUCCESS");
}

BOOST_AUTO_TEST_CASE(a_statement_needs_a_role) {
  BoltClient reader = client_of(token({.name = "reader", .role = Role::read}));
  BOOST_TEST(reader.result("MATCH (n) RETURN count(*) AS n") == "0");
  const std::string refused = failure_text(reader.run("CREATE (:A)"));
  BOOST_TEST(refused ==
             "Neo.ClientError.Security.Forbidden: this statement needs the role \"write\", and the "
             "token \"reader\" has the role \"read\"; use a token with the needed role");
  reader.ask(Tag::reset);
  BOOST_TEST(reader.run("EXPLAIN CREATE (:A)").name() == "SUCCESS");
  BoltClient writer = client_of(token({.name = "writer", .role = Role::write}));
  BOOST_TEST(writer.result("CREATE (:A)") == "");
  BOOST_TEST(failure_title(writer.run("MATCH (n:A) DELETE n")) == "Forbidden");
  writer.ask(Tag::reset);
  writer.ask(Tag::begin, {Map()});
  BOOST_TEST(failure_title(writer.run("CREATE INDEX FOR (n:A) ON (n.x)")) == "Forbidden");
  BoltClient forgetter = client_of(token({.name = "forgetter", .role = Role::forget}));
  BOOST_TEST(forgetter.result("MATCH (n:A) DELETE n") == "");
  BoltClient admin = client();
  BOOST_TEST(admin.result("CREATE INDEX FOR (n:A) ON (n.x)") == "");
}

BOOST_AUTO_TEST_CASE(a_database_is_a_namespace) {
  const std::string made =
      token({.name = "tenant", .role = Role::write, .home = "acme", .name_spaces = {"shared"}});
  BoltClient tenant = client_of(made);
  tenant.result("CREATE (:Here {at: 'home'})");
  BOOST_TEST(tenant.pulled["db"].as_string() == "acme");
  tenant.result("CREATE (:Here {at: 'shared'})", {}, {{"db", "shared"}});
  BOOST_TEST(tenant.pulled["db"].as_string() == "shared");
  const std::string ask = "MATCH (n:Here) RETURN n.at AS at";
  for (const char* home : {"", "neo4j", "system", "acme"})
    BOOST_TEST(tenant.result(ask, {}, {{"db", home}}) == "'home'");
  tenant.ask(Tag::begin, {Map{{"db", "shared"}, {"mode", "r"}}});
  BOOST_TEST(tenant.result(ask) == "'shared'");
  tenant.ask(Tag::commit);
  BoltClient all = client();
  BOOST_TEST(all.result(ask) == "");
  BOOST_TEST(all.result(ask, {}, {{"db", "acme"}}) == "'home'");
}

BOOST_AUTO_TEST_CASE(other_namespaces_are_refused) {
  BoltClient tenant = client_of(
      token({.name = "tenant", .role = Role::write, .home = "acme", .name_spaces = {"shared"}}));
  const Map other{{"db", "other"}};
  const std::string refused = failure_text(tenant.run("RETURN 1", {}, other));
  BOOST_TEST(refused ==
             "Neo.ClientError.Security.Forbidden: the token \"tenant\" may not use the namespace "
             "\"other\"; it may use its home namespace and \"shared\"");
  // SHOW DATABASES lists it, and no session can choose it.
  BoltClient reader = client_of(token({.name = "reader", .home = "acme", .also_read = {"other"}}));
  BOOST_TEST(failure_text(reader.run("RETURN 1", {}, other))
                 .ends_with("may not use the namespace \"other\"; it may use only its home "
                            "namespace, whose statements "
                            "also read \"other\""));
  tenant.ask(Tag::reset);
  BOOST_TEST(failure_title(tenant.ask(Tag::begin, {other})) == "Forbidden");
  tenant.ask(Tag::reset);
  BOOST_TEST(failure_title(tenant.ask(Tag::route, {Map(), List(), other})) == "Forbidden");
  tenant.ask(Tag::reset);
  BOOST_TEST(failure_title(tenant.run("RETURN 1", {}, {{"imp_user", "ada"}})) == "Forbidden");
}

BOOST_AUTO_TEST_CASE(namespaces_of_others_are_not_listed) {
  BoltClient all = client();
  all.result("CREATE (:A)", {}, {{"db", "other"}});
  BoltClient tenant = client_of(
      token({.name = "tenant", .role = Role::write, .home = "acme", .name_spaces = {"shared"}}));
  tenant.result("CREATE (:A)");
  BOOST_TEST(tenant.result("SHOW NAMESPACES YIELD name") == "'acme'");
  tenant.ask(Tag::begin, {Map()});
  BOOST_TEST(tenant.result("SHOW DATABASES YIELD name") == "'acme'");
  tenant.ask(Tag::rollback);
  BOOST_TEST(all.result("SHOW NAMESPACES YIELD name") == "''; 'acme'; 'other'");
}

// Estimates, counts and near names are of all namespaces.
BOOST_AUTO_TEST_CASE(nothing_of_other_namespaces_is_told) {
  BoltClient all = client();
  all.result("UNWIND range(1, 100) AS i CREATE (:Confidential {code: i})", {}, {{"db", "other"}});
  BoltClient tenant = client_of(token({.name = "tenant", .role = Role::admin, .home = "acme"}));
  const std::string plan =
      tenant.result("EXPLAIN MATCH (n:Confidential) WHERE n.code < 9 RETURN n");
  BOOST_TEST(plan.find('~') == std::string::npos, plan);
  BOOST_TEST(all.result("EXPLAIN MATCH (n:Confidential) RETURN n").find('~') != std::string::npos);
  const std::string profile = tenant.result("PROFILE MATCH (n {code: 7}) RETURN n");
  BOOST_TEST(profile.find('~') == std::string::npos, profile);
  tenant.result("MATCH (n:Confidentia) RETURN n");
  BOOST_TEST(tenant.pulled["statuses"].to_text().find("Confidential") == std::string::npos);
  const char* const entries =
      "CALL db.indexes() YIELD name, entries WHERE name = 'node.code' RETURN entries";
  BOOST_TEST(tenant.result(entries) == "");
  tenant.result("CREATE (:Own {code: 1})");
  BOOST_TEST(tenant.result(entries) == "null");
  BOOST_TEST(failure_title(tenant.run("DROP NAMESPACE other")) == "UnsupportedOperationError");
  BOOST_TEST(all.result("MATCH (n) RETURN count(n) AS n", {}, {{"db", "other"}}) == "100");
  tenant.ask(Tag::reset);
  tenant.result("CREATE (:A)");
  BOOST_TEST(tenant.result("DROP NAMESPACE acme") == "");
}

BOOST_AUTO_TEST_CASE(a_token_reads_the_shared_namespaces_it_was_given) {
  BoltClient all = client();
  all.result("CREATE (:Note {of: 'shared'})", {}, {{"db", "shared"}});
  all.result("CREATE (:Note {of: 'other'})", {}, {{"db", "other"}});
  BoltClient agent = client_of(
      token({.name = "agent", .role = Role::forget, .home = "acme", .also_read = {"shared"}}));
  agent.result("CREATE (:Note {of: 'acme'})");
  const std::string ask = "MATCH (n:Note) RETURN n.of, n@author ORDER BY n.of";
  BOOST_TEST(agent.result(ask) == "'acme' | 'agent'; 'shared' | 'all'");
  agent.ask(Tag::begin, {Map()});
  BOOST_TEST(agent.result(ask) == "'acme' | 'agent'; 'shared' | 'all'");
  agent.ask(Tag::rollback);
  BOOST_TEST(agent.result("SHOW NAMESPACES YIELD name") == "'acme'; 'shared'");
  const std::string refused = failure_text(agent.run("MATCH (n:Note) SET n.x = 1"));
  BOOST_TEST(refused.find("namespace \"shared\"") != std::string::npos, refused);
  agent.ask(Tag::reset);
  BOOST_TEST(failure_title(agent.run("RETURN 1", {}, {{"db", "shared"}})) == "Forbidden");
  const auto every = create_token(*database, {.name = "x", .also_read = {"*"}});
  BOOST_TEST((!every && every.error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(neo4j_is_the_default_namespace_of_who_may_use_it) {
  BoltClient both =
      client_of(token({.name = "both", .role = Role::write, .home = "acme", .name_spaces = {""}}));
  both.result("CREATE (:Here)", {}, {{"db", "neo4j"}});
  BOOST_TEST(both.result("MATCH (n:Here) RETURN count(n) AS n") == "0");
  BOOST_TEST(both.result("MATCH (n:Here) RETURN count(n) AS n", {}, {{"db", "system"}}) == "1");
  const auto refused = create_token(*database, {.name = "x", .home = "neo4j"});
  BOOST_TEST((!refused && refused.error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_token_that_is_taken_back_ends_its_sessions) {
  const std::string made = token({.name = "leaver", .role = Role::write});
  BoltClient leaver = client_of(made);
  leaver.ask(Tag::begin, {Map()});
  leaver.result("CREATE (:Lost)");
  // Its writer has the turn.
  leaver.ask(Tag::rollback);
  must(revoke_token(*database, "leaver"));
  const std::string another = token({.name = "leaver", .role = Role::write});
  BOOST_TEST(another != made);
  std::this_thread::sleep_for(std::chrono::milliseconds(1'050));
  BOOST_TEST(failure_text(leaver.run("RETURN 1")) ==
             "Neo.ClientError.Security.AuthorizationExpired: the token \"leaver\" was revoked");
  BOOST_TEST(leaver.is_closed);
}

BOOST_AUTO_TEST_CASE(a_token_is_looked_up_once_a_second) {
  query::bolt::Login login;
  const std::string made = token({.name = "leaver", .role = Role::write});
  BOOST_TEST(!login.log_on({{"scheme", "bearer"}, {"credentials", made}}, shared, "here"));
  must(revoke_token(*database, "leaver"));
  const auto now = query::bolt::Login::Clock::now();
  BOOST_TEST(!login.check(*database, now));
  BOOST_TEST(login.check(*database, now + std::chrono::seconds(1)).has_value());
}

BOOST_AUTO_TEST_CASE(bookmarks_are_commit_numbers) {
  BoltClient one = client();
  one.result("CREATE (:A)");
  const std::string first = one.pulled["bookmark"].as_string();
  one.result("CREATE (:A)");
  const std::string second = one.pulled["bookmark"].as_string();
  BOOST_TEST(std::stoi(second.substr(6)) == std::stoi(first.substr(6)) + 1);
  one.result("MATCH (n:A) RETURN count(*) AS n", {}, {{"bookmarks", list_of({first, second})}});
  BOOST_TEST(one.pulled["bookmark"].as_string() == second);
  one.ask(Tag::begin, {Map{{"mode", "r"}}});
  BOOST_TEST(one.ask(Tag::commit)["bookmark"].as_string() == second);
}

BOOST_AUTO_TEST_CASE(bookmarks_of_others_are_refused) {
  BoltClient one = client();
  one.result("CREATE (:A)");
  for (const char* bookmark : {"FB:abc", "cairn:", "cairn:x", "cairn:1x", "cairn:-1", "cairn:99",
                               "cairn:99999999999999999999999"}) {
    const Map extra{{"bookmarks", list_of({bookmark})}};
    BOOST_TEST(failure_title(one.run("RETURN 1", {}, extra)) == "InvalidBookmark", bookmark);
    one.ask(Tag::reset);
    BOOST_TEST(failure_title(one.ask(Tag::begin, {extra})) == "InvalidBookmark", bookmark);
    one.ask(Tag::reset);
  }
  BOOST_TEST(failure_title(one.run("RETURN 1", {}, {{"bookmarks", "cairn:1"}})) == "Invalid");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
