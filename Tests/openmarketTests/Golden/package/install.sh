# Installs the package into a root that has its dependencies and nothing else, runs a session there, removes it.
root=$FOLDER/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/tmp" "$root/root" "$root/dev" "$root/proc"
: >"$root/var/lib/dpkg/status"
: >"$root/dev/null"

# The files of the packages that it depends on, and of those that they depend on.
needs() { dpkg-query -W -f='${Depends}\n' "$1" | tr ',' '\n' | sed 's/[(|:].*//; s/ //g' | grep . || true; }
direct=$(dpkg-deb -f "$PACKAGE" Depends | tr ',' '\n' | sed 's/(.*//; s/ //g')
echo "depends on" $direct
all=$direct
while :; do
  more=$(for name in $all; do echo "$name"; needs "$name"; done | sort -u)
  [ "$more" = "$all" ] && break
  all=$more
done
for name in $all; do
  dpkg -L "$name" | while read -r file; do
    if [ -f "$file" ] && [ ! -e "$root$file" ]; then
      mkdir -p "$root$(dirname "$file")"
      cp -a "$file" "$root$file"
    fi
  done
done
# A merged /usr, as Debian has it.
for name in bin lib lib64 sbin; do
  if [ -d "$root/$name" ]; then mkdir -p "$root/usr/$name"; cp -a "$root/$name/." "$root/usr/$name/"; rm -r "$root/$name"; fi
  mkdir -p "$root/usr/$name"; ln -s "usr/$name" "$root/$name"
done
before=$(cd "$root" && find . -path ./var/lib/dpkg -prune -o -print | sort)

dpkg --root="$root" --force-depends --force-script-chrootless --log=/dev/null -i "$PACKAGE" >/dev/null 2>&1
echo "installed:"
(cd "$root" && dpkg --root="$root" -L openmarket | grep -v '/share/doc' | while read -r file; do [ -f ".$file" ] && echo "$file"; done || true)

# Swift reads its arguments from /proc; the mount is gone with the command.
inside() { unshare -m sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" /usr/bin/openmarket "$@"' "$root" "$@"; }
inside --version | head -1
inside --home /root/home -c 'ls size 2 columns id,name' 2>&1
inside --home /root/home -c 'patch 138 price-=10% round 100 yes' 2>&1 >/dev/null
inside --home /root/home -c 'undo yes' 2>&1 >/dev/null
inside --home /root/home -c 'show 138 price as csv' 2>&1
zcat "$root/usr/share/man/man1/openmarket.1.gz" "$root/usr/share/man/man7/openmarket-language.7.gz" | grep '^.TH'
bash -n "$root/usr/share/bash-completion/completions/openmarket"

# Sizes and start times are told beside what is compared: the median of 20 whole programs, chroot's own time with them.
median() {
  unshare -m bash -eu -c 'root=$1; shift; mount -t proc proc "$root/proc"
    for run in {0..20}; do
      start=${EPOCHREALTIME/./}
      chroot "$root" /usr/bin/openmarket "$@" >/dev/null 2>&1
      echo "$run $((${EPOCHREALTIME/./} - start))"
    done' bash "$root" "$@" | awk '$1 > 0 { print $2 }' | sort -n | awk '{ t[NR] = $1 } END { printf "%.1f ms", (t[10] + t[11]) / 2000 }'
}
{
  stat -c 'package %s bytes' "$PACKAGE"
  stat -c 'program %s bytes' "$root/usr/bin/openmarket"
  echo "openmarket --version $(median --version)"
  echo "openmarket -c ls $(median --home /root/home -c ls)"
} >"$FOLDER/figures"

dpkg --root="$root" --force-script-chrootless --log=/dev/null --purge openmarket >/dev/null 2>&1
after=$(cd "$root" && find . -path ./var/lib/dpkg -prune -o -path ./root/home -prune -o -print | sort)
left=$(comm -13 <(echo "$before") <(echo "$after"))
if [ -z "$left" ]; then echo "removed; what it kept is under --home"; else echo "left behind:" $left; fi
