#!/usr/bin/env bash
# Runs suites with --launcher=slurm and kubernetes, with a Slurm that is played, runners that misbehave, and faults of
# nodes, controller and folder. $1: run_suite, $2: hostile_runner, $3: libclock_set_back.so. ci/checks/slurm.py has a real Slurm.
# shellcheck disable=SC2046,SC2016 # slurm() prints several words; texts of scripts are not expanded here
set -uo pipefail
suite=$PWD/$1 runner=$PWD/$2 clock_set_back=$PWD/$3
cd "$TEST_TMPDIR" || exit
ln -s "$OLDPWD"/* . # the registry and the data files
mkdir -p tree/tools bin fake tmp
export XDG_RUNTIME_DIR=$PWD XDG_CACHE_HOME=$PWD/cache BUILD_WORKSPACE_DIRECTORY=$PWD/tree TMPDIR=$PWD/tmp FAKE=$PWD/fake
unset RUNFILES_DIR TEST_SRCDIR
failures=0

# A tree whose tools/bazel plays Bazel: behave.CASE says how a case's runner behaves.
cat >tree/tools/bazel <<BAZEL
#!/bin/sh
case \$1 in
  info) echo "\$PWD/out" ;;
  build) mkdir -p out/benchmarks/mlp; for label; do case \$label in //benchmarks/mlp:*)
    name=\${label##*:}
    mkdir -p "out/benchmarks/mlp/\$name.runfiles" && echo data >"out/benchmarks/mlp/\$name.runfiles/data"
    rm -f "out/benchmarks/mlp/\$name"
    printf '#!/bin/sh\nexec "%s" %s "\$@"\n' "$runner" "\$(cat "behave.\$name" 2>/dev/null)" >"out/benchmarks/mlp/\$name"
    chmod +x "out/benchmarks/mlp/\$name" ;;
  esac; done ;;
esac
BAZEL

# A Slurm whose sbatch runs all tasks, one after another, before it returns; what $FAKE/before.N does comes before task N, and
# with $FAKE/later the tasks run when that is removed. A row of the queue is what squeue would print of a task.
cat >bin/sbatch <<'SBATCH'
#!/bin/bash
[ "$1" != --version ] || exec echo slurm 22.05
if [ "$1" != --tasks ]; then
[ ! -e "$FAKE/refuse" ] || { cat "$FAKE/refuse" >&2; exit 1; }
echo "$*" >>"$FAKE/submitted"
for word; do case $word in --comment=*) first=${word#*=} ;; --output=*) out=${word#*=} ;; esac; done
last=$(sed 's/.*--array=0-\([0-9]*\).*/\1/' <<<"$*") script=${*: -2:1}
cp "$script" "$FAKE/script"
echo "$first|0-$last|PENDING|0||$(cat "$FAKE/why" 2>/dev/null || echo Priority)|" >"$FAKE/rows.$first"
chmod +x "$FAKE/script"
if [ -e "$FAKE/later" ]; then
  rm -f "$FAKE/apart.$first"
  setsid "$0" --tasks "$first" "$last" "$out" "$script" </dev/null >/dev/null 2>&1 &
  until [ -e "$FAKE/apart.$first" ]; do sleep 0.05; done # what is in this group ends with it
else
  "$0" --tasks "$first" "$last" "$out" "$script"
fi
echo 7
exit
fi
first=$2 last=$3 out=$4 script=$5
touch "$FAKE/apart.$first"
tasks() {
  while [ -e "$FAKE/later" ]; do sleep 0.05; done
  for i in $(seq 0 "$last"); do
    [ ! -e "$FAKE/cancelled" ] || { echo "$first|$i|CANCELLED|0||None|"; continue; }
    export SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$i SLURMD_NODENAME=n$((i % 2 + 1)) SLURM_RESTART_COUNT=0 printed
    printed=$(sed "s/%A/7/; s/%a/$i/" <<<"$out")
    run() { "$FAKE/script" "$first" >"$printed" 2>&1; }
    begin_and_die() { # with the task's process, which the script has started
      setsid "$FAKE/script" "$first" >"$printed" 2>&1 & victim=$!
      while [ ! -e "$(dirname "$script")/started/$((first + i)).1" ]; do sleep 0.01; done
      kill -9 -- -$victim
    }
    state=
    [ ! -e "$FAKE/before.$i" ] || . "$FAKE/before.$i"
    if [ -z "$state" ]; then
      run; code=$?
      state=COMPLETED reason=None status=$((code * 256))
      [ $code = 0 ] || { state=FAILED; reason=NonZeroExitCode; }
    fi
    echo "$first|$i|$state|$status|$SLURMD_NODENAME|$reason|"
  done >"$FAKE/new.$first"
  mv "$FAKE/new.$first" "$FAKE/rows.$first"
}
tasks
SBATCH
cat >bin/squeue <<'SQUEUE'
#!/bin/sh
[ ! -e "$FAKE/gone" ] || { rm "$FAKE/gone"; echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1; }
cat "$FAKE"/rows.* 2>/dev/null
exit 0
SQUEUE
cat >bin/scancel <<'SCANCEL'
#!/bin/sh
echo "$*" >>"$FAKE/cancelled"; rm -f "$FAKE/later"
SCANCEL
printf '#!/bin/sh\necho "MaxArraySize = %s"\n' 4 >bin/scontrol
printf '#!/bin/sh\necho "down*|Not responding"\n' >bin/sinfo
chmod +x bin/* tree/tools/bazel
mkdir none_bin && ln -s "$(command -v timeout)" "$(command -v grep)" "$(command -v sed)" none_bin
export PATH=$PWD/bin:$PATH

fail() { echo "FAIL: $*"; sed 's/^/    /' out err; failures=$((failures + 1)); }
fresh() { rm -rf fake tree/behave.*; mkdir -p fake; } # a Slurm without faults
expect() { # CODE PATTERN FLAGS...: exit code, and a pattern of standard output or error
  local want=$1 pattern=$2; shift 2
  timeout 60 "$suite" "$@" >out 2>err; code=$?
  [ "$code" = "$want" ] || fail "exit code $code, want $want: $*"
  grep -qE -- "$pattern" out err || fail "no '$pattern': $*"
}
records() { # FOLDER COUNT PATTERN: COUNT lines of its results match
  local found; found=$(grep -cE -- "$3" "$1/results.jsonl" 2>/dev/null)
  [ "${found:-0}" = "$2" ] || fail "$1 has ${found:-no} records of '$3', want $2"
}
says() { grep -qE -- "$1" out err || fail "no '$1'"; }
task() { # FOLDER INDEX: as a pod does it
  "$(echo "$1"/staged/programs/*/exe)" --task="$(echo "$PWD/$1"/cluster/2*)" --task-index="$2" --node=k1 --job=pod-x >/dev/null 2>&1
}
slurm() { echo --no-lease --launcher=slurm --slurm=--partition=bench --out="$1" "${@:2}"; }
two=(--only=mlp_fp32_b1 --only=mlp_fp32_b8)
five=("${two[@]}" --only=mlp_fp32_b64 --only=mlp_fp32_b128 --only=mlp_fp32_b256)

# Five tasks, in arrays of three at most, one record each, with node and attempt; a local run has nothing left to do.
expect 0 '^5 planned: 5 PASS; ' "${five[@]}" $(slurm good)
records good 5 '"task":"[1-5]","attempt":1,"job":"7_[0-2]"'
records good 3 '"node":"n1"'
records good 1 '"suite_run".*"complete":true'
[ "$(grep -o -- '--array=0-[0-9]*' fake/submitted | tr '\n' ' ')" = '--array=0-2 --array=0-1 ' ] || fail "arrays"
grep -q -- '--exclusive --partition=bench' fake/submitted || fail "sbatch's flags"
[ -z "$(find good/cluster/*/results good/cluster/*/output tmp -mindepth 1)" ] || fail "files are left"
[ "$(find good/staged/blobs -type f | wc -l)" = 3 ] || fail "equal files are staged twice" # run_suite, a script, data
expect 0 'going on  5 of 5 were done before' "${five[@]}" --no-lease --out=good
expect 0 'going on  5 of 5 were done before' "${five[@]}" $(slurm good)
expect 0 'going on  5 of 6 were done before' "${five[@]}" --only=mlp_fp32_b3 $(slurm good)

# What goes wrong in a case is its record, as in a local run.
fresh; echo --behave=accuracy >tree/behave.mlp_fp32_b1; echo --behave=abort >tree/behave.mlp_fp32_b8
expect 1 '1 CRASH, 1 FAIL_ACCURACY' "${two[@]}" $(slurm bad)
records bad 1 '"outcome":"CRASH".*"signal":"SIGABRT"'
[ "$(find bad/logs -type f | wc -l)" = 2 ] || fail "logs"

# A node that dies: the task runs again, once is kept, and why is said.
fresh; echo --behave=first_hangs --count-file="$PWD/fake/count" >tree/behave.mlp_fp32_b1
echo 'begin_and_die; export SLURMD_NODENAME=n2 SLURM_RESTART_COUNT=1' >fake/before.0
expect 0 'again     mlp_fp32_b1: attempt 2 on n2; attempt 1 on n1 left no result: that node is down\* \(Not responding\)' "${two[@]}" $(slurm dies)
records dies 1 '"attempt":2'
records dies 2 '"launch"'

# Limits and a node that does not come back: never a pass.
fresh
lost() { echo "state=$1 status=$2 reason=$3"; }
begun() { echo begin_and_die; lost "$@"; }
for name in b1 b8; do echo --behave=first_hangs --count-file="$PWD/fake/count.$name" >tree/behave.mlp_fp32_$name; done
begun TIMEOUT 0 TimeLimit >fake/before.0; begun OUT_OF_MEMORY 0 OutOfMemory >fake/before.1; lost NODE_FAIL 0 NodeDown >fake/before.2
expect 2 '1 MISSING, 1 OUT_OF_MEMORY, 1 TIMEOUT' "${two[@]}" --only=mlp_fp32_b64 $(slurm limits)
says 'MISSING  mlp_fp32_b64$'
says 'Slurm: NODE_FAIL on n1'
records limits 1 '"outcome":"TIMEOUT".*"error":"Slurm: TIMEOUT on n1: TimeLimit"'
records limits 0 '"complete":true'
rm fake/before.* # with the same command the one that is missing runs
expect "$code" '1 OUT_OF_MEMORY, 1 PASS, 1 TIMEOUT \(2 done before\)' "${two[@]}" --only=mlp_fp32_b64 $(slurm limits)

# A folder that a node does not share, or cannot write to; a task that Slurm could not start.
fresh; echo 'mv "$(dirname "$script")/token" token.away; run; code=$?; mv token.away "$(dirname "$script")/token"; state=FAILED reason=NonZeroExitCode status=$((code * 256))' >fake/before.0
lost FAILED 4021 JobLaunchFailure >fake/before.1
expect 2 'FAILED on n1: the folder of the results is another there' "${two[@]}" $(slurm apart)
says 'could not be started there; is the folder'
fresh; echo 'd=$(dirname "$script")/results; mv "$d" "$d.away"; run; code=$?; mv "$d.away" "$d"; state=FAILED reason=NonZeroExitCode status=$((code * 256))' >fake/before.0
expect 2 'FAILED on n1: exit code 2; it printed last' "${two[@]}" $(slurm unwritable)
says 'run_suite: .*/results/0'
fresh; echo 'rm -r unstaged/staged/programs/*mlp_fp32_b1; run; code=$?; state=FAILED reason=NonZeroExitCode status=$((code * 256))' >fake/before.0
expect 2 '1 MISSING, 1 PASS' "${two[@]}" $(slurm unstaged)
says 'the staged program .*mlp_fp32_b1 is not there any more'

# The controller restarts while tasks run; a task waits for what will never be there.
fresh; touch fake/gone fake/later
(while [ -e fake/gone ]; do sleep 0.05; done; rm -f fake/later) &
expect 0 'Unable to contact slurm controller.*asking again' "${two[@]}" $(slurm restart)
records restart 2 '"launch"'

# This machine's clock is an hour behind the nodes'.
fresh; for i in 0 1; do echo 'unset LD_PRELOAD' >fake/before.$i; done
LD_PRELOAD=$clock_set_back expect 0 'the clock of n2 is 3[56][0-9][0-9]\.[0-9] s ahead of this' "${two[@]}" $(slurm clocks)
records clocks 2 '"clock_ahead_s":'

# Refusals.
fresh; echo 'sbatch: error: invalid partition specified: nope' >fake/refuse
expect 2 'stopped: sbatch: error: invalid partition specified: nope' "${two[@]}" $(slurm refused)
expect 2 'has no run on a cluster to go on with' --attach --out=refused
PATH=$PWD/none_bin expect 2 'no sbatch here. Install' "${two[@]}" $(slurm none)
[ ! -e none ] || fail "a folder without a run"
expect 3 'run_suite gives this one itself' "${two[@]}" $(slurm none) --slurm=--array=1
expect 3 'in-process: not with --launcher=slurm' "${two[@]}" $(slurm none) --in-process
expect 3 'launcher=slurm: not with --list: only a run or a comparison' "${two[@]}" $(slurm none) --list
expect 3 'slurm: only with --launcher=slurm' "${two[@]}" --slurm=--time=1
expect 2 'cannot make the folder /proc/none' "${two[@]}" $(slurm /proc/none)

# Ctrl-C cancels what waits; two submissions into one folder; the submitter is killed, and --attach goes on.
fresh; touch fake/later; echo PartitionConfig >fake/why; : >err
setsid "$suite" "${two[@]}" $(slurm cancel) >out 2>err & submitter=$!
for _ in $(seq 1200); do grep -q 'Slurm says PartitionConfig' err && break; sleep 0.05; done
timeout 60 "$suite" "${two[@]}" $(slurm cancel) >out.2 2>err.2; [ $? = 2 ] || fail "exit code of a second submission"
grep -q 'not over: --attach' err.2 || fail "a second submission is not refused"
kill -INT $submitter; wait $submitter
[ $? = 2 ] || fail "exit code of a run that was cancelled"
grep -q -- '--state=PENDING' fake/cancelled || fail "what waited is not cancelled"
says '2 MISSING'
fresh; touch fake/later; : >err # the other run's has the word, too, that is waited for
"$suite" "${two[@]}" $(slurm killed) >out 2>err & submitter=$!
for _ in $(seq 1200); do grep -q submitted err && break; sleep 0.05; done
kill -KILL $submitter; wait $submitter 2>/dev/null
expect 2 'not over: --attach --out=killed' "${two[@]}" --no-lease --out=killed
rm fake/later
expect 0 '^2 planned: 2 PASS' --attach --out=killed
records killed 2 '"launch"'
records killed 1 '"complete":true'

# A comparison: each case on one node, in one table. What is there is not compared again, and what is missing is.
fresh; export BUILD_WORKING_DIRECTORY=$PWD/tree # as `bazel run` in the tree
table=(--threads=1 --threads=2 --compare '--compare-flags=--pairs=4 --extra-rounds=0 --json=table.json')
lost NODE_FAIL 0 NodeDown >fake/before.2
expect 2 '^mlp_fp32_b8/wall .*SAME +4$' "${two[@]}" --only=mlp_fp32_b64 "${table[@]}" $(slurm "$PWD/pairs")
says '^//benchmarks/mlp:mlp_fp32_b64: MISSING'
says 'Slurm: NODE_FAIL on n1'
rm fake/before.2; echo --behave=first_hangs --count-file="$PWD/fake/count" >tree/behave.mlp_fp32_b64
echo 'begin_and_die; export SLURMD_NODENAME=n2 SLURM_RESTART_COUNT=1' >fake/before.0
expect 0 'going on  2 of 3 were done before' "${two[@]}" --only=mlp_fp32_b64 "${table[@]}" $(slurm "$PWD/pairs")
says 'attempt 1 on n1 left no result'
says '^candidate  . --threads=2  \(this tree'
python3 - <<'P' || fail "the comparison as JSON"
import json
table = json.load(open("tree/table.json"))
cases = {c["name"]: (c["machine"]["node"], c["baseline_record"]["launch"]["attempt"]) for c in table["cases"]}
assert cases == {"//benchmarks/mlp:mlp_fp32_b1": ("n1", 1), "//benchmarks/mlp:mlp_fp32_b8": ("n2", 1), "//benchmarks/mlp:mlp_fp32_b64": ("n2", 2)}, cases
assert [len(s["pairs"]) for s in table["series"]] == [4] * 3
P
[ -z "$(ls tmp)" ] || fail "killed tasks' files are left: $(ls tmp)"
fresh; echo --behave=accuracy >tree/behave.mlp_fp32_b1
expect 1 'mlp_fp32_b1: not compared: FAIL_ACCURACY \(baseline\)' "${two[@]}" "${table[@]}" $(slurm "$PWD/pairs")
expect 3 'both sides are built alike' "${two[@]}" "${table[@]}" $(slurm none) --compare-flags=--candidate-build=--copt=-O3
expect 3 'unknown flag --none' "${two[@]}" "${table[@]}" $(slurm none) --compare-flags=--none=1
fresh; touch fake/later; : >err
"$suite" "${two[@]}" "${table[@]}" $(slurm "$PWD/halves") --no-resume >out 2>err & submitter=$!
for _ in $(seq 1200); do grep -q submitted err && break; sleep 0.05; done
kill -KILL $submitter; wait $submitter 2>/dev/null
rm fake/later
expect 0 '^mlp_fp32_b1/wall .*SAME' --attach --out="$PWD"/halves
expect 2 'kubectl apply' "${two[@]}" "${table[@]}" --no-lease --out="$PWD/pair_pods" --launcher=kubernetes --kubernetes-image=debian:12 --kubernetes-claim=results
task pair_pods 0 && task pair_pods 1 || fail "a pod's comparison"
expect 0 '^mlp_fp32_b8/wall .*SAME' --attach --out="$PWD"/pair_pods
unset BUILD_WORKING_DIRECTORY

# Kubernetes: the manifest, and what its pods leave.
fresh
expect 2 'kubectl apply -f .*/job-0.json' "${two[@]}" --no-lease --out=pods --launcher=kubernetes --kubernetes-image=debian:12 --kubernetes-claim=results
task pods 0 || fail "a pod's task"
expect 2 '1 tasks have left no result yet' --attach --out=pods
task pods 1 || fail "a pod's task"
expect 0 '^2 planned: 2 PASS .*1 done before' --attach --out=pods
expect 3 'needs --kubernetes-image' "${two[@]}" --launcher=kubernetes
exit "$failures"
