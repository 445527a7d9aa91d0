#include "engine/home/s3_settings.hpp"

#include "engine/home/object_store.hpp"

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <map>

namespace cairn::engine {
namespace {

/// The first of them that is set and not empty.
std::string variable(std::initializer_list<const char*> names, std::string otherwise = {}) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return otherwise;
}

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The entries of one section of a file as the AWS tools write it. Empty where there is none.
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

void read_credentials(S3Settings& settings) {
  settings.key_id = variable({"AWS_ACCESS_KEY_ID"});
  settings.secret = variable({"AWS_SECRET_ACCESS_KEY"});
  settings.session_token = variable({"AWS_SESSION_TOKEN"});
  if (!settings.key_id.empty()) return;
  const std::string file =
      variable({"AWS_SHARED_CREDENTIALS_FILE"}, variable({"HOME"}) + "/.aws/credentials");
  auto entries = profile_of(file, variable({"AWS_PROFILE"}, "default"));
  settings.key_id = entries["aws_access_key_id"];
  settings.secret = entries["aws_secret_access_key"];
  settings.session_token = entries["aws_session_token"];
}

/// Amazon wants the bucket in the host's name, others in the path.
std::string url_of(const std::string& bucket, const std::string& region) {
  std::string endpoint = variable({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
  if (endpoint.empty()) return "https://" + bucket + ".s3." + region + ".amazonaws.com";
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint + "/" + bucket;
}

Error wrong(const std::string& what) { return Error{ErrorCode::invalid_argument, what, {}}; }

}  // namespace

Result<S3Settings> read_s3_settings(std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  const std::size_t slash = text.find('/');
  const std::string bucket(text.substr(0, slash));
  const std::string prefix(slash == std::string_view::npos ? "" : text.substr(slash + 1));
  const bool has_bucket = is_object_name(bucket);
  if (!has_bucket || (!prefix.empty() && !is_object_name(prefix)))
    return wrong("the home \"s3://" + std::string(text) +
                 "\" must be `s3://BUCKET/PREFIX`, of letters, digits, `-`, `_` and `.`");
  S3Settings settings;
  settings.region = variable({"AWS_REGION", "AWS_DEFAULT_REGION"}, "us-east-1");
  settings.bucket_url = url_of(bucket, settings.region);
  settings.prefix = prefix.empty() ? "" : prefix + "/";
  read_credentials(settings);
  if (settings.key_id.empty() || settings.secret.empty())
    return wrong("there are no credentials for s3://" + bucket +
                 ": set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to "
                 "~/.aws/credentials");
  const bool is_web =
      settings.bucket_url.starts_with("http://") || settings.bucket_url.starts_with("https://");
  if (!is_web) return wrong("AWS_ENDPOINT_URL must begin with https:// or http://");
  // Not shown: it would be in every message that names the place.
  if (settings.bucket_url.find('@') != std::string::npos)
    return wrong(
        "AWS_ENDPOINT_URL has a user or password in it (`...@`), and requests are signed in place "
        "of that: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  return settings;
}

}  // namespace cairn::engine
