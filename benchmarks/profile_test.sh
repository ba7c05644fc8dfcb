#!/bin/sh
# --profile, --memory-timeline and --nsys of a case from the command line to the files, with an nsys on PATH that notes its arguments and
# runs its child. Arguments: the case's program.
set -eu
case_program=$PWD/$1
cd "$TEST_TMPDIR"
unset BUILD_WORKING_DIRECTORY || true
fail() { echo "profile_test: $*" >&2; exit 1; }
run() { "$case_program" --modes=wall --budget=0.05 --verify=off --threads=1 "$@" >log 2>&1; }

run --profile --record=runs.jsonl || { cat log; fail "--profile failed"; }
for file in trace.json operators.txt operators.csv operators.json; do
  [ -s "mlp_fp32_b8_train.profile/$file" ] || fail "no $file"
done
for step in forward backward optimizer train_step; do
  grep -q "\"mlp_fp32_b8_train/$step\"" mlp_fp32_b8_train.profile/trace.json || fail "no range of $step"
  grep -q "^mlp_fp32_b8_train/$step: 3 calls; in each [1-9]" mlp_fp32_b8_train.profile/operators.txt || fail "no counts of $step"
done
grep -q '"trace":"'"$PWD"'/mlp_fp32_b8_train.profile/trace.json"' runs.jsonl || fail "the record has no link to the trace"
grep -q '^Name .* Self CPU % .* # of Calls$' log || fail "no table is printed"

: >file
code=0; run --profile=file || code=$?
[ $code = 2 ] || fail "a file in place of a folder: exit code $code"
grep -q 'profile folder file' log || fail "a file in place of a folder is not said"
grep -q 'wall' log && fail "measured before it was said"

run --memory-timeline=timeline/step.csv --record=timeline.jsonl || { cat log; fail "--memory-timeline failed"; }
# After a train step there are as many bytes of gradients, and of momentum, as of parameters; the head names the columns.
tail -n 1 timeline/step.csv | awk -F, '$8 > 0 && $8 == $9 && $8 == $12 { found = 1 } END { exit !found }' || fail "the timeline's last row"
grep -q '^timeline  train_step [0-9]* allocations; peak .* gradients ' log || fail "the peak is not said"
code=0; run --memory-timeline=file/step.csv || code=$?
[ $code = 2 ] || fail "a timeline in a file: exit code $code"
grep -q 'file.*; name another, as --memory-timeline=FILE' log || fail "a timeline in a file is not said"

code=0; run --nsys=by_nsys || code=$?
[ $code = 2 ] || fail "without nsys: exit code $code"
grep -q 'nsight-systems-cli' log || fail "the package is not named"

mkdir bin
cat >bin/nsys <<'EOF'
#!/bin/sh
printf '%s\n' "$@" >arguments
for word do case $word in --output=*) echo report >"${word#--output=}.nsys-rep" ;; esac; done
while [ "${1#/}" = "$1" ]; do shift; done # to the child, whose path begins with /
"$@" >child_log 2>&1
EOF
chmod +x bin/nsys
PATH=$PWD/bin:$PATH
run --nsys=by_nsys --record=nsys.jsonl --steps=forward || { cat log child_log; fail "--nsys failed"; }
head -n 5 arguments >first_arguments
printf '%s\n' profile --trace=osrt --sample=process-tree --force-overwrite=true --output=by_nsys/mlp_fp32_b8_train |
  diff - first_arguments || fail "nsys got other arguments"
grep -q '"trace":"'"$PWD"'/by_nsys/mlp_fp32_b8_train.nsys-rep"' nsys.jsonl || fail "the record has no link to the report"
[ "$(wc -l <nsys.jsonl)" = 1 ] || fail "the child wrote a record"
grep -q 'verdict\|/wall' child_log && fail "the child verified or measured"
grep -q '^mlp_fp32_b8_train ' child_log || { cat child_log; fail "the child did not run"; }
echo "PASS"
