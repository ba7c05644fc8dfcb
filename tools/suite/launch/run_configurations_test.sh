#!/usr/bin/env bash
# Runs a whole suite with runners that misbehave, and checks exit codes and output. $1: launch_driver, $2:
# hostile_runner, $3: libclock_set_back.so.
set -uo pipefail
driver=$PWD/$1 runner=$PWD/$2 clock_set_back=$PWD/$3
cd "$TEST_TMPDIR" || exit
mkdir -p runtime tree/tools && export XDG_RUNTIME_DIR=$PWD/runtime XDG_CACHE_HOME=$PWD/cache
export BUILD_WORKSPACE_DIRECTORY=$PWD/tree
failures=0

# A tree whose tools/bazel plays Bazel: every case is a script that starts the hostile runner.
cat >tree/tools/bazel <<'BAZEL'
#!/bin/sh
[ ! -e broken ] || { echo "broken.cc:1: no" >&2; exit 1; }
case $1 in
  info) echo "$PWD/out" ;;
  build) mkdir -p out/a; for label; do case $label in //a:*) ln -sf "$PWD/program" "out/a/${label#//a:}" ;; esac; done ;;
esac
BAZEL
printf '#!/bin/sh\nexec "%s" "$@"\n' "$runner" >tree/program
chmod +x tree/tools/bazel tree/program

fail() { echo "FAIL: $*"; sed 's/^/    /' out err; failures=$((failures + 1)); }
plan() { printf '%s\n' "$@" >plan; } # CONFIGURATION...
run() { timeout 120 "$driver" --plan=plan "$@" >out 2>err; code=$?; }
expect() { # CODE PATTERN FLAGS...: exit code, and a pattern of standard output or error
  local want=$1 pattern=$2; shift 2
  run "$@"
  [ "$code" = "$want" ] || fail "exit code $code, want $want: $*"
  grep -qE -- "$pattern" out err || fail "no '$pattern': $*"
}
holds() { # FILE COUNT PATTERN: COUNT lines of it match
  local found; found=$(grep -cE -- "$3" "$1" 2>/dev/null)
  [ "${found:-0}" = "$2" ] || fail "$1 has ${found:-no} lines of '$3', want $2"
}
records() { holds "$1/results.jsonl" "$2" "$3"; }
# Of /proc, since a bare machine has neither ps nor pgrep.
lives() { [[ "$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null)" == [RSD] ]]; }
with_argument() {
  local process
  for process in /proc/[0-9]*; do
    if grep -qzxF -- "$1" "$process/cmdline" 2>/dev/null; then echo "${process#/proc/}"; fi
  done
}
wait_for() { for _ in $(seq 1200); do "$@" && return; sleep 0.05; done; fail "never came: $*"; }

# One process for each configuration, one record each, and the end of the run.
plan "a.1 --behave=slow --count-file=$PWD/count --median=2000" "a.2 --behave=slow --count-file=$PWD/count" 'b !not_on_this_machine'
expect 0 '^\[1/3\] a.1 +PASS +[12]\.?[0-9]* us' --out=good --pin="$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')" --env=A_VARIABLE=x
expect 0 '3 planned: 2 PASS, 1 SKIPPED_DECLARED' --out=other
records good 2 '"outcome":"PASS".*"launch":\{"fingerprint":"[0-9a-f]{64}"'
records good 1 '"outcome":"SKIPPED_DECLARED".*not_on_this_machine'
records good 1 '"suite_run":\{"id":.*"planned":"3".*"PASS":"2".*"complete":true'
records good 2 '"variables":\{"A_VARIABLE":"x"\}.*"cpus":\[[0-9]+\].*"output":"logs/a.[12].log"'
records good 0 '--record='
grep -q '^\$ A_VARIABLE=x .*/out/a/a --behave=slow .*' good/logs/a.1.log || fail "the log's first line"

# The same command again runs nothing, unless something has changed.
lines=$(wc -l <count)
expect 0 '3 of 3 were done before' --out=other
[ "$(wc -l <count)" = "$lines" ] || fail "what was done before was run again"
records other 3 '"launch"'
records other 2 '"suite_run":\{"id"'
expect 0 '3 planned: 2 PASS, 1 SKIPPED' --out=other --no-resume
records other 6 '"launch"'
printf '#!/bin/sh\n# built anew\nexec "%s" "$@"\n' "$runner" >tree/program
expect 0 '1 done before' --out=other # the one that is skipped
OMP_NUM_THREADS=3 expect 0 'PASS' --out=other
[ "$(wc -l <count)" = $((lines + 6)) ] || fail "a changed program or variable is another run"
for chooses in TORCH_MKLDNN_MATMUL_MIN_DIM=9999 FBGEMM_NO_ASMJIT=1 PYTORCH_TENSOREXPR_FALLBACK=2 CUDNN_X=1; do
  export "${chooses?}"
  expect 0 '3 planned: 2 PASS, 1 SKIPPED_DECLARED' --out=other
  unset "${chooses%=*}"
done
[ "$(wc -l <count)" = $((lines + 14)) ] || fail "with another variable that chooses kernels it is another run"
TORCH_HUB_TOKEN=another expect 0 '3 of 3 were done before' --out=other
records other 0 'TORCH_HUB_TOKEN'

# Runners that misbehave.
plan 'abort --behave=abort' 'exit0 --behave=exit0' 'torn --behave=torn' 'killed --behave=killed' 'newer --behave=newer' \
  'accuracy --behave=accuracy' 'usage --behave=usage' 'twice --behave=twice' 'chatty --behave=chatty' 'mute --behave=mute' \
  "hang --behave=hang --pid-file=$PWD/pid" 'greedy --behave=greedy' 'no_device --behave=no_device'
expect 1 'all it printed: .*bad/logs/exit0.log' --out=bad --timeout=4 --memory-limit=256MiB
for outcome in abort:CRASH exit0:CRASH torn:CRASH killed:CRASH newer:CRASH accuracy:FAIL_ACCURACY usage:CRASH twice:CRASH \
  chatty:PASS mute:PASS hang:TIMEOUT greedy:OUT_OF_MEMORY no_device:NO_DEVICE; do
  grep -qE "^\[ *[0-9]+/13\] ${outcome%:*} +${outcome#*:} " out || fail "no $outcome"
done
records bad 13 '"launch"'
records bad 1 'half of the work'
records bad 1 '"outcome":"CRASH".*"signal":"SIGABRT"'
records bad 1 '"outcome":"OUT_OF_MEMORY".*"memory_limit_bytes":"268435456"'
grep -q 'half of the work' bad/logs/exit0.log || fail "what a process printed is in its log"
grep -q 'memory    256 MiB' err || fail "how memory is limited is not said"
! lives "$(cat pid)" || fail "what a hanging process had started lives"

# Failures count as done, and decide the exit code; --retry-failed runs all but wrong outputs again.
expect 1 '13 of 13 were done before' --out=bad --timeout=4 --memory-limit=256MiB
expect 1 '3 of 13 were done before' --out=bad --timeout=4 --memory-limit=256MiB --retry-failed
records bad 23 '"launch"'
plan 'no_device --behave=no_device' 'good'
expect 2 '1 NO_DEVICE, 1 PASS' --out=surroundings

# Killed half-way and continued: every configuration ran once, as if nothing had happened.
for i in 1 2 3 4 5 6; do echo "k.$i --behave=slow --count-file=$PWD/killed --median=$i"; done >plan
"$driver" --plan=plan --out=killed_out >out 2>err &
wait_for test -s killed
wait_for grep -q launch killed_out/results.jsonl
kill -KILL $!; wait $! 2>/dev/null
printf '{"schema_version":2,"outc' >>killed_out/results.jsonl
touch killed_out/running/record-9.jsonl
expect 0 'half a line of 25 bytes.*moved to .*results.torn-1' --out=killed_out
grep -q 'running.left-1' err || fail "leftovers are not said"
grep -q 'were done before' err || fail "a killed run does not go on"
records killed_out 6 '"launch"'
records killed_out 1 '"complete":true'
[ "$(cat killed_out/results.torn-1)" = '{"schema_version":2,"outc' ] || fail "half a line is kept"

# Ctrl-C once: the running process finishes. Twice: it is ended. A second writer is refused meanwhile.
plan "first --behave=slow --count-file=$PWD/once" 'second'
setsid "$driver" --plan=plan --out=once_out >out 2>err & # its own group, as from a terminal
wait_for test -s once
cp out out.1
timeout 60 "$driver" --plan=plan --out=once_out >out 2>err.2
[ $? = 2 ] || fail "exit code of a second writer"
grep -q "once_out is being written by process $! on " err.2 || { cat err.2; fail "who writes is not said"; }
kill -INT $!; wait $!
[ $? = 2 ] || fail "exit code of a suite that was stopped"
records once_out 1 '"outcome":"PASS"'
records once_out 1 '"suite_run":\{"id":.*"planned":"2"'
records once_out 0 '"complete":true'
expect 0 '1 done before' --out=once_out
plan "hang --behave=hang --pid-file=$PWD/twice" 'second'
setsid "$driver" --plan=plan --out=twice_out >out 2>err &
wait_for test -s twice
kill -INT $!; wait_for grep -q 'Ctrl-C again stops it too' err; kill -INT $!; wait $!
[ $? = 2 ] || fail "exit code of a suite that was stopped twice"
records twice_out 1 '"outcome":"INTERRUPTED"'
plan "hang --pid-file=$PWD/twice" 'second'
expect 0 '2 PASS' --out=twice_out

# Several processes of each, in turns; one record of them all. Killed half-way, no process is run twice.
plan "p.1 --behave=slow --count-file=$PWD/many" "p.2 --behave=slow --count-file=$PWD/many --median=2"
"$driver" --plan=plan --out=many_out --processes=6 >out 2>err &
wait_for test -s many_out/processes.jsonl
until [ "$(wc -l <many_out/processes.jsonl)" -ge 4 ]; do sleep 0.05; done
kill -KILL $!; wait $! 2>/dev/null
expect 0 '2 planned: 2 PASS' --out=many_out --processes=6
holds many_out/processes.jsonl 12 '"repetition"'
records many_out 2 '"process_medians_ns":\[([0-9.]+,){5}[0-9.]+\]'
records many_out 2 '"ci_low_ns"'
order=$(grep -oE 'logs/p.[12].p' many_out/processes.jsonl | tr -d '\n')
[ "$order" != "$(echo "$order" | grep -oE 'logs/p.[12].p' | sort | tr -d '\n')" ] || fail "one after the other: $order"
plan 'p.1 --behave=accuracy'
expect 1 'process 1 of 3: said so' --out=many_out --processes=3
holds many_out/processes.jsonl 1 FAIL_ACCURACY

# Finds the largest batch that fits, by trying processes.
plan 'rows --behave=rows --fits=100 --batch=search' 'none --behave=rows --fits=0 --batch=search' 'sick --behave=abort --batch=search'
expect 1 'the largest batch that fits is (9[4-9]|100)$' --out=batch
records batch 1 '"outcome":"PASS".*"--batch=(9[4-9]|100)"'
records batch 1 '"outcome":"OUT_OF_MEMORY".*not even a batch of 1 fits'
records batch 1 '"outcome":"CRASH".*Aborted'
expect 1 '3 of 3 were done before' --out=batch

# Configurations that share a process: one record each, and one that the process does not survive is run again alone.
cp tree/tools/bazel bazel.plain
cat >tree/tools/bazel <<'BAZEL'
#!/bin/sh
case $1 in
  info) echo "$PWD/out" ;;
  build) for label; do case $label in //s:*)
    script="out/s/${label#//s:}"
    mkdir -p "$script.runfiles/assay/s"
    ln -sf "$(sed -n 's/^exec "\(.*\)" "$@"/\1/p' program)" "$script.runfiles/assay/s/runner"
    printf '#!/bin/sh\nr="$0.runfiles"\nw="$r/assay"\nexec "$w/s/runner" "$@"\n' >"$script"
    chmod +x "$script" ;;
  esac; done ;;
esac
BAZEL
plan '//s:one --median=2000' '//s:two --behave=abort' '//s:three --behave=accuracy' '//s:four --behave=usage' \
  "//s:five --behave=dies_once --pid-file=$PWD/died" '//s:six' '//s:seven --allocator=default' '//s:eight !not_here' \
  '//s:nine --behave=die_after_record' '//s:ten --deterministic=true'
expect 1 '10 planned: 3 CRASH, 1 FAIL_ACCURACY, 5 PASS, 1 SKIPPED_DECLARED' --out=shared --in-process
grep -q 's:two: the process that it shared ended while it ran: signal 6 (Aborted); it is run again alone' err || fail "who it was"
records shared 3 '"shared":true'
records shared 1 '"name":"two".*"outcome":"CRASH".*"signal":"SIGABRT"' # of its own process
records shared 1 '"outcome":"PASS".*"error":"the process that it shared ended while it ran: signal 11 .*of its own".*dies_once'
records shared 1 '"outcome":"CRASH".*does not understand its command line'
records shared 0 '"flags":\[[^]]*--record='
[ "$(find shared/running -type f | wc -l)" = 0 ] || fail "files are left in running/"
expect 1 '10 of 10 were done before' --out=shared --in-process
expect 1 '10 planned: 3 CRASH' --out=shared # another fingerprint: it is another number
records shared 3 '"shared":true'
expect 3 'in-process: not with --processes: one process' --out=shared --in-process --processes=2
for i in $(seq 12); do echo "//s:k$i --behave=slow --count-file=$PWD/withdrawn"; done >plan
setsid "$driver" --plan=plan --out=withdrawn_out --in-process >out 2>err & # Ctrl-C lets the one that runs come to its end
wait_for test -s withdrawn
kill -INT $!; wait $!
[ $? = 2 ] || fail "exit code of a shared process that was stopped"
[ "$(wc -l <withdrawn)" -lt 12 ] || fail "all were run"
records withdrawn_out "$(wc -l <withdrawn)" '"shared":true'
expect 0 '12 PASS' --out=withdrawn_out --in-process
[ "$(wc -l <withdrawn)" = 12 ] || fail "one was run twice"
mv bazel.plain tree/tools/bazel

# Results that cannot be written.
plan "a --long=$(head -c 3000 /dev/zero | tr '\0' x)"
(ulimit -f 1; timeout 60 "$driver" --plan=plan --out=full >out 2>err); code=$?
[ $code = 2 ] || fail "exit code $code on a full disk"
grep -q 'full/results.jsonl.*size limit' out err || fail "which file is full is not said"
[ ! -s full/results.jsonl ] || [ "$(tail -c 1 full/results.jsonl | od -An -c | tr -d ' ')" = '\n' ] || fail "half a line"
echo file >occupied
expect 2 'occupied' --out=occupied
expect 2 '/proc/nothing' --out=/proc/nothing
plan 'a'
mkdir -p schema
echo '{"schema_version":99,"outcome":"PASS"}' >schema/results.jsonl
expect 0 'schema version 99' --out=schema
holds schema/results.jsonl 1 '"schema_version":99'
timeout 60 "$driver" --plan=plan --out=pipe 2>err | true
[ "${PIPESTATUS[0]}" = 2 ] || fail "exit code where nobody reads standard output"
records pipe 1 '"outcome":"PASS"'

# The wall clock is set back by an hour while a suite runs; and suites that begin in one second have ids of their own.
plan 'a' 'hang --behave=hang'
LD_PRELOAD=$clock_set_back expect 2 '2 planned: 1 PASS, 1 TIMEOUT; [0-9.]+ s' --out=set_back --timeout=2
records set_back 0 '"(duration_s|elapsed_s)":-'
records set_back 1 '"suite_run":\{"id":"[0-9TZ]+-[0-9a-f]{16}"'
plan 'a'
for suite in 1 2 3; do expect 0 PASS "--out=twins$suite"; done
ids=$(cat twins?/results.jsonl | sed -n 's/.*"suite_run":{"id":"\([^"]*\)".*/\1/p')
[ "$(sort -u <<<"$ids" | wc -l)" = 3 ] || fail "ids of three suites: $ids"

# Secrets do not get into results.
export A_SECRET_TOKEN=tell-nobody-1
plan 'tell --behave=tell' 'a --weights=https://me:tell-nobody-3@host/x --hf-token=tell-nobody-4'
expect 1 'CRASH' --out=secret --env=MY_API_KEY=tell-nobody-2
grep -q 'tell-nobody-1' secret/logs/tell.log || fail "the test proves nothing: the runner does not tell"
records secret 0 'tell-nobody'
records secret 1 '"error":".*\*\*\*'
records secret 2 '"MY_API_KEY":"\*\*\*"'
[[ "$(head -qn 1 secret/logs/*.log)" != *tell-nobody* ]] || fail "a secret in a log's first line"

# A build beside a suite changes nothing of what it measures: it runs copies, which go with it.
plan "a --behave=slow --count-file=$PWD/replaced" 'b'
"$driver" --plan=plan --out=replaced_out >out 2>err &
wait_for test -s replaced
printf '#!/bin/sh\n# newer\nexit 1\n' >tree/program
wait $!
[ $? = 0 ] || fail "exit code of a suite beside a build"
records replaced_out 2 '"outcome":"PASS"'
records replaced_out 2 '"command":\["[^"]*/tree/out/a/[ab]"'
[ ! -e replaced_out/programs ] || fail "copies that were left"
printf '#!/bin/sh\n# newer\nexec "%s" "$@"\n' "$runner" >tree/program

# A copy that is replaced while it is measured counts as two programs.
plan "a --behave=slow --count-file=$PWD/replaced_copy" 'b'
"$driver" --plan=plan --out=replaced_copy_out >out 2>err &
wait_for test -s replaced_copy
for copy in replaced_copy_out/programs/a/[ab]; do cp "$copy" newer && mv newer "$copy"; done
wait $!
[ $? = 2 ] || fail "exit code of a program that was replaced"
records replaced_copy_out 2 '"outcome":"RECORD_FAILED".*another program'

# Another program measures on the device.
mkdir -p runtime/assay
holders=()
for cpu in runtime/assay/cpu-*; do flock --no-fork "$cpu" sleep 1000 & holders+=($!); done
held() { ! flock --nonblock "$1" true; }
for cpu in runtime/assay/cpu-*; do wait_for held "$cpu"; done
plan 'a'
setsid "$driver" --plan=plan --out=leased >out 2>err &
wait_for grep -q 'waiting for cpu-' err
kill -INT $!; wait $!
[ $? = 2 ] || fail "exit code of a suite that waited"
expect 0 'PASS' --out=leased --no-lease
kill "${holders[@]}"

# A suite that is killed while its process hangs ends the process, and the lease is free.
plan "hang --behave=hang --pid-file=$PWD/orphan"
"$driver" --plan=plan --out=orphan_out >out 2>err &
wait_for test -s orphan
kill -KILL $!; wait $! 2>/dev/null
plan 'a'
SECONDS=0
expect 0 'PASS' --out=orphan_next
[ "$SECONDS" -le 60 ] || fail "waited $SECONDS s for a suite that is dead"
left=$(with_argument "--pid-file=$PWD/orphan")
[ "$left" = "$(cat orphan)" ] || fail "its process lives: $left" # what that had started is in nobody's hands
kill "$(cat orphan)"

# What is flagged counts, and can be run again.
plan 'good' 'noisy --check=steady'
expect 0 '^2 planned: 2 PASS, 1 of them FLAGGED; ' --out=flagged_out
expect 0 'flagged   1 have .*steady 1' --out=flagged_out
expect 0 '1 done before' --out=flagged_out --retry-flagged
records flagged_out 3 '"launch"'

# Plans that cannot be run at all.
: >plan
expect 2 'nothing to run'
plan 'a'
expect 3 'timeout=-1' --timeout=-1
expect 3 'unknown flag --frobnicate' --frobnicate
touch tree/broken
expect 2 'broken.cc:1: no' --out=never
unset BUILD_WORKSPACE_DIRECTORY
expect 2 'tools/bazel run //tools:run_suite' --out=never
exit "$failures"
