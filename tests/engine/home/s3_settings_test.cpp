#include "codec/instant.hpp"
#include "engine/home/s3_transport.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

using namespace cairn;
using namespace cairn::engine;
using test::must;

namespace {

constexpr const char* variables[] = {
    "AWS_ENDPOINT_URL",         "AWS_ENDPOINT_URL_S3", "AWS_REGION",
    "AWS_DEFAULT_REGION",       "AWS_ACCESS_KEY_ID",   "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",        "AWS_PROFILE",         "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_CREDENTIAL_EXPIRATION"};

struct NoVariables {
  NoVariables() {
    for (const char* name : variables) ::unsetenv(name);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(s3_settings, NoVariables)

BOOST_AUTO_TEST_CASE(amazons_bucket_is_in_the_hosts_name) {
  ::setenv("AWS_ACCESS_KEY_ID", "key", 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
  ::setenv("AWS_DEFAULT_REGION", "eu-central-1", 1);
  const S3Settings settings = must(read_s3_settings("memories/team/a/"));
  BOOST_TEST(settings.bucket_url == "https://memories.s3.eu-central-1.amazonaws.com");
  BOOST_TEST(settings.prefix == "team/a/");
  BOOST_TEST(settings.region == "eu-central-1");
}

BOOST_AUTO_TEST_CASE(another_endpoint_has_the_bucket_in_its_path) {
  ::setenv("AWS_ACCESS_KEY_ID", "key", 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
  ::setenv("AWS_ENDPOINT_URL", "http://localhost:8080/", 1);
  const S3Settings settings = must(read_s3_settings("memories"));
  BOOST_TEST(settings.bucket_url == "http://localhost:8080/memories");
  BOOST_TEST(settings.prefix.empty());
  BOOST_TEST(settings.region == "us-east-1");
}

BOOST_AUTO_TEST_CASE(credentials_are_read_from_the_profile_of_a_file) {
  const test::TemporaryDirectory directory;
  const std::string file = (directory.path() / "credentials").string();
  std::ofstream(file) << "[default]\naws_access_key_id = wrong\n\n[work]\n# of the team\n"
                         "aws_access_key_id = key\naws_secret_access_key=se=cret\n[other]\n"
                         "aws_session_token = none\n";
  ::setenv("AWS_SHARED_CREDENTIALS_FILE", file.c_str(), 1);
  ::setenv("AWS_PROFILE", "work", 1);
  const S3Settings settings = must(read_s3_settings("memories"));
  BOOST_TEST(settings.credentials.key_id == "key");
  BOOST_TEST(settings.credentials.secret == "se=cret");
  BOOST_TEST(settings.credentials.session_token.empty());
}

BOOST_AUTO_TEST_CASE(a_session_has_an_end_that_file_and_environment_tell) {
  const test::TemporaryDirectory directory;
  const std::string file = (directory.path() / "credentials").string();
  std::ofstream(file) << "[default]\naws_access_key_id = key\naws_secret_access_key = secret\n"
                         "aws_session_token = token\nexpiration = 2001-02-03T04:05:06Z\n";
  ::setenv("AWS_SHARED_CREDENTIALS_FILE", file.c_str(), 1);
  const S3Credentials read = read_s3_credentials();
  BOOST_TEST(read.expires_at.value() == codec::parse_instant("2001-02-03T04:05:06Z").value());
  BOOST_TEST(read.have_expired());
  BOOST_TEST(read.source == "profile default of " + file);
  ::setenv("AWS_ACCESS_KEY_ID", "key", 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
  BOOST_TEST(!read_s3_credentials().have_expired());
  ::setenv("AWS_CREDENTIAL_EXPIRATION", "9001-02-03T04:05:06Z", 1);
  BOOST_TEST(!read_s3_credentials().have_expired());
  ::setenv("AWS_CREDENTIAL_EXPIRATION", "2001-02-03T04:05:06Z", 1);
  BOOST_TEST(read_s3_credentials().have_expired());
}

BOOST_AUTO_TEST_CASE(without_credentials_the_message_says_where_they_are_looked_for) {
  ::setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere/credentials", 1);
  const auto settings = read_s3_settings("memories");
  BOOST_REQUIRE(!settings);
  BOOST_TEST(settings.error().message.find("AWS_ACCESS_KEY_ID") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(names_that_no_url_takes_as_they_are_are_refused) {
  for (const char* text : {"", "/", "/prefix", "bucket/a b", "bucket/../x", "b?x"})
    BOOST_TEST(!read_s3_settings(text).has_value());
}

BOOST_AUTO_TEST_CASE(a_password_in_the_endpoint_is_refused_and_not_shown) {
  ::setenv("AWS_ACCESS_KEY_ID", "key", 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
  ::setenv("AWS_ENDPOINT_URL", "https://somebody:hidden@localhost:8080", 1);
  const auto refused = read_s3_settings("memories");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(refused.error().message.find("AWS_ENDPOINT_URL") != std::string::npos);
  BOOST_TEST(refused.error().message.find("somebody") == std::string::npos);
  BOOST_TEST(refused.error().message.find("hidden") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
