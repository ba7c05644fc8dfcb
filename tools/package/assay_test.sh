#!/bin/sh
# The launcher of a package, with scripts in the place of programs.
set -eu
here=$PWD
package="$TEST_TMPDIR/a package"
mkdir -p "$package/programs" "$package/bin" "$package/cases/benchmarks/mlp" "$package/blobs" "$package/libtorch/torch/lib" "$package/lib"
cp "$here/tools/package/assay.sh" "$package/assay"
chmod +x "$package/assay"
: >"$package/libtorch/torch/lib/libtorch_cpu.so"
echo 'Assay 1234, torch 2.11.0+cu130, glibc 2.36' >"$package/built.txt"
for program in runner test compare; do
  # shellcheck disable=SC2016
  printf '#!/bin/sh\necho "%s in $PWD, again $ASSAY_PROGRAM"\nfor word in "$@"; do echo "<$word>"; done\n[ %s != test ] || cat "$2"\n' $program $program >"$package/programs/$program"
  chmod +x "$package/programs/$program"
  ln -s ../assay "$package/bin/$program"
done
cp "$package/programs/runner" "$package/lib/loader"
printf '//benchmarks/mlp:mlp_fp32_b1\t1a\n//benchmarks/mlp:mlp_bf16_b1\t-\n' >"$package/cases.tsv"
echo //benchmarks/mlp:mlp_bf16_b1 >"$package/verify.txt"
(cd "$package" && sha256sum built.txt >MANIFEST)
export ASSAY_LIBRARIES=system
unset LIBTORCH_PATH

# expect WORD...: runs the launcher; said CODE TEXT: how it ended, and a text among what it printed.
expect() {
  code=0
  "$package/assay" "$@" >"$TEST_TMPDIR/said" 2>&1 || code=$?
}
said() {
  [ "$code" = "$1" ] && grep -qF -- "$2" "$TEST_TMPDIR/said" || { echo "assay_test: code $code, not $1, or not said: $2"; cat "$TEST_TMPDIR/said"; exit 1; }
}

expect run mlp_fp32_b1 --budget='0.1 s'
said 0 "<--case=$package/cases/benchmarks/mlp/cases.pb>"
said 0 '<--case-name=//benchmarks/mlp:mlp_fp32_b1>'
said 0 "<--locked-reference=$package/blobs/1a.safetensors>"
said 0 '<--budget=0.1 s>'
said 0 "runner in $here, again $package/bin/runner"
expect run //benchmarks/mlp:mlp_bf16_b1
grep -q locked-reference "$TEST_TMPDIR/said" && { echo "assay_test: a reference that is not there"; exit 1; }
expect run mlp_fp32
said 3 "no case mlp_fp32 here; $package/assay list names those"
expect run
said 3 'run which case?'

expect list bf16
[ "$(cat "$TEST_TMPDIR/said")" = //benchmarks/mlp:mlp_bf16_b1 ] || { echo "assay_test: list"; exit 1; }

expect test
said 0 "test in $package"
said 0 '//benchmarks/mlp:mlp_bf16_b1 verify //benchmarks/mlp:mlp_bf16_b1 --case=cases/benchmarks/mlp/cases.pb --case-name=//benchmarks/mlp:mlp_bf16_b1 --action=verify'
grep -q fp32 "$TEST_TMPDIR/said" && { echo "assay_test: a case that is not verified by default"; exit 1; }
expect test mlp_fp32_b1_accuracy_test
said 0 '--locked-reference=blobs/1a.safetensors --action=verify'
expect test nothing
said 3 'no case has nothing in its label'
echo >>"$package/built.txt"
expect test
said 2 'built.txt: FAILED'
(cd "$package" && sha256sum built.txt >MANIFEST)

expect compare --baseline=mlp_fp32_b1 --candidate='mlp_bf16_b1 --threads=1' --pairs=2
said 0 "<--baseline='$package/bin/runner' '--case=$package/cases/benchmarks/mlp/cases.pb'"
said 0 "'--locked-reference=$package/blobs/1a.safetensors' >"
said 0 "'--case-name=//benchmarks/mlp:mlp_bf16_b1'  --threads=1>"
said 0 '<--pairs=2>'
expect compare --baseline=old.jsonl --candidate=new.jsonl
said 0 '<--baseline=old.jsonl>'

expect model --model=a.pt
said 3 'this folder was packed without it'
expect nonsense
said 3 'Measures and verifies'
expect --help
said 0 'LIBTORCH_PATH=FOLDER'

# A link elsewhere, and the program's own name, by which it starts itself again.
ln -s "$package/assay" "$TEST_TMPDIR/assay"
"$TEST_TMPDIR/assay" run mlp_fp32_b1 | grep -qF "<--case=$package/cases" || { echo "assay_test: started by a link"; exit 1; }
"$package/bin/runner" --only-ranges | grep -qF '<--only-ranges>' || { echo "assay_test: bin/runner"; exit 1; }

# Without the system's libraries (a script is no program that its loader knows), the folder's own loader.
unset ASSAY_LIBRARIES
expect run mlp_fp32_b1
said 0 "<--library-path>"
said 0 "<$package/libtorch/torch/lib:$package/lib>"
export ASSAY_LIBRARIES=other
expect run mlp_fp32_b1
said 3 'ASSAY_LIBRARIES=other: own or system'
export ASSAY_LIBRARIES=system

# LibTorch of another place.
site=$TEST_TMPDIR/site
mkdir -p "$site/torch/lib"
export LIBTORCH_PATH="$site"
expect run mlp_fp32_b1
said 2 "LIBTORCH_PATH=$site holds no torch/lib/libtorch_cpu.so"
: >"$site/torch/lib/libtorch_cpu.so"
echo "__version__ = '2.10.0+cpu'" >"$site/torch/version.py"
expect run mlp_fp32_b1
said 2 "holds torch 2.10.0+cpu, and the programs were built with 2.11.0"
echo "__version__ = '2.11.0+cpu'" >"$site/torch/version.py"
expect run mlp_fp32_b1
said 0 '<--case-name=//benchmarks/mlp:mlp_fp32_b1>'
unset LIBTORCH_PATH
rm "$package/libtorch/torch/lib/libtorch_cpu.so"
expect run mlp_fp32_b1
said 2 'this folder has no LibTorch: set LIBTORCH_PATH'
: >"$package/libtorch/torch/lib/libtorch_cpu.so"

# What is like a file system that is mounted noexec; another machine.
chmod -x "$package/programs/runner"
expect run mlp_fp32_b1
said 2 'may not be executed'
mkdir "$TEST_TMPDIR/bin"
printf '#!/bin/sh\necho aarch64\n' >"$TEST_TMPDIR/bin/uname"
chmod +x "$TEST_TMPDIR/bin/uname"
PATH="$TEST_TMPDIR/bin:$PATH" expect run mlp_fp32_b1
said 2 'this machine is aarch64'
