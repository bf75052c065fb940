# Sourced by scripts/test and scripts/web, in the root of the repository: finds the tools that are
# missing, says how long they take, installs them where it knows how, and says what to install where it
# does not.

cargo_fuzz_version=0.13.2
wasm_split_version=0.2.4
wasm_bindgen_version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"$/\1/p;q;}' Cargo.lock)

# Where things are compiled: the folder that is set, that of this clone if something was built in it,
# else one that all clones of this user share. burn is compiled once either way.
if [ -z "${CARGO_TARGET_DIR:-}" ]; then
  CARGO_TARGET_DIR="${XDG_CACHE_HOME:-$HOME/.cache}/hgpo/target"
  [ ! -d target/release ] || CARGO_TARGET_DIR="$PWD/target"
fi
export CARGO_TARGET_DIR
tool_folder="${CARGO_INSTALL_ROOT:-${CARGO_HOME:-$HOME/.cargo}}/bin"
export PATH="$PWD/scripts/node_modules/.bin:$tool_folder:$PATH"
[ -t 1 ] || export NO_COLOR=1 CARGO_TERM_COLOR=never CARGO_TERM_PROGRESS_WHEN=never

has() { command -v "$1" >/dev/null 2>&1; }
has_wasm_bindgen() { [ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $wasm_bindgen_version" ]; }
has_fuzzer() { [[ "$(cargo fuzz --version 2>/dev/null)" == "cargo-fuzz 0.13."* ]]; }
has_node_modules() { [ scripts/node_modules/.package-lock.json -nt scripts/package-lock.json ]; }
has_adapter() { compgen -G '/usr/share/vulkan/icd.d/*.json' >/dev/null || compgen -G '/etc/vulkan/icd.d/*.json' >/dev/null; }
# Where the compiler's own library is there as source.
has_library_source() { [ -d "$("${1:-rustc}" --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library" ]; }
has_debian_wasm_compiler() { [ -x /usr/bin/rustc ] && has wasm-ld && has_library_source /usr/bin/rustc; }
has_wasm_compiler() { has_library_source || has_debian_wasm_compiler; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# apt_install WHAT PACKAGE...: on Debian and its relatives; elsewhere a sentence that says what to do.
apt_install() {
  local what=$1 sudo=()
  shift
  has apt-get || fail "$what is missing and this system has no apt-get: install it with the system's package manager (Debian calls it: $*), then run this again"
  if [ "$(id -u)" -ne 0 ]; then
    has sudo || fail "$what is missing: as root, run 'apt-get install $*', then run this again"
    sudo=(sudo)
  fi
  echo "installing $what: $*"
  if [ -z "${apt_updated:-}" ]; then
    "${sudo[@]}" apt-get -qq update || true
    apt_updated=1
  fi
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null \
    || fail "$what could not be installed: 'apt-get install $*' failed"
}

need_rust() {
  has cargo || fail "Rust is missing: install 1.95 or newer with rustup (components rustfmt and clippy), then run this again"
  has cc || apt_install "a C compiler and linker" gcc libc6-dev
}

# Sets `page_env`, the variables under which cargo builds for wasm32 with a standard library compiled
# for the page: with that the module can do without the texts of panics, 8 % of it, and has the short
# algorithms of the library in place of the fast ones, another 1 %. The compiler is
# rustup's with the library's source, or else Debian's.
need_wasm_compiler() {
  # What tokenizers draws with has to be told where a browser's entropy comes from.
  local random='--cfg getrandom_backend="wasm_js"'
  page_env=(RUSTC_BOOTSTRAP=1 "CARGO_UNSTABLE_BUILD_STD=std,panic_abort"
    CARGO_UNSTABLE_BUILD_STD_FEATURES=optimize_for_size
    "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=-Cpanic=immediate-abort -Zunstable-options $random")
  has_library_source && return
  if has rustup && rustup component add rust-src >/dev/null 2>&1 && has_library_source; then return; fi
  has apt-get || fail "the compiler's library is not there as source: add it (rustup component add rust-src), then run this again"
  has_debian_wasm_compiler || apt_install "a compiler for wasm32" rustc-web cargo-web rust-web-src lld
  page_env+=("PATH=/usr/bin:$PATH" RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld)
}

# cargo_tool NAME VERSION ARGUMENT...: into cargo's home, compiled quickly rather than well.
cargo_tool() {
  local name=$1 version=$2
  shift 2
  echo "installing $name $version (minutes, once)"
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
    CARGO_TARGET_DIR="$CARGO_TARGET_DIR/tools" cargo install --quiet "$name" --version "$version" "$@" \
    || fail "$name could not be installed: 'cargo install $name --version $version' failed"
}

# prebuilt_tool NAME: into cargo's home, if pip has the file that scripts/tools/ names by its digest, and it
# runs here. False otherwise.
prebuilt_tool() {
  local name=$1 folder
  folder=$(mktemp -d)
  echo "fetching $name"
  if python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
    --target "$folder" --requirement "scripts/tools/$name.txt" >"$folder/log" 2>&1 \
    && "$folder/bin/$name" --version >/dev/null 2>&1; then
    mkdir -p "$tool_folder" && mv "$folder/bin/$name" "$tool_folder/"
  fi
  rm -rf "$folder"
  [ -x "$tool_folder/$name" ]
}

need_page_tools() {
  need_wasm_compiler
  # Without --locked: the tool's own lock file may be newer than what a registry mirror serves.
  has_wasm_bindgen || cargo_tool wasm-bindgen-cli "$wasm_bindgen_version"
  has wasm-split-cli || cargo_tool wasm_split_cli_support "$wasm_split_version" --features build-binary
  need_node_modules
}

# libFuzzer is compiled from C++.
need_fuzzer() {
  has c++ || apt_install "a C++ compiler" g++
  has_fuzzer || prebuilt_tool cargo-fuzz || cargo_tool cargo-fuzz "$cargo_fuzz_version" --locked
}

# Not compiled where it is not to be had: that would take longer than all that it checks.
need_deny() { has cargo-deny || prebuilt_tool cargo-deny || true; }

# What reads .deny.toml.
need_python() {
  python3 -c 'import tomllib' 2>/dev/null && return
  has python3 || apt_install "Python" python3
  python3 -c 'import tomllib' 2>/dev/null || fail "Python 3.11 or newer is missing: install it, then run this again"
}

# Where the Python package is tried.
need_venv() {
  python3 -c 'import ensurepip, venv' 2>/dev/null || apt_install "virtual environments for Python" python3-venv
}

need_node_modules() {
  has node && has npm || apt_install "Node.js" nodejs npm
  [ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 20')" = true ] \
    || fail "Node.js is $(node --version), but 20 or newer is needed: install it, then run this again"
  has_node_modules && return
  (cd scripts && npm ci --no-audit --no-fund --loglevel=error) || fail "'npm ci' failed in scripts/"
}

# Sets HGPO_BROWSER, unless it names a browser already.
need_browser() {
  local name
  for name in "${HGPO_BROWSER:-}" chromium google-chrome google-chrome-stable chromium-browser; do
    if [ -n "$name" ] && has "$name"; then
      HGPO_BROWSER=$(command -v "$name")
      export HGPO_BROWSER
      return
    fi
  done
  [ -z "${HGPO_BROWSER:-}" ] || fail "HGPO_BROWSER is '$HGPO_BROWSER', which is no program"
  apt_install "Chromium" chromium
  HGPO_BROWSER=$(command -v chromium) || fail "Chromium is missing: install it, or set HGPO_BROWSER to the path of a Chromium or Chrome"
  export HGPO_BROWSER
}

# A Vulkan adapter in software, so that what runs on graphics adapters is tested everywhere.
need_adapter() {
  [ -n "${XDG_RUNTIME_DIR:-}" ] || { XDG_RUNTIME_DIR=$(mktemp -d) && export XDG_RUNTIME_DIR; }
  has_adapter && return
  if has apt-get; then
    apt_install "a software Vulkan adapter" mesa-vulkan-drivers libvulkan1
  else
    echo "no Vulkan driver found: tests on graphics adapters will say that they are skipped"
  fi
}

# on_page COMMAND ARGUMENT...: with the compiler and the target folder of the page.
on_page() { env "${page_env[@]}" CARGO_TARGET_DIR="$CARGO_TARGET_DIR/page" "$@"; }

# same_bytes_wasm FOLDER: web/same-bytes as wasm for Node.js, with the script that wasm-bindgen writes of it.
same_bytes_wasm() {
  on_page cargo build --quiet --locked --profile page --lib -p hgpo-same-bytes --target wasm32-unknown-unknown &&
    wasm-bindgen --target nodejs --out-dir "$1" \
      "$CARGO_TARGET_DIR/page/wasm32-unknown-unknown/page/hgpo_same_bytes.wasm"
}

# What is to be done before anything can be used, with minutes as measured on two cores.
planned=()
planned_minutes=0

# plan MINUTES HOW WHAT
plan() {
  planned_minutes=$((planned_minutes + $1))
  planned+=("$(printf '%4d min  %-8s  %s' "$1" "$2" "$3")")
}

plan_page() {
  has_wasm_compiler || plan 1 fetched "a compiler for wasm32"
  has_wasm_bindgen || plan 3 compiled "wasm-bindgen $wasm_bindgen_version"
  has wasm-split-cli || plan 1 compiled "wasm-split"
  { has node && has npm; } || plan 1 fetched "Node.js"
  has_node_modules || plan 1 fetched "packages of npm (wasm-opt, esbuild, and what drives the browser in tests)"
  [ -d "$CARGO_TARGET_DIR/page/wasm32-unknown-unknown/page/deps" ] \
    || plan 2 compiled "what the page depends on, with the standard library"
}

# announce THEN: the plan, and what follows.
announce() {
  if [ ${#planned[@]} -eq 0 ]; then
    echo "everything needed is here"
  else
    echo "to be done once, with minutes on two cores:"
    printf '%s\n' "${planned[@]}"
    printf '%4d min  in all\n' "$planned_minutes"
  fi
  echo "then: $1"
}
