#include "tools/serve/serve.hpp"

#include "tools/serve/statement_log.hpp"
#include "tools/text/cell_text.hpp"

#include <cairn/tokens.hpp>

#include <memory>
#include <ostream>
#include <utility>

namespace cairn::tools {
namespace {

Status check_tokens(const Database& database, const std::string& name) {
  CAIRN_ASSIGN(const auto tokens, list_tokens(database));
  if (!tokens.empty()) return {};
  return Error{ErrorCode::not_found,
               "database " + make_visible(name) +
                   " has no token, so that no driver could log on; make one first: cairn token "
                   "create " +
                   make_visible(name) + " NAME --role write",
               std::nullopt};
}

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
  // Owners: this, and the listener.
  const std::shared_ptr<StatementLog> log = std::move(opened);
  options.on_statement = [log](const BoltStatement& statement) { log->add(statement); };
  return options;
}

}  // namespace

void define_serve(OptionSet options, ServeCommand& command) {
  options
      .word(
          "--bolt",
          [&command](const std::string& text) {
            auto address = BoltAddress::parse(text);
            if (!address) return address.error().message;
            command.bolt = *std::move(address);
            return std::string();
          },
          "Where drivers reach it, without TLS of this machine alone; port 0 takes a free one")
      .value_or(command.bolt.text());
  options.text("--tls-cert", command.certificate,
               "Certificate chain (PEM); drivers connect by bolt+s, or bolt+ssc if self-signed");
  options.text("--tls-key", command.key, "Key of the certificate (PEM)");
  options.text("--log-statements", command.statements,
               "Add each statement, without parameters' values, to this file as a line of JSON");
  options.flag("--no-bolt", command.no_bolt,
               "Serve no drivers, but other programs of this user that open the database");
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

}  // namespace cairn::tools
