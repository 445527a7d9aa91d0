// Reads the settings of an S3 store from the environment and from the credentials file of the AWS tools.
#include "codec/instant.hpp"
#include "engine/home/object_store.hpp"
#include "engine/home/s3_transport.hpp"
#include "engine/system/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <map>

namespace cairn::engine {
namespace {

/// Returns the first of these environment variables that is set and not empty, else `otherwise`.
std::string variable(std::initializer_list<const char*> names, std::string otherwise = {}) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return otherwise;
}

/// Returns `text` without blanks at both ends.
std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Reads the entries of one section of a credentials file in the format of the AWS tools. Empty if there is no such
/// file or section.
std::map<std::string, std::string> profile_of(const std::string& file, const std::string& profile) {
  std::ifstream lines(file);
  std::map<std::string, std::string> entries;
  bool is_wanted = false;
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    const std::size_t equals = line.find('=');
    if (line.starts_with('['))
      is_wanted = line == "[" + profile + "]";
    else if (is_wanted && equals != std::string::npos && !line.starts_with('#'))
      entries[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  }
  return entries;
}

/// Reads the credentials of the file. Tools write the expiry under different names. An expiry that cannot be read
/// counts as none.
void read_file_credentials(S3Credentials& credentials) {
  const std::string file =
      variable({"AWS_SHARED_CREDENTIALS_FILE"}, variable({"HOME"}) + "/.aws/credentials");
  const std::string profile = variable({"AWS_PROFILE"}, "default");
  auto entries = profile_of(file, profile);
  credentials.key_id = entries["aws_access_key_id"];
  credentials.secret = entries["aws_secret_access_key"];
  credentials.session_token = entries["aws_session_token"];
  for (const char* name : {"expiration", "aws_expiration", "x_security_token_expires"})
    if (!credentials.expires_at) credentials.expires_at = codec::parse_instant(entries[name]);
  credentials.source = "profile " + profile + " of " + file;
}

/// Returns the URL of the bucket. Amazon expects the bucket in the host name; other stores expect it in the path.
std::string url_of(const std::string& bucket, const std::string& region) {
  std::string endpoint = variable({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
  if (endpoint.empty()) return "https://" + bucket + ".s3." + region + ".amazonaws.com";
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint + "/" + bucket;
}

Error wrong(const std::string& what) { return Error{ErrorCode::invalid_argument, what, {}}; }

}  // namespace

bool S3Credentials::have_expired() const {
  // A request takes some time to arrive.
  constexpr std::int64_t early = 30'000'000;
  return expires_at && system_time() >= *expires_at - early;
}

// The environment has precedence over the credentials file.
S3Credentials read_s3_credentials() {
  S3Credentials credentials;
  credentials.key_id = variable({"AWS_ACCESS_KEY_ID"});
  if (credentials.key_id.empty()) {
    read_file_credentials(credentials);
    return credentials;
  }
  credentials.secret = variable({"AWS_SECRET_ACCESS_KEY"});
  credentials.session_token = variable({"AWS_SESSION_TOKEN"});
  credentials.expires_at = codec::parse_instant(variable({"AWS_CREDENTIAL_EXPIRATION"}));
  credentials.source = "the environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
  return credentials;
}

Result<S3Settings> read_s3_settings(std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  const std::size_t slash = text.find('/');
  const std::string bucket(text.substr(0, slash));
  const std::string prefix(slash == std::string_view::npos ? "" : text.substr(slash + 1));
  const bool has_bucket = is_object_name(bucket);
  if (!has_bucket || (!prefix.empty() && !is_object_name(prefix)))
    return wrong("the home \"s3://" + std::string(text) +
                 "\" must be `s3://BUCKET/PREFIX`, with letters, digits, `-`, `_` and `.`");
  S3Settings settings;
  settings.region = variable({"AWS_REGION", "AWS_DEFAULT_REGION"}, "us-east-1");
  settings.bucket_url = url_of(bucket, settings.region);
  settings.prefix = prefix.empty() ? "" : prefix + "/";
  settings.credentials = read_s3_credentials();
  if (!settings.credentials.are_complete())
    return wrong("there are no credentials for s3://" + bucket +
                 ": set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to "
                 "~/.aws/credentials");
  const bool is_web =
      settings.bucket_url.starts_with("http://") || settings.bucket_url.starts_with("https://");
  if (!is_web) return wrong("AWS_ENDPOINT_URL must begin with https:// or http://");
  // The URL is not quoted here, because it would put the password into every message that names the store.
  if (settings.bucket_url.find('@') != std::string::npos)
    return wrong(
        "AWS_ENDPOINT_URL contains a user or password (`...@`), which is not used: remove it, and "
        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  return settings;
}

}  // namespace cairn::engine
