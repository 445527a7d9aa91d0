#!/bin/bash
# Runs the official MCP clients against `cairn mcp`: run.sh CAIRN DIR. Packages are installed into DIR and stay there.
# Without npm, Node 20 or later, or a registry that has the packages, it says so and exits with status 77.
set -u
. "$(dirname "$0")/../session.sh"
begin_session "$0" "$1" "$2"
export CAIRN_PROGRAM=$cairn CAIRN_DATABASES=$work
run_scenarios 18
end_session
