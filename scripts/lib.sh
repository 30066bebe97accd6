# Shared by scripts/demo, scripts/test, scripts/check-kernels, scripts/check-page and .ci/run: what must be there, and getting what is not.
# To be sourced. Only Debian and Ubuntu packages are installed; elsewhere a message says what to get.
# shellcheck shell=bash

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# Installs Debian packages, as root or through sudo.
apt_install() {
    local -a as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "as root, run: apt-get install $*"
        as_root=(sudo)
    fi
    say "installing $*"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# need WHAT PACKAGE...: installs the packages, or says that WHAT is missing.
need() {
    local what=$1
    shift
    command -v apt-get >/dev/null || die "$what is missing; install it and try again"
    apt_install "$@" || die "$what could not be installed (Debian packages: $*)"
}

# Rust, and a C compiler: it links programs and compiles zstd.
need_build_tools() {
    if ! command -v cargo >/dev/null && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
        PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    fi
    command -v cargo >/dev/null ||
        die "cargo is missing; install Rust as https://www.rust-lang.org/tools/install says"
    command -v cc >/dev/null || need "a C compiler (cc)" gcc libc6-dev
}

# Python 3, for scripts/bench-peers.
need_python() {
    command -v python3 >/dev/null || need "Python 3" python3
}

# Whether an OpenCL loader and at least one driver are installed.
has_opencl() {
    compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null || return 1
    # ldconfig is not on every user's path.
    [[ "$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null)" == *libOpenCL.so.1* ]]
}

# An OpenCL device; where there is none, PoCL makes one of the CPU.
need_opencl() {
    has_opencl ||
        need "an OpenCL loader and driver, such as PoCL," pocl-opencl-icd ocl-icd-libopencl1
}
