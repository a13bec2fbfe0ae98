# Runs Node in a jail: in namespaces of its own, below a root that holds nothing but the program's files, read-only.
# $1 data memory in KB, $2 niceness, $3 arguments of setpriv for user and groups, $4 Node, $5 the program's files, a
# line each, then Node's arguments.
set -e
kilobytes=$1 nice=$2 ids=$3 node=$4 program=$5
shift 5
# A folder that every Linux has and nothing of ours lies in; covered for this process alone.
jail=/sys
mount -t tmpfs -o size=1m,mode=755,nosuid,nodev jail "$jail"
put() {
  [ -e "$1" ] || return 0
  if [ -L "$1" ]; then
    mkdir -p "$jail${1%/*}"
    ln -s "$(readlink "$1")" "$jail$1"
    return 0
  fi
  if [ -d "$1" ]; then mkdir -p "$jail$1"; else mkdir -p "$jail${1%/*}" && : >"$jail$1"; fi
  mount --bind "$1" "$jail$1"
  mount -o remount,bind,ro,nosuid "$jail$1"
}
setpriv=$(readlink -f "$(command -v setpriv)")
for each in /lib /lib64 /usr/lib /usr/lib64 /etc/ld.so.cache "$setpriv"; do put "$each"; done
case $node in */node_modules/*) ;; *) put "$node" ;; esac
IFS='
'
for each in $program; do put "$each"; done
unset IFS
chroot=$(command -v chroot)
cd "$jail"
mount -n --move . /
ulimit -c 0
ulimit -f 0
# All documents that one process reads, each to its deadline.
ulimit -t 4000
ulimit -d "$kilobytes"
# shellcheck disable=SC2086 # $ids are several arguments
exec nice -n "$nice" "$chroot" . "$setpriv" $ids --no-new-privs --bounding-set=-all --inh-caps=-all --pdeathsig KILL "$node" "$@"
