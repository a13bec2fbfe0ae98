# Runs Node in a jail: in namespaces of its own, below a root that holds nothing but the program's files, read-only.
# $1 data memory in KB, $2 niceness, $3 arguments of setpriv for user and groups, $4 Node, $5 the program's files, a
# line each, then Node's arguments. Stays as the first process of the namespace, out of the reader's reach: when it
# dies, and it dies with the server, everything in the jail dies.
set -e
kilobytes=$1 nice=$2 ids=$3 node=$4 program=$5
shift 5
# In a namespace of its own user: none further, in which a reader would be root again.
if [ "$ids" = --keep-groups ]; then
  for each in user mnt net pid ipc uts; do
    echo 0 2>/dev/null >"/proc/sys/user/max_${each}_namespaces" || :
  done
fi
setpriv=$(readlink -f "$(command -v setpriv)")
chroot=$(command -v chroot)
# Before the folder below is covered: Node, what drops the rights, and the libraries that they are linked to.
files="$node
$setpriv
$(ldd "$node" "$setpriv" | tr -s ' \t' '\n\n' | grep '^/[^:]*$' | sort -u)"
# A folder that every Linux has and nothing of ours lies in; covered for this process alone.
jail=/sys
mount -t tmpfs -o size=1m,mode=755,nosuid,nodev jail "$jail"
put() {
  [ -e "$1" ] || return 0
  if [ -d "$1" ]; then mkdir -p "$jail$1"; else mkdir -p "$jail${1%/*}" && : >"$jail$1"; fi
  mount --bind "$1" "$jail$1"
  mount -o remount,bind,ro,nosuid "$jail$1"
}
IFS='
'
for each in $program $files; do
  # Node lies within the program's files, or elsewhere.
  [ -e "$jail$each" ] || put "$each"
done
unset IFS
cd "$jail"
mount -n --move . /
ulimit -c 0
ulimit -f 0
# All documents that one process reads, each to its deadline.
ulimit -t 4000
ulimit -d "$kilobytes"
limited=
# Threads count too. Where the user is the server's own, those of everything that it runs might be counted with them.
[ "$ids" = --keep-groups ] || limited=96
{
  [ -z "$limited" ] || ulimit -p "$limited" 2>/dev/null || ulimit -u "$limited"
  # shellcheck disable=SC2086 # $ids are several arguments
  exec nice -n "$nice" "$chroot" . "$setpriv" $ids --no-new-privs --bounding-set=-all --inh-caps=-all "$node" "$@"
} &
reader=$!
exec 3>&-
wait "$reader"
