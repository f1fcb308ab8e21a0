#!/usr/bin/env bash
# Bring up a one-node SLURM "cluster" on this machine: no systemd, no cgroups, loopback only.
# Run as root on Debian or Ubuntu: tests/slurm/up.sh   (then: sinfo; sbatch --wrap hostname)
# Stop it with down.sh.  Safe to call twice.
#   SLURM_CPUS=2        CPUs to advertise (default: nproc)
#   SLURM_MEM_MB=...    memory to advertise (default: 75 % of MemTotal)
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "slurm-up: needs root" >&2; exit 1; }

MARK="# written by up.sh"
CONF=/etc/slurm/slurm.conf
LOG=/var/log/slurm
SPOOL=/var/spool/slurm-lab
HOST=$(hostname -s)
CPUS=${SLURM_CPUS:-$(nproc)}
MEM=${SLURM_MEM_MB:-$(awk '/^MemTotal/ {print int($2 / 1024 * 0.75)}' /proc/meminfo)}

# ---- 1. install ------------------------------------------------------------------------
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null \
   || ! command -v munged >/dev/null || ! command -v sbatch >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends slurm-wlm munge >/dev/null
fi

# ---- 2. configure ----------------------------------------------------------------------
if [ -e "$CONF" ] && ! grep -qF "$MARK" "$CONF"; then
    echo "slurm-up: $CONF exists and is not ours; not touching it" >&2; exit 1
fi
getent hosts "$HOST" >/dev/null || echo "127.0.0.1 $HOST" >> /etc/hosts
mkdir -p /etc/slurm "$LOG" "$SPOOL/ctld" "$SPOOL/d"
cat > "$CONF" <<CONF_EOF
$MARK
ClusterName=lab
SlurmctldHost=$HOST(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0,bf_interval=2
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
# finished jobs stay visible to squeue for 10 min: snakemake's --slurm-status-command squeue
# needs this (there is no slurmdbd here, so sacct does not answer)
MinJobAge=600
ReturnToService=2
KillWait=5
SlurmctldTimeout=30
SlurmdTimeout=30
InactiveLimit=0
SlurmdParameters=config_overrides
StateSaveLocation=$SPOOL/ctld
SlurmdSpoolDir=$SPOOL/d
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile=$LOG/slurmctld.log
SlurmdLogFile=$LOG/slurmd.log
MailProg=/bin/true
NodeName=$HOST NodeAddr=127.0.0.1 NodeHostname=$HOST CPUs=$CPUS RealMemory=$MEM State=UNKNOWN
PartitionName=short Nodes=$HOST Default=YES MaxTime=02:00:00 DefaultTime=00:10:00 DefMemPerCPU=500 State=UP
PartitionName=long  Nodes=$HOST Default=NO  MaxTime=2-00:00:00 DefMemPerCPU=500 State=UP
CONF_EOF
# SLURM >= 23.11 initializes cgroups in slurmd unless told not to; older ones ignore an absent file
ver=$(slurmctld -V | awk '{print $2}')
if dpkg --compare-versions "$ver" ge 23.11; then
    printf '%s\nCgroupPlugin=disabled\n' "$MARK" > /etc/slurm/cgroup.conf
fi

# ---- 3. start --------------------------------------------------------------------------
alive() { # pidfile name -> true if that pid runs and is that program
    local p; p=$(cat "$1" 2>/dev/null) && [ -n "$p" ] && [ "$(cat "/proc/$p/comm" 2>/dev/null)" = "$2" ]
}
if ! alive /run/munge/munged.pid munged; then
    install -d -o munge -g munge -m 0755 /run/munge
    install -d -o munge -g munge -m 0700 /var/log/munge /var/lib/munge /etc/munge
    if [ ! -s /etc/munge/munge.key ]; then
        (umask 077; head -c 128 /dev/urandom > /etc/munge/munge.key); chown munge:munge /etc/munge/munge.key
    fi
    rm -f /run/munge/munge.socket.2*
    runuser -u munge -- /usr/sbin/munged --force >/dev/null 2>&1
fi
for _ in $(seq 50); do munge -n </dev/null 2>/dev/null | unmunge >/dev/null 2>&1 && break; sleep 0.1; done
munge -n </dev/null | unmunge >/dev/null || { echo "slurm-up: munge does not answer" >&2; exit 1; }

alive /run/slurmctld.pid slurmctld || slurmctld
alive /run/slurmd.pid    slurmd    || slurmd

# ---- 4. wait until idle ----------------------------------------------------------------
for i in $(seq 150); do
    state=$(sinfo -h -N -p short -o %T 2>/dev/null | head -1 || true)
    case "$state" in
        idle|mixed|allocated) echo "slurm-up: SLURM $ver, node $HOST is $state, $CPUS CPUs, $MEM MB"; exit 0 ;;
        down*|drain*) scontrol update NodeName="$HOST" State=RESUME 2>/dev/null || true ;;
    esac
    sleep 0.2
done
echo "slurm-up: node did not come up (state: ${state:-none})" >&2
tail -n 15 "$LOG"/slurmctld.log "$LOG"/slurmd.log >&2
exit 1
