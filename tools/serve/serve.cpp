// `cairn serve` and `cairn token`: serves a database by Bolt until a signal arrives, logs
// statements, and manages tokens.
#include "tools/serve/serve.hpp"

#include "tools/arguments/name_list.hpp"
#include "tools/embed/database_embedder.hpp"
#include "tools/text/cell_text.hpp"
#include "tools/text/row_writer.hpp"

#include <cairn/bolt.hpp>
#include <cairn/cluster.hpp>
#include <cairn/json.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/tokens.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>

namespace cairn::tools {

// StatementLog: writes each statement of a client as a line of JSON.

namespace {

/// A log of statements. Threads: any.
class StatementLog {
 public:
  /// Appends to the file; a new file has mode 0600. Errors: io_error.
  [[nodiscard]] static Result<std::unique_ptr<StatementLog>> open(
      const std::filesystem::path& file);

  /// Writes {"time", "client", "agent", "database", "statement", "parameters"}. Parameters are
  /// written by type only, because values may be private. The line is written immediately; if that
  /// fails, it is lost.
  void add(const BoltStatement& statement);

  StatementLog(const StatementLog&) = delete;
  StatementLog& operator=(const StatementLog&) = delete;
  ~StatementLog();

 private:
  explicit StatementLog(int descriptor);

  const int descriptor_;
  std::mutex mutex_;     // guards is_cut_
  bool is_cut_ = false;  // the last line was cut
};

Value time_now() {
  using namespace std::chrono;
  const auto since = system_clock::now().time_since_epoch();
  const auto whole = duration_cast<seconds>(since);
  const auto rest = duration_cast<nanoseconds>(since - whole);
  return DateTime{whole.count(), static_cast<std::int32_t>(rest.count()), 0, ""};
}

Map types_of(const Parameters& parameters) {
  Map types;
  for (const auto& [name, value] : parameters) types.emplace(name, to_string(value.type()));
  return types;
}

std::string line_of(const BoltStatement& statement) {
  return to_json(Map{{"time", time_now()},
                     {"client", statement.client},
                     {"agent", statement.agent},
                     {"database", statement.name_space},
                     {"statement", statement.text},
                     {"parameters", types_of(statement.parameters)}}) +
         "\n";
}

StatementLog::StatementLog(int descriptor) : descriptor_(descriptor) {}

StatementLog::~StatementLog() { ::close(descriptor_); }

Result<std::unique_ptr<StatementLog>> StatementLog::open(const std::filesystem::path& file) {
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor >= 0) return std::unique_ptr<StatementLog>(new StatementLog(descriptor));
  return Error{
      ErrorCode::io_error,
      "cannot write statements to " + file.string() + ": " + std::generic_category().message(errno),
      std::nullopt};
}

// Writes each line by one call. After a line that was cut, for example by a full disk, the next
// statement begins on a new line.
void StatementLog::add(const BoltStatement& statement) {
  std::string line = line_of(statement);
  const std::lock_guard lock(mutex_);
  if (is_cut_) line.insert(0, 1, '\n');
  const ssize_t written = ::write(descriptor_, line.data(), line.size());
  if (written > 0) is_cut_ = static_cast<std::size_t>(written) < line.size();
}

}  // namespace

namespace {

Result<BoltOptions> bolt_options(const ServeCommand& command) {
  BoltOptions options;
  if (command.certificate.empty() != command.key.empty())
    return Error{ErrorCode::invalid_argument,
                 command.key.empty() ? "--tls-cert needs its key: --tls-key FILE"
                                     : "--tls-key needs its certificate: --tls-cert FILE",
                 std::nullopt};
  if (!command.key.empty()) options.tls = BoltTls{command.certificate, command.key};
  if (command.statements.empty()) return options;
  CAIRN_ASSIGN(auto opened, StatementLog::open(command.statements));
  // Owners: this function and the listener.
  const std::shared_ptr<StatementLog> log = std::move(opened);
  options.on_statement = [log](const BoltStatement& statement) { log->add(statement); };
  return options;
}

}  // namespace

Status check_tokens(const Database& database, const std::string& name) {
  CAIRN_ASSIGN(const auto tokens, list_tokens(database));
  if (!tokens.empty()) return {};
  return Error{ErrorCode::not_found,
               "database " + make_visible(name) +
                   " has no token, so that no client could log on; make one first: cairn token "
                   "create " +
                   make_visible(name) + " NAME --role write",
               std::nullopt};
}

namespace {

/// Returns a function that parses an address into `place`, and returns an error message, or an
/// empty text.
auto reader_of(BoltAddress& place) {
  return [&place](const std::string& text) {
    auto address = BoltAddress::parse(text);
    if (!address) return address.error().message;
    place = *std::move(address);
    return std::string();
  };
}

void define_cluster(OptionSet options, ServeCommand& command) {
  const OptionRules home = options.text(
      "--home", command.homes,
      "Serve the homes of a store, dir:PATH or s3://BUCKET/PREFIX, as one node of several; "
      "DB is then a directory for copies");
  options
      .word(
          "--health", reader_of(command.health),
          "With --home: address of the health page, http://ADDRESS/health; port 0 takes a free one")
      .value_or(command.health.text())
      .needs(home);
  options
      .text("--advertise", command.advertised_host,
            "With --home: host by which drivers and other nodes reach this one")
      .needs(home);
  options
      .whole_number("--memory-mb", command.memory_mebibytes,
                    "With --home: MiB for open databases; idle ones are closed above it [1024]",
                    {32, std::uint64_t{1} << 30})
      .needs(home);
  options
      .days("--keep-days", command.home_history,
            "With --home: days that homes keep older states for `cairn home restore`; 0: only the "
            "one before the newest [as each home was told last]")
      .needs(home);
}

}  // namespace

void define_serve(OptionSet options, ServeCommand& command) {
  options
      .word("--bolt", reader_of(command.bolt),
            "Address for drivers; without TLS, of this machine only; port 0 takes a free one")
      .value_or(command.bolt.text());
  options.text("--tls-cert", command.certificate,
               "Certificate chain (PEM); drivers connect by bolt+s, or bolt+ssc if self-signed");
  options.text("--tls-key", command.key, "Key of the certificate (PEM)");
  options.text("--log-statements", command.statements,
               "Add each statement, without parameters' values, to this file as a line of JSON");
  options.text("--embedder", command.embedder, embedder_help);
  options.flag("--no-bolt", command.no_bolt,
               "Serve only other programs of this user that open the database, no drivers");
  define_cluster(options, command);
}

EndSignals::EndSignals() noexcept {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

EndSignals::~EndSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void EndSignals::wait() const noexcept {
  int signal = 0;
  while (sigwait(&signals_, &signal) != 0) {
  }
}

Status run_serve(Database& database, const std::string& name, const ServeCommand& command,
                 const EndSignals& signals, std::ostream& out) {
  if (command.no_bolt) {
    out << "serving " << make_visible(name) << " to programs of this user (Ctrl-C ends)"
        << std::endl;
    signals.wait();
    return {};
  }
  CAIRN_TRY(check_tokens(database, name));
  CAIRN_ASSIGN(BoltOptions options, bolt_options(command));
  CAIRN_ASSIGN(BoltListener listener, BoltListener::open(database, command.bolt, options));
  out << "serving " << make_visible(name) << (options.tls ? " at bolt+s://" : " at bolt://")
      << listener.address().text() << " (Ctrl-C ends)" << std::endl;
  signals.wait();
  listener.close();
  return {};
}

Status run_cluster_node(const std::string& directory, const ServeCommand& command,
                        const EndSignals& signals, std::ostream& out) {
  ClusterOptions options;
  options.homes = command.homes;
  options.home_history = command.home_history;
  options.bolt = command.bolt;
  options.health = command.health;
  options.advertised_host = command.advertised_host;
  options.memory_bytes = static_cast<std::size_t>(command.memory_mebibytes) << 20;
  CAIRN_ASSIGN(options.bolt_options, bolt_options(command));
  CAIRN_ASSIGN(ClusterNode node, ClusterNode::open(directory, options));
  out << "serving " << make_visible(command.homes) << " at "
      << (options.bolt_options.tls ? "neo4j+s://" : "neo4j://") << node.bolt_address().text()
      << ", health at http://" << node.health_address().text() << "/health (Ctrl-C ends)"
      << std::endl;
  signals.wait();
  return node.close();
}

// Only the secret of a new token is written to standard output, so that a script can store it:
//
//     secret=$(cairn token create DB agent)

namespace {

void define_subject(OptionSet options, std::string& database) {
  options.text("DB", database, "Directory of the database; for a cluster, the address of its store")
      .required();
}

void define_name(OptionSet options, NewToken& token) {
  options.text("NAME", token.name, "Name of the token").required();
}

/// Returns a time such as 2026-01-31T12:00:00Z.
std::string creation_time(std::int64_t microseconds) {
  const auto seconds = static_cast<std::time_t>(microseconds / 1'000'000);
  std::tm parts{};
  std::array<char, 32> text{};
  if (gmtime_r(&seconds, &parts) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// The name of the default namespace is empty, so '' is shown.
std::string shown_name_space(const std::string& name) { return name.empty() ? "''" : name; }

std::string joined_name_spaces(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + shown_name_space(name);
  return text;
}

Status print_new_token(Database& database, const NewToken& token, std::ostream& out,
                       std::ostream& remarks) {
  CAIRN_ASSIGN(const std::string secret, create_token(database, token));
  out << secret << "\n";
  remarks << "The secret of token \"" << make_visible(token.name)
          << "\" is shown this once; keep it, because the database stores only its hash.\n";
  return {};
}

Status print_tokens(const Database& database, std::ostream& out) {
  CAIRN_ASSIGN(const std::vector<Token> tokens, list_tokens(database));
  const auto writer = make_row_writer(Format::table, out, {});
  writer->begin({"name", "role", "home", "namespaces", "also_read", "created"});
  for (const Token& token : tokens) {
    const std::array<Value, 6> cells = {Value(token.name),
                                        Value(to_string(token.role)),
                                        Value(shown_name_space(token.home)),
                                        Value(joined_name_spaces(token.name_spaces)),
                                        Value(joined_name_spaces(token.also_read)),
                                        Value(creation_time(token.created_at))};
    writer->row(cells);
  }
  writer->finish();
  return {};
}

Status revoke_named(Database& database, const std::string& name, std::ostream& remarks) {
  CAIRN_ASSIGN(const bool was_there, revoke_token(database, name));
  if (!was_there)
    return Error{
        ErrorCode::not_found,
        "there is no token \"" + make_visible(name) + "\"; `cairn token list DB` lists the tokens",
        std::nullopt};
  remarks << "Token \"" << make_visible(name) << "\" is revoked.\n";
  return {};
}

}  // namespace

void define_token(OptionSet verb, std::string& database, TokenCommand& command) {
  NewToken& token = command.token;
  OptionSet create =
      verb.add_verb("create", "Make a token and print its secret, which is shown only once");
  define_subject(create, database);
  define_name(create, token);
  create.word(
      "--role",
      [&token](const std::string& name) {
        const auto role = parse_role(name);
        if (role) token.role = *role;
        return role ? std::string() : role.error().message;
      },
      "What the token permits: read, write, forget or admin; each includes those before it [read]");
  create.text("--home", token.home,
              "Namespace of statements that name none; the default one if left out");
  create
      .texts("--namespace", token.name_spaces,
             "Another namespace that it may use, or '*' for all; may be repeated")
      .repeatable();
  create.word(
      "--also-read",
      [&token](const std::string& names) {
        token.also_read = read_name_list(names);
        return std::string();
      },
      "More namespaces that its statements read but do not change, as a,b");
  define_subject(verb.add_verb("list", "List the tokens without their secrets"), database);
  OptionSet revoke = verb.add_verb("revoke", "Revoke a token");
  define_subject(revoke, database);
  define_name(revoke, token);
}

TokenCommand::Action token_action(std::string_view verb) {
  if (verb.ends_with(" create")) return TokenCommand::Action::create;
  return verb.ends_with(" revoke") ? TokenCommand::Action::revoke : TokenCommand::Action::list;
}

bool is_store_address(const std::string& text) {
  return text.starts_with("dir:") || text.starts_with("s3://");
}

namespace {

Status commit_once(Database& database) {
  return database.write([](Transaction& transaction) -> Status {
    CAIRN_TRY(transaction.create_node({{"ClusterTokens"}, {}}));
    return {};
  });
}

}  // namespace

// Nodes read what was committed, so the first token is preceded by a commit.
Status run_cluster_token(const std::string& store, const TokenCommand& command, std::ostream& out,
                         std::ostream& remarks) {
  std::string copy = (std::filesystem::temp_directory_path() / "cairn-tokens-XXXXXX").string();
  if (::mkdtemp(copy.data()) == nullptr)
    return Error{ErrorCode::io_error,
                 "cannot make the temporary directory " + copy + ": " + std::strerror(errno) +
                     "; set TMPDIR to a directory that can be written",
                 std::nullopt};
  const auto run = [&]() -> Status {
    Options options;
    options.home = cluster_tokens_home(store);
    CAIRN_ASSIGN(Database database, Database::open(copy, options));
    CAIRN_ASSIGN(const DatabaseStatistics statistics, database.statistics());
    if (statistics.commits == 0) CAIRN_TRY(commit_once(database));
    CAIRN_TRY(run_token(database, command, out, remarks));
    return database.close();
  };
  const Status done = run();
  std::error_code ignored;
  std::filesystem::remove_all(copy, ignored);
  return done;
}

Status run_token(Database& database, const TokenCommand& command, std::ostream& out,
                 std::ostream& remarks) {
  switch (command.action) {
    case TokenCommand::Action::create:
      return print_new_token(database, command.token, out, remarks);
    case TokenCommand::Action::revoke:
      return revoke_named(database, command.token.name, remarks);
    case TokenCommand::Action::list:
      break;
  }
  return print_tokens(database, out);
}

}  // namespace cairn::tools
