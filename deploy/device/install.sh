#!/bin/sh
# Installs the Wayside client on this computer, from a server of Wayside. Nothing is installed unless the release key
# has signed it: read that key where you trust it, which is the page Install of the console, or npm run release.
set -eu

USAGE='usage: install.sh --server URL --key KEY [--config FILE | --claim-key KEY] [--allow-network NETWORK] [--root DIR]
  --server     the address of the console; without a configuration the device asks there to be claimed
  --key        the public release key, 44 characters
  --config     the configuration that the console hands out for this device
  --claim-key  lets the device wait to be accepted, without a code
  --allow-network  lets the console choose addresses in this network for drivers, once the device is claimed
  --root       writes into an image that is mounted there, and starts nothing'

die() { echo "Not installed: $*" >&2; exit 1; }

server= key= config= claim_key= networks= root=
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || die "$1 needs a value.
$USAGE"
  case $1 in
    --server) server=${2%/} ;;
    --key) key=$2 ;;
    --config) config=$2 ;;
    --claim-key) claim_key=$2 ;;
    --allow-network) networks=$networks${networks:+,}$2 ;;
    --root) root=${2%/} ;;
    *) die "$1 is not known.
$USAGE" ;;
  esac
  shift 2
done
[ -n "$server" ] && [ -n "$key" ] || die "--server and --key are needed.
$USAGE"
case $key in
  *[!A-Za-z0-9+/=]*) die 'The release key has a character that no key has.' ;;
esac
case $server$claim_key in
  *[!A-Za-z0-9:/._~%@\[\]-]*) die 'The address or the claim key has a character that none has.' ;;
esac
case $networks in
  *[!0-9a-fA-F:./,]*) die 'A network looks like 192.168.1.0/24.' ;;
esac
[ ${#key} -eq 44 ] || die 'The release key has 44 characters; this one has not.'
[ -z "$config" ] || [ -r "$config" ] || die "$config cannot be read."
[ -z "$root" ] || [ -d "$root" ] || die "$root is no folder."
[ "$(uname -s)" = Linux ] || die 'The client runs on Linux.'
[ -n "$root" ] || [ "$(id -u)" = 0 ] || die 'This needs root: run it with sudo.'

case ${WAYSIDE_ARCHITECTURE:-$(uname -m)} in
  x86_64 | amd64) architecture=amd64 ;;
  aarch64 | arm64) architecture=arm64 ;;
  *) die "There is no package for a $(uname -m) processor, only for x86_64 and aarch64." ;;
esac

for program in openssl sha256sum tar; do
  command -v $program >/dev/null || die "The program $program is missing. On Debian: apt-get install openssl coreutils tar"
done
[ -n "$root" ] || [ -d /run/systemd/system ] || [ "${WAYSIDE_WITHOUT_SYSTEMD:-}" = yes ] ||
  die 'The client runs as a service of systemd, which does not run here.'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

if command -v curl >/dev/null; then
  fetch() { curl -fsS --retry 3 --connect-timeout 20 -o "$work/$1" "$server/install/$1"; }
elif command -v wget >/dev/null; then
  fetch() { wget -q --tries=3 --timeout=60 -O "$work/$1" "$server/install/$1"; }
else
  die 'Neither curl nor wget is here. On Debian: apt-get install curl'
fi

fetch SHA256SUMS && fetch SHA256SUMS.sig || die "$server offers no packages. See the page Install of the console."

# An Ed25519 public key in PEM is these sixteen characters before the key itself.
{
  echo '-----BEGIN PUBLIC KEY-----'
  echo "MCowBQYDK2VwAyEA$key"
  echo '-----END PUBLIC KEY-----'
} >"$work/key.pem"
openssl base64 -d -A -in "$work/SHA256SUMS.sig" -out "$work/signature"
openssl pkey -pubin -in "$work/key.pem" -noout 2>/dev/null || die 'The release key is none.'
openssl pkeyutl -help 2>&1 | grep -q -- -rawin || die 'This openssl is too old to check the signature; version 3 is needed.'
openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$work/SHA256SUMS" -sigfile "$work/signature" \
  >/dev/null 2>&1 || die "What $server offers was not signed with this release key."

form=tar.xz
[ -z "$root" ] && command -v dpkg >/dev/null && form=deb
file=$(sed -n "s/^[0-9a-f]\{64\}  \(wayside-client_[0-9.]*_$architecture\.$form\)\$/\1/p" "$work/SHA256SUMS" | head -n 1)
[ -n "$file" ] || die "$server has no package ($form) for $architecture."
version=${file#wayside-client_}
version=${version%%_*}
present=$(cat "$root/usr/lib/wayside-client/version" 2>/dev/null || true)
if [ -n "$present" ] && [ "$present" != "$version" ] &&
  [ "$(printf '%s\n%s\n' "$present" "$version" | sort -V | tail -n 1)" = "$present" ]; then
  die "Version $present is installed, which is newer than $version. Remove it first."
fi

echo "Fetching $file"
fetch "$file" || die "$file could not be downloaded from $server."
(cd "$work" && grep -F "  $file" SHA256SUMS | sha256sum -c --status -) ||
  die "$file is damaged: its SHA-256 is not the one that was signed."

if [ $form = deb ]; then
  if command -v apt-get >/dev/null; then
    chmod 755 "$work"
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$work/$file" >"$work/log" 2>&1 ||
      { cat "$work/log" >&2; die "apt-get refused $file."; }
  else
    dpkg -i "$work/$file" || die "dpkg refused $file."
  fi
else
  mkdir "$work/files"
  tar -x -J -f "$work/$file" -C "$work/files" || die "$file cannot be unpacked; tar needs the program xz."
  if [ "$architecture" = "$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')" ]; then
    "$work/files/usr/lib/wayside-client/node" --version >/dev/null || die 'Its Node.js does not run on this computer.'
  fi
  # Options that somebody has set stay.
  [ ! -e "$root/etc/default/wayside-client" ] || rm "$work/files/etc/default/wayside-client"
  tar -c -C "$work/files" . | tar -x --no-same-owner --no-overwrite-dir -C "$root/"
  if [ -z "$root" ]; then
    /usr/lib/wayside-client/setup "$present"
  else
    mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
    ln -sf /usr/lib/systemd/system/wayside-client.service "$root/etc/systemd/system/multi-user.target.wants/"
  fi
fi

options=$root/etc/default/wayside-client
set_option() {
  grep -v "^$1=" "$options" >"$work/options" || true
  echo "$1=$2" >>"$work/options"
  cat "$work/options" >"$options"
}
set_option WAYSIDE_SERVER "$server"
if [ -n "$claim_key" ]; then
  chmod 600 "$options"
  set_option WAYSIDE_CLAIM_KEY "$claim_key"
fi
[ -z "$networks" ] || set_option WAYSIDE_ALLOWED_NETWORKS "$networks"
if [ -n "$config" ]; then
  # systemd gives a new folder and what is in it to the user of the client.
  folder=$root/var/lib/wayside-client
  mkdir -p -m 700 "$folder"
  (umask 077 && cat "$config" >"$folder/device.json")
  [ "$(id -u)" != 0 ] || chown --reference="$folder" "$folder/device.json"
fi
since=$(date '+%Y-%m-%d %H:%M:%S')
[ -n "$root" ] || [ ! -d /run/systemd/system ] || systemctl restart wayside-client.service

echo "Wayside client $version is installed${root:+ in $root}."
[ -n "$root" ] && exit
echo 'What it does: journalctl --namespace=wayside-client -f'
[ -d /run/systemd/system ] && [ ! -e /var/lib/wayside-client/device.json ] || exit 0
said=
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  said=$(journalctl --namespace=wayside-client --since "$since" -o cat --no-pager 2>/dev/null |
    sed 's/^[^ ]*Z //' | sed -n '/^Claim this device/,$p; /^Waiting to/p; /^No connection/p; /^The server refused/p')
  [ -z "$said" ] || break
  sleep 1
done
echo "$said"
