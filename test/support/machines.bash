# What the tests on emulated machines have in common; to be sourced with $rhizome, the program. Makes a
# directory and three machines in it, and ends with 77 where this machine allows no such thing, or
# lacks a package of the cluster (tools/packages).
set -u
source_dir=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
work=$(mktemp -d)
cluster=$work/cluster
machines() { "$source_dir/test/support/cluster" "$@"; }
leave() {
  machines down "$cluster" >/dev/null 2>&1
  rm -rf "$work"
}
trap leave EXIT
cd "$work" || exit 1
failures=0
checks=0

machines up "$cluster" 3 >up 2>&1
status=$?
if [ $status -eq 69 ]; then
  printf 'SKIPPED: NOTHING WAS TESTED ON SEVERAL MACHINES: %s\n' "$(cat up)"
  exit 77
fi
[ $status -eq 0 ] || { cat up; exit 1; }

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  head -c 2000 err
}
# expect STATUS WHAT: the last command ended so.
expect() {
  checks=$((checks + 1))
  [ "$status" -eq "$1" ] || fail "$2: status $status instead of $1"
}
contains() {
  checks=$((checks + 1))
  grep -qF -- "$2" "$1" || fail "$3: \"$2\" is not in $1"
}
# on I COMMAND...: from machine I, within a minute.
on() {
  local i=$1
  shift
  machines on "$cluster" "$i" timeout 60 env "SLURM_CONF=$cluster/slurm.conf" "$@" >out 2>err </dev/null
  status=$?
}
by_srun() { on 1 srun --mpi=pmix "$@"; }
by_mpirun() {
  on 1 mpirun --allow-run-as-root --mca plm_rsh_agent "ssh -F $cluster/ssh.conf" "$@"
}
# The rank of a process, by what it was told; none: it is the first of those that it launched.
rank_of() { tr '\0' '\n' 2>/dev/null <"/proc/$1/environ" | sed -n 's/^PMIX_RANK=//p; s/^RHIZOME_LAUNCHED=\([0-9]*\),.*/\1/p'; }
summary() {
  printf '%d checks, %d failed\n' "$checks" "$failures"
  exit $((failures > 0))
}
