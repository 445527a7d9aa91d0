#!/bin/bash
# The official MCP clients with `cairn mcp`: run.sh CAIRN DIR. Packages are installed into DIR and stay there.
# Exit status 77, and why, where there is no npm, no node of version 20, or no registry that has the packages.
set -u
. "$(dirname "$0")/../session.sh"
begin_session "$0" "$1" "$2"
export CAIRN_PROGRAM=$cairn CAIRN_DATABASES=$work
run_scenarios 18
end_session
