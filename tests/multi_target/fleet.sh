#!/bin/sh
# A batch in three parts as a job array of Slurm, on a cluster of this machine alone that lives as long
# as the test does. Its files are in the test's folder, its ports on the loopback interface.
. "$(dirname "$0")/common.sh"
script=$(dirname "$0")/../../examples/multi_target/fleet.sbatch
# Daemons and jobs have working folders of their own.
compile=$(realpath "$compile") inputs=$(realpath "$inputs") out=$(realpath "$out") broken=$(realpath "$broken")
PATH=$(dirname "$compile"):$PATH:/usr/sbin:/sbin
# This may itself run under Slurm.
unset $(env | sed -n 's/^\(\(SLURM\|SBATCH\|SINFO\|SQUEUE\)_[A-Za-z0-9_]*\)=.*/\1/p')

skip() {
  echo "SKIPPED: $1"
  exit 4
}
for program in redis-server munged slurmctld slurmd sbatch scancel scontrol sinfo squeue; do
  command -v $program >/dev/null || skip "there is no $program here"
done

# In the foreground, as children: CTest's time limit ends them with this.
daemons=
start() { # start PROGRAM ARGUMENT...
  "$@" >>"$out/$1.log" 2>&1 &
  started=$!
  daemons="$daemons $started"
}
stop() {
  kill -KILL $daemons
  wait $daemons
  daemons=
} 2>/dev/null
# Not within as many tenths of a second: false. within TENTHS COMMAND...
within() {
  tenths=$1
  shift
  until "$@"; do
    [ "$tenths" -gt 0 ] || return 1
    tenths=$((tenths - 1))
    sleep 0.1
  done
}
no_jobs() { [ -z "$(squeue -h -o %i 2>&1)" ]; }
end() {
  # Jobs outlive the daemons.
  if [ -n "$daemons" ] && [ -n "$(squeue -h 2>/dev/null)" ]; then
    scancel --state=PENDING --user="$(id -un)"
    scancel --signal=KILL --full --user="$(id -un)"
    within 50 no_jobs
  fi
  [ -z "$daemons" ] || stop
}
trap end EXIT
trap 'exit 130' HUP INT TERM

# As whoever runs this, who need not be root.
configure() { # configure PORT CGROUP-PLUGIN
  rm -rf "$out/state" "$out/spool"
  mkdir "$out/state" "$out/spool"
  host=$(uname -n)
  host=${host%%.*}
  cat >"$out/slurm.conf" <<END
ClusterName=fleet
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$out/munge.sock
SlurmctldPort=$1
SlurmdPort=$(($1 + 1))
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$out/state
SlurmdSpoolDir=$out/spool
SlurmctldPidFile=$out/slurmctld.pid
SlurmdPidFile=$out/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0
# All parts at once, however many processors there are.
SlurmdParameters=config_overrides
NodeName=here NodeHostname=$host NodeAddr=127.0.0.1 CPUs=3
PartitionName=all Nodes=here Default=YES
END
  echo "CgroupPlugin=$2" >"$out/cgroup.conf"
}
export SLURM_CONF="$out/slurm.conf"

listening() { # listening PORT: somebody does
  grep -qi ":$(printf %04x "$1") [0-9a-f]*:0000 0A" /proc/net/tcp /proc/net/tcp6 2>/dev/null
}
# Below the ports that the system gives to whoever asks for any.
free_port() {
  while :; do
    port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 12000))
    listening $port || listening $((port + 1)) || break
  done
}

up_or_gone() {
  [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] || ! kill -0 $controller 2>/dev/null ||
    ! kill -0 $node 2>/dev/null
}
up() {
  head -c 1024 /dev/urandom >"$out/munge.key"
  chmod 400 "$out/munge.key"
  # Again, where another took the port first, or where Slurm is newer: without tasks or a process
  # tracking of its own the plugin for cgroups does nothing, which is called "disabled" there.
  for plugin in cgroup/v1 disabled cgroup/v1 disabled; do
    rm -f "$out/redis.sock" "$out/munge.sock"
    # --force: else it refuses folders that a group may write to. It guards this test's jobs only.
    start redis-server --port 0 --unixsocket "$out/redis.sock" --save '' --appendonly no --dir "$out"
    start munged --foreground --force --key-file "$out/munge.key" --socket "$out/munge.sock" \
      --pid-file "$out/munged.pid" --seed-file "$out/munge.seed"
    within 100 [ -S "$out/munge.sock" ]
    within 100 [ -S "$out/redis.sock" ]
    free_port
    configure $port $plugin
    start slurmctld -D -f "$SLURM_CONF"
    controller=$started
    start slurmd -D -f "$SLURM_CONF"
    node=$started
    within 300 up_or_gone
    [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && return
    stop
  done
  return 1
}
why() { cat "$out/munged.log" "$out/slurmctld.log" "$out/slurmd.log" | grep -E 'error|fatal' | tail -n 8; }

umask 077
up || skip "no Slurm runs here:
$(why)"

submit() { # submit PARTS LABEL ARGUMENT...: leaves the job's number in $job
  parts=$1
  label=$2
  shift 2
  job=$(sbatch --parsable --array="$parts" --output="$out/$label-%a.log" --chdir="$out" \
    --export="ALL,LAYERKEY_REDIS=unix://$out/redis.sock,LAYERKEY_CACHE=$out/node" \
    "$script" "$@")
}
ends_of() { # ends_of JOB: how its parts ended, each way once
  scontrol -o show job "$1" | sed 's/.* JobState=\([A-Z_]*\) .* ExitCode=\([0-9:]*\) .*/\1 \2/' | sort |
    uniq -c | awk '{ print $1, $2, $3 }'
}
any_log() { ls "$out" | grep -q '^\(part\|bad\|some\)-[1-3]\.log$'; }
made() { # made LOG...: codegen that was asked for, and that ran
  awk '$1 == "codegen" { asked += $2; ran += $4 } END { print asked + 0, ran + 0 }' "$@"
}
all_of() { (cd "$1" && sha256sum *); } # all_of FOLDER: its files' digests by name

batch="--target sm_75 --target sm_80 --target sm_90 -O1 -O3"
for name in saxpy matmul reduction arch_dispatch half_axpy histogram; do
  batch="$inputs/ptx/$name.bc $batch"
done
run $batch --no-cache --out "$out/whole"
files=36
check "it compiles without a fleet: $stderr" [ "$status $(row codegen)" = "0 $files 0 $files" ]

# What goes wrong is the scheduler's to know: input that is none, and an array that is not all of the parts.
submit 1-3 part $batch --out "$out/joined"
all=$job
submit 1-3 bad "$inputs/ptx/softmax.bc" "$broken/bad_bitcode.bc" --target sm_90 --out "$out/bad"
bad=$job
submit 2-3 some $batch --out "$out/some"
some=$job
check "all are taken" [ -n "$all" -a -n "$bad" -a -n "$some" ]
[ "$failures" -eq 0 ] || finish
within 600 any_log || skip "Slurm runs no job here:
$(why)"
within 1500 no_jobs

check "each part is done: $(ends_of $all; cat "$out"/part-*.log)" [ "$(ends_of $all)" = '3 COMPLETED 0:0' ]
check "all parts are the whole" [ "$(all_of "$out/joined")" = "$(all_of "$out/whole")" ]
check "no file is made twice" [ "$(made "$out"/part-*.log)" = "$files $files" ]
for i in 1 2 3; do
  check "part $i has its share" [ "$(made "$out/part-$i.log")" != '0 0' ]
done
check "a part that fails says so: $(ends_of $bad)" [ "$(ends_of $bad)" = '3 FAILED 1:0' ]
check "and compiles the rest" [ "$(ls "$out/bad")" = softmax.sm_90.O2.ptx ]
check "not all parts are none: $(ends_of $some)" [ "$(ends_of $some)" = '2 FAILED 2:0' ]
check "with the reason" says "$(cat "$out/some-2.log")" '--array must be 1-N'
check "and without output" [ ! -e "$out/some" ]

run_again $batch --out "$out/again" --cache "$out/empty" --redis "unix://$out/redis.sock"
check "the server has all of it: $stderr" [ "$status $(row codegen)" = "0 $files $files 0" ]
check "the same" [ "$(all_of "$out/again")" = "$(all_of "$out/whole")" ]
finish
