// A session of a listener that has a database for each tenant.
#include "tests/query/bolt/bolt_client.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <memory>
#include <string>

using namespace cairn;
using namespace cairn::test;
using query::bolt::Tag;

namespace {

/// Tenants with a database here; those of other names are at another server.
class FakeTenants final : public query::bolt::Tenants {
 public:
  FakeTenants() {
    for (const char* name : {"a", "b"}) databases_[name] = std::make_unique<TemporaryDatabase>();
  }
  Result<query::bolt::TenantPlace> enter(const std::string& name_space,
                                         const query::bolt::TenantEntry& entry) override {
    entered = entry;
    if (name_space == "unknown") return Error{ErrorCode::not_found, "no such tenant", {}};
    const auto found = databases_.find(name_space.substr(0, name_space.find('/')));
    if (found == databases_.end()) return query::bolt::TenantPlace{nullptr, "elsewhere:7687"};
    return query::bolt::TenantPlace{{std::shared_ptr<void>(), &**found->second}, "here:7687"};
  }
  Result<std::string> server_of(const std::string& name_space) override {
    return databases_.contains(name_space) ? "here:7687" : "elsewhere:7687";
  }
  void renew_tokens() override { ++renewals; }
  int renewals = 0;
  query::bolt::TenantEntry entered;

 private:
  std::map<std::string, std::unique_ptr<TemporaryDatabase>> databases_;
};

struct TenantsFixture : BoltFixture {
  TenantsFixture() { shared.tenants = &tenants; }
  FakeTenants tenants;
  BoltClient session = client();
};

Map in(const char* name_space) { return {{"db", name_space}}; }

}  // namespace

BOOST_FIXTURE_TEST_SUITE(session_tenants, TenantsFixture)

BOOST_AUTO_TEST_CASE(each_request_uses_the_database_of_its_namespace) {
  for (const char* name : {"a", "a/x", "b"})
    BOOST_TEST(session.result("CREATE (n:A) RETURN 1", {}, in(name)) == "1");
  BOOST_TEST(session.result("MATCH (n:A) RETURN count(n)", {}, in("a/x")) == "1");
  BOOST_TEST(session.ask(Tag::begin, {in("b")}).name() == "SUCCESS");
  BOOST_TEST(session.result("MATCH (n:A) RETURN count(n)") == "1");
  BOOST_TEST(session.ask(Tag::commit).name() == "SUCCESS");
}

BOOST_AUTO_TEST_CASE(what_is_elsewhere_is_refused_so_that_drivers_ask_again) {
  BOOST_TEST(failure_title(session.run("CREATE (:A)", {}, in("c"))) == "NotALeader");
  BOOST_TEST(session.ask(Tag::reset).name() == "SUCCESS");
  const BoltAnswer read = session.run("RETURN 1", {}, {{"db", "c"}, {"mode", "r"}});
  BOOST_TEST(failure_title(read) == "NotALeader");
  BOOST_TEST(tenants.entered.is_reading);
  BOOST_TEST(failure_text(read).find("elsewhere:7687") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_unknown_tenant_is_a_database_that_is_not_there) {
  BOOST_TEST(failure_title(session.run("CREATE (:A)", {}, in("unknown"))) == "DatabaseNotFound");
}

BOOST_AUTO_TEST_CASE(a_tenant_is_made_by_tokens_that_name_it_and_write_or_that_administer) {
  const auto makes = [&](const NewToken& wanted, const char* name_space, const char* mode = "w") {
    BoltClient client(shared);
    client.log_on(token(wanted));
    static_cast<void>(client.run("RETURN 1", {}, {{"db", name_space}, {"mode", mode}}));
    return tenants.entered.may_make == query::bolt::MayMake::yes;
  };
  BOOST_TEST(makes({"1", Role::write, "a"}, "a"));
  BOOST_TEST(makes({"2", Role::write, "b", {"a/x"}}, "a/x"));
  BOOST_TEST(makes({"3", Role::admin, "", {"*"}}, "a"));
  BOOST_TEST(!makes({"4", Role::write, "", {"*"}}, "a"));
  BOOST_TEST(!makes({"5", Role::forget, "b", {"*"}}, "a"));
  BOOST_TEST(!makes({"6", Role::read, "a"}, "a"));
  BOOST_TEST(!makes({"7", Role::admin, "", {"*"}}, "a", "r"));
}

BOOST_AUTO_TEST_CASE(bookmarks_of_other_tenants_are_passed_over) {
  static_cast<void>(session.result("CREATE (:A)", {}, in("a")));
  static_cast<void>(session.result("CREATE (:A)", {}, in("a")));
  const Value bookmark = session.pulled["bookmark"];
  Map extra = in("b");
  extra.emplace("bookmarks", List{bookmark});
  BOOST_TEST(session.result("RETURN 1", {}, extra) == "1");
  BOOST_REQUIRE(tenants.entered.seen.size() == 1U);
  BOOST_TEST(tenants.entered.seen[0].commit == 2U);
  BOOST_TEST(!tenants.entered.seen[0].database.empty());
  extra["bookmarks"] = List{"cairn:1"};
  BOOST_TEST(failure_title(session.run("RETURN 1", {}, extra)) == "InvalidBookmark");
}

BOOST_AUTO_TEST_CASE(a_statement_does_not_read_the_namespaces_of_another_tenant) {
  BoltClient both = BoltClient(shared);
  both.log_on(token({"both", Role::write, "a", {"b"}, {"a/shared", "b"}}));
  BOOST_TEST(failure_title(both.run("RETURN 1")) == "Forbidden");
}

BOOST_AUTO_TEST_CASE(the_routing_table_names_the_server_of_the_namespace) {
  const BoltAnswer answer = session.ask(Tag::route, {Map(), List(), in("c")});
  const List servers = answer["rt"].as_map().at("servers").as_list();
  for (const Value& server : servers)
    BOOST_TEST((server.as_map().at("addresses").as_list()[0] == Value("elsewhere:7687")));
}

BOOST_AUTO_TEST_SUITE_END()
