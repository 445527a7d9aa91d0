#!/bin/bash
# Runs LangChain's graph and vector store for Neo4j against `cairn serve`: run.sh CAIRN DIR. Packages are installed into DIR and
# stay there. Without npm, Node 20 or later, or a registry that has the packages, it says so and exits with status 77.
set -u
. "$(dirname "$0")/../session.sh"
# The two classes import nothing of the package's 115 peers, nor of @langchain/classic and @langchain/openai: package.json
# puts a small package in their place.
export npm_config_legacy_peer_deps=true
begin_session "$0" "$1" "$2"
make_database
make_token CAIRN_TOKEN langchain --role admin --namespace '*'
start_server "$cairn" "$work/db" "$work/served"
run_scenarios 45
end_session
