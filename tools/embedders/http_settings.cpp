// Reads the words of http:URL NAME=VALUE...
#include "tools/embedders/http_settings.hpp"

#include "tools/embedders/vector_lists.hpp"
#include "tools/text/shown_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::string_view setting_names =
    "model, kind, dimension, shorten, batch, truncate, query_prefix, document_prefix, query_type, "
    "document_type, key_file, clear_key, timeout, patience";

Error invalid(std::string message) { return {ErrorCode::invalid_argument, std::move(message), {}}; }

std::optional<HttpKind> kind_of_name(std::string_view name) {
  if (name == "openai") return HttpKind::openai;
  if (name == "ollama") return HttpKind::ollama;
  if (name == "tei") return HttpKind::tei;
  return std::nullopt;
}

/// /api/embeddings is another interface of Ollama, which takes one text.
std::optional<HttpKind> kind_of_path(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with("/api/embeddings")) return std::nullopt;
  if (path.ends_with("/embeddings")) return HttpKind::openai;
  if (path.ends_with("/api/embed")) return HttpKind::ollama;
  if (path.ends_with("/embed")) return HttpKind::tei;
  return std::nullopt;
}

/// Reads the first word of a file.
Result<std::string> read_key(const std::string& file) {
  std::ifstream stream(file);
  std::string key;
  if (stream >> key) return key;
  return Error{ErrorCode::io_error, "cannot read a key from " + file, {}};
}

/// Characters that would end a header, or that no key has.
Status check_key(const std::string& key) {
  const bool is_plain = std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; });
  if (is_plain) return {};
  return invalid(
      "the key of the embedder has blanks or characters beyond ASCII; correct "
      "CAIRN_EMBEDDER_KEY or the file of key_file");
}

/// Reads words into settings.
class SettingReader {
 public:
  explicit SettingReader(HttpSettings& settings) : settings_(settings) {}

  /// Reads one word NAME=VALUE. Errors: invalid_argument for an unknown name, with all names;
  /// io_error for a key file.
  Status read(const std::string& word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    if (equals == word.size() || name.empty())
      return invalid("each setting of an embedder must be NAME=VALUE; the names are " +
                     std::string(setting_names));
    const std::string value = word.substr(equals + 1);
    if (std::string* const text = text_of(name)) {
      *text = value;
      return {};
    }
    if (name == "kind") return read_kind(value);
    if (name == "truncate") return read_yes(name, value, settings_.truncates);
    if (name == "clear_key") return read_yes(name, value, settings_.sends_clear_key);
    if (name == "key_file") {
      CAIRN_ASSIGN(settings_.key, read_key(value));
      return {};
    }
    return read_number(name, value);
  }

  [[nodiscard]] bool has_kind() const noexcept { return has_kind_; }

 private:
  /// The setting of a name whose value is any text; nullptr for other names.
  std::string* text_of(const std::string& name) {
    if (name == "model") return &settings_.model;
    if (name == "query_prefix") return &settings_.query.prefix;
    if (name == "document_prefix") return &settings_.document.prefix;
    if (name == "query_type") return &settings_.query.type;
    if (name == "document_type") return &settings_.document.type;
    return nullptr;
  }

  Status read_kind(const std::string& value) {
    const auto kind = kind_of_name(value);
    if (!kind) return invalid("`kind` of an embedder must be openai, ollama or tei");
    settings_.kind = *kind;
    has_kind_ = true;
    return {};
  }

  static Status read_yes(const std::string& name, const std::string& value, bool& is_set) {
    if (value != "yes" && value != "no") return invalid(name + " of an embedder must be yes or no");
    is_set = value == "yes";
    return {};
  }

  // All numbers are from 1 on, with a limit for each kind. A name without a limit is unknown.
  Status read_number(const std::string& name, const std::string& value) {
    const bool is_dimension = name == "dimension" || name == "shorten";
    constexpr std::size_t most_batch = 2'048;
    constexpr std::size_t most_seconds = 86'400;
    const std::size_t most = is_dimension       ? most_dimensions
                             : name == "batch"  ? most_batch
                             : is_time_of(name) ? most_seconds
                                                : 0;
    if (most == 0)
      return invalid("an embedder has no setting " + shown_text(name) + "; it has " +
                     std::string(setting_names));
    std::size_t number = 0;
    const char* const end = value.data() + value.size();
    const auto [stop, problem] = std::from_chars(value.data(), end, number);
    if (problem != std::errc() || stop != end || number == 0 || number > most)
      return invalid(name + " of an embedder must be a number from 1 to " + std::to_string(most));
    if (name == "batch") settings_.batch = number;
    if (is_dimension) settings_.dimension = number;
    if (name == "shorten") settings_.shortens = true;
    if (name == "timeout") settings_.timeout = std::chrono::seconds(number);
    if (name == "patience") settings_.patience = std::chrono::seconds(number);
    return {};
  }

  static bool is_time_of(const std::string& name) {
    return name == "timeout" || name == "patience";
  }

  HttpSettings& settings_;
  bool has_kind_ = false;
};

/// Refuses settings that the interface does not have, because they would do nothing.
Status check_interface(const HttpSettings& settings) {
  const bool has_type = !settings.query.type.empty() || !settings.document.type.empty();
  if (settings.kind == HttpKind::ollama && has_type)
    return invalid("Ollama has no types of texts; leave out query_type and document_type");
  if (settings.kind == HttpKind::openai && settings.truncates)
    return invalid("truncate is a setting of Ollama and text-embeddings-inference alone");
  return {};
}

/// Refuses to send a key without encryption, because others could read it.
Status check_way_of_key(const HttpSettings& settings) {
  if (settings.key.empty() || settings.address.is_private || settings.sends_clear_key) return {};
  return invalid("the key of the embedder would be sent to " + settings.address.shown +
                 " without encryption; use https://, leave out the key, or say clear_key=yes if "
                 "nobody can read along");
}

}  // namespace

Result<HttpSettings> read_http_settings(const std::vector<std::string>& words,
                                        const EmbedderOptions& options) {
  HttpSettings settings;
  settings.timeout = options.timeout;
  settings.patience = options.patience;
  CAIRN_ASSIGN(settings.address, parse_http_address(words.empty() ? "" : words.front()));
  SettingReader reader(settings);
  for (std::size_t i = 1; i < words.size(); ++i) CAIRN_TRY(reader.read(words[i]));
  if (!reader.has_kind()) {
    const auto kind = kind_of_path(settings.address.path);
    if (!kind)
      return invalid("the path of " + settings.address.shown +
                     " does not end in /v1/embeddings, /api/embed or /embed; name the interface: "
                     "kind=openai, kind=ollama or kind=tei");
    settings.kind = *kind;
  }
  if (settings.model.empty())
    return invalid("the embedder " + settings.address.shown +
                   " needs the name of its model, which is stored with the vectors: model=NAME");
  CAIRN_TRY(check_interface(settings));
  const char* const key = std::getenv("CAIRN_EMBEDDER_KEY");
  if (!options.key.empty()) settings.key = options.key;
  if (settings.key.empty() && key != nullptr) settings.key = key;
  CAIRN_TRY(check_key(settings.key));
  CAIRN_TRY(check_way_of_key(settings));
  return settings;
}

}  // namespace cairn::tools
