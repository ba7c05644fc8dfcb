#!/bin/sh
# Starts the programs of a package of //tools:package. Needs a POSIX shell with grep, readlink and sed, and sha256sum for the check
# of `test`.
set -u

usage() {
  cat <<'USAGE'
Measures and verifies Assay's cases on this machine.

  ./assay list [TEXT]                       the cases of this folder, or those whose label has TEXT
  ./assay run CASE [FLAG...]                measures and verifies a case; --help explains the flags
  ./assay test [CASE or TEXT...]            verifies cases alone: those that are named, or a default selection
  ./assay compare --baseline=CASE --candidate='CASE --threads=1' [FLAG...]      which one is faster?
  ./assay model --model=FILE [FLAG...]      measures a model that is a file: TorchScript, torch.export, AOTInductor
  ./assay --version                         what this folder was built of

Relative paths begin at your folder. Nothing is written but what flags name, and files in TMPDIR.

  LIBTORCH_PATH=FOLDER           LibTorch of a site-packages folder, in place of the one in this folder
  ASSAY_LIBRARIES=own|system     the C library of this folder, or the system's. Default: the system's, if the programs start with it

Exit codes: 0 right; 1 the product is wrong; 2 the machine or the setup prevents it; 3 the command line is wrong.
USAGE
}
end() { code=$1; shift; echo "assay: $*" >&2; exit "$code"; }

newline='
'
name=${0##*/} self=$0
case $self in */*) ;; *) self=./$self ;; esac
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac
done
here=$(CDPATH='' cd -- "${self%/*}" && pwd -P) || exit 2

check_machine() {
  machine=$(uname -m)
  [ "$machine" = x86_64 ] || end 2 "this machine is $machine, and the programs are for x86_64"
  [ -x "$1" ] || end 2 "$1 may not be executed: $here is on a file system that is mounted noexec, or lost its modes. Unpack the archive into another folder"
}

# The folder of LibTorch's libraries, where it is not in this folder or another is asked for.
find_libtorch() {
  if [ -n "${LIBTORCH_PATH:-}" ]; then
    torch=$LIBTORCH_PATH/torch
    [ -e "$torch/lib/libtorch_cpu.so" ] || torch=$LIBTORCH_PATH
    [ -e "$torch/lib/libtorch_cpu.so" ] || end 2 "LIBTORCH_PATH=$LIBTORCH_PATH holds no torch/lib/libtorch_cpu.so: name the site-packages folder of an installed torch"
    read -r built <"$here/built.txt"
    wanted=${built#*torch } wanted=${wanted%%[+,]*}
    found=$(sed -n "s/^__version__ = '\([^']*\)'.*/\1/p" "$torch/version.py" 2>/dev/null)
    [ "${found%%+*}" = "$wanted" ] || end 2 "LIBTORCH_PATH=$LIBTORCH_PATH holds torch ${found:-of an unknown version}, and the programs were built with $wanted"
  elif [ ! -e "$torch/lib/libtorch_cpu.so" ]; then
    end 2 "this folder has no LibTorch: set LIBTORCH_PATH to the site-packages folder of an installed torch ($(cat "$here/built.txt"))"
  fi
}

# Whether a program finds all its libraries, each new enough, by the system's loader.
starts_with_system() {
  [ -x /lib64/ld-linux-x86-64.so.2 ] || return 1
  traced=$(LD_TRACE_LOADED_OBJECTS=1 LD_LIBRARY_PATH="$torch/lib" /lib64/ld-linux-x86-64.so.2 "$1" 2>&1) || return 1
  case $traced in *'not found'*) return 1 ;; esac
}

# start PROGRAM ARGUMENT...: takes this process's place.
start() {
  program=$here/programs/$1 ASSAY_PROGRAM=$here/bin/$1
  [ -e "$program" ] || end 3 "this folder was packed without it; //tools:package takes //PACKAGE:CASE, //tools:compare and //tools:run_model"
  shift
  check_machine "$program"
  torch=$here/libtorch/torch
  case $program in */runner | */model) find_libtorch ;; esac
  export ASSAY_PROGRAM
  libraries=${ASSAY_LIBRARIES:-}
  case $libraries in
    '') if starts_with_system "$program"; then libraries=system; else libraries=own; fi ;;
    own | system) ;;
    *) end 3 "ASSAY_LIBRARIES=$libraries: own or system" ;;
  esac
  if [ "$libraries" = own ]; then
    exec "$here/lib/loader" --argv0 "$program" --library-path "$torch/lib:$here/lib" "$program" "$@"
  fi
  [ -z "${LIBTORCH_PATH:-}" ] || export LD_LIBRARY_PATH="$torch/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  exec "$program" "$@"
}

# Sets `label` and `reference` of a case by its label or name.
find_case() {
  [ -e "$here/cases.tsv" ] || end 3 "this folder holds no cases"
  case $1 in '' | *[!A-Za-z0-9_./:-]*) return 1 ;; esac
  tab=$(printf '\t')
  line=$(grep "^\(.*:\)\{0,1\}$1$tab" "$here/cases.tsv") || return 1
  line=${line%%"$newline"*}
  label=${line%%"$tab"*} reference=${line#*"$tab"}
}

# Sets `words` of the runner for `label`, below the folder $1.
case_words() {
  package=${label#//}
  words="--case=$1cases/${package%%:*}/cases.pb
--case-name=$label"
  [ "$reference" = - ] || words="$words
--locked-reference=$1blobs/$reference.safetensors"
}

run_case() {
  [ $# -gt 0 ] || end 3 "run which case? ./assay list names them"
  find_case "$1" || end 3 "no case $1 here; $here/assay list names those that are"
  shift
  case_words "$here/"
  # One argument a line, before those of the user.
  saved=$IFS IFS=$newline
  set -f
  # shellcheck disable=SC2086
  set -- $words "$@"
  set +f
  IFS=$saved
  start runner "$@"
}

test_cases() {
  [ -e "$here/cases.tsv" ] || end 3 "this folder holds no cases"
  if command -v sha256sum >/dev/null; then
    wrong=$(cd "$here" && sha256sum -c MANIFEST 2>/dev/null | while read -r line; do case $line in *': OK') ;; *) echo "$line" ;; esac; done)
    [ -z "$wrong" ] || end 2 "files of $here are not as they were packed; copy it again:
$wrong"
  fi
  list=$(mktemp) || exit 2
  trap 'rm -f "$list"' EXIT INT TERM
  default=
  [ $# -gt 0 ] || default=$newline$(cat "$here/verify.txt")$newline
  while read -r label reference; do
    wanted=
    case $default in *"$newline$label$newline"*) wanted=yes ;; esac
    for text in "$@"; do case $label in *"${text%_accuracy_test}"*) wanted=yes ;; esac; done
    [ -n "$wanted" ] || continue
    case_words ''
    echo "$label verify $label" $words --action=verify >>"$list"
  done <"$here/cases.tsv"
  [ -s "$list" ] || end 3 "no case has $* in its label; $here/assay list names them"
  # The cases' paths begin at this folder, so that it may have blanks in its name.
  cd "$here" && (start test bin/runner "$list")
}

# --baseline=mlp_fp32_b1 becomes the runner with the flags of this case.
compare_sides() {
  count=$#
  while [ "$count" -gt 0 ]; do
    word=$1 count=$((count - 1))
    shift
    case $word in
      --baseline=* | --candidate=*)
        side=${word#*=}
        if [ -e "$here/cases.tsv" ] && find_case "${side%% *}"; then
          case_words "$here/"
          flags=${side#"${side%% *}"}
          word="${word%%=*}='$here/bin/runner' $(echo "$words" | sed "s/.*/'&'/" | tr '\n' ' ')$flags"
        fi ;;
    esac
    set -- "$@" "$word"
  done
  start compare "$@"
}

case $name in
  runner | model | compare | test) start "$name" "$@" ;; # bin/NAME
esac
case ${1:-} in
  list)
    [ -e "$here/cases.tsv" ] || end 3 "this folder holds no cases"
    while read -r label reference; do case $label in *"${2:-}"*) echo "$label" ;; esac; done <"$here/cases.tsv" ;;
  run) shift; run_case "$@" ;;
  test) shift; test_cases "$@" ;;
  compare) shift; compare_sides "$@" ;;
  model) shift; start model "$@" ;;
  --version) cat "$here/built.txt" ;;
  -h | --help) usage ;;
  *) usage >&2; exit 3 ;;
esac
