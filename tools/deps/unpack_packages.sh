#!/usr/bin/env bash
# Debian's packages, and what they need, in a folder of a user who cannot install them. tools/bazel starts this:
#
#   tools/deps/unpack_packages.sh FOLDER PACKAGE...
#
# apt-get fetches the packages from this machine's own servers and verifies them by this machine's own keys. FOLDER/usr is then a
# prefix for ASSAY_PREFIX (system.bzl). No script of a package runs: the end of this file does what the build needs of it.
set -euo pipefail
folder=$1; shift
say() { printf 'tools/bazel: %s\n' "$*" >&2; }

mkdir -p "${folder%/*}"
found() { stat -c %i "$folder" 2>/dev/null || true; }
before=$(found)
exec 9<"${folder%/*}"
flock 9
[ "$(found)" = "$before" ] || exit 0 # meanwhile another command has made it
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/lists/partial "$work"/archives/partial "$work/root"
log=$work/log
fetch() { LC_ALL=C apt-get -o Dir::State::Lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work" -o Debug::NoLocking=1 "$@"; }
failed() { tail -n 15 "$log" >&2; say "$* failed (above)"; exit 2; }

# Debian's Bazel depends on a JDK (72 MB) and on tools that build packages, and needs only a JRE.
cp /var/lib/dpkg/status "$work/status"
for package in default-jdk-headless build-essential; do
  printf '\nPackage: %s\nStatus: install ok installed\nMaintainer: none\nArchitecture: %s\nVersion: 9:9\nDescription: not needed\n' "$package" "$(dpkg --print-architecture)"
done >>"$work/status"
case " $* " in *' bazel-bootstrap '*) set -- "$@" default-jre-headless ;; esac
set -- "$@" patchelf

say "fetching Debian's lists of packages"
fetch -qq update </dev/null >"$log" 2>&1 || failed "apt-get update"
size=$(fetch install --assume-no --no-install-recommends "$@" 2>/dev/null | sed -nE 's/^Need to get (.*) of archives.*/\1 to fetch/p; s/^After this operation, (.*) of additional.*/\1 unpacked/p' | paste -sd, | sed 's/,/, /') || true
say "unpacking them and what they need into $folder${size:+, $size}"
fetch -qq install -y --download-only --no-install-recommends "$@" </dev/null >>"$log" 2>&1 || failed "apt-get install --download-only"
root=$work/root
for package in "$work"/archives/*.deb; do dpkg-deb -x "$package" "$root" 2>"$log" || failed "dpkg-deb -x ${package##*/}"; done
rm -rf "$root"/usr/share/{doc,fonts,locale,man}

# A link may mean a file of a package that is installed, or by an absolute path one that is unpacked here.
find "$root" -xtype l | while read -r link; do
  place=${link#"$root"} target=$(readlink "$link")
  case $target in /*) ;; *) target=${place%/*}/$target ;; esac
  if [ -e "$root$target" ] || [ -L "$root$target" ]; then
    ln -sfn "$folder$target" "$link"
  elif [ -e "$target" ]; then
    ln -sfn "$target" "$link"
  fi
done

# The libraries of these programs are here. LD_LIBRARY_PATH would also be that of each program that Bazel starts.
machine=$(uname -m)-linux-gnu
for program in "$root"/usr/bin/protoc "$root"/usr/bin/bazel-* "$root"/usr/libexec/*/bazel/*; do
  [ -f "$program" ] || continue
  PATH=$PATH:$root/usr/bin patchelf --force-rpath --set-rpath "$folder/usr/lib/$machine:$folder/lib/$machine" "$program" 2>"$log" || failed "patchelf ${program##*/}"
done

rc=$root/etc/bazel/bazelrc # Debian's own, which names what belongs to its Bazel; tools/bazel hands it over
if [ -e "$rc" ]; then
  java=$folder/usr/lib/jvm/default-java
  [ -L "$root/usr/lib/jvm/default-java" ] || { java=$(readlink -f "$(command -v java)"); java=${java%/bin/java}; }
  sed -i "s|/usr/|$folder/usr/|g" "$rc"
  echo "startup --server_javabase=$java" >>"$rc"
fi

# Java's list of certificates, which a script of its package makes of this machine's: Bazel's downloads need it.
if [ -d "$root/usr/lib/jvm" ] && [ ! -e /etc/ssl/certs/java/cacerts ]; then
  mkdir -p "$root/etc/ssl/certs/java"
  python3 - /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/java/cacerts" <<'PY'
import hashlib, re, ssl, struct, sys
with open(sys.argv[1]) as file:
    certificates = re.findall("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", file.read(), re.DOTALL)
store = struct.pack(">III", 0xFEEDFEED, 2, len(certificates))  # format JKS, version 2
for number, text in enumerate(certificates):
    name, der = b"%d" % number, ssl.PEM_cert_to_DER_cert(text)
    store += struct.pack(">IH", 2, len(name)) + name + struct.pack(">qH", 0, 5) + b"X.509" + struct.pack(">I", len(der)) + der
with open(sys.argv[2], "wb") as file:
    file.write(store + hashlib.sha1("changeit".encode("utf-16-be") + b"Mighty Aphrodite" + store).digest())
PY
  find "$root"/usr/lib/jvm/*/lib/security/cacerts -type l -exec ln -sfn "$folder/etc/ssl/certs/java/cacerts" {} \; 2>/dev/null || true
fi

[ ! -e "$folder" ] || mv -T "$folder" "$work/old"
mv -T "$root" "$folder"
say "unpacked; the build uses them from there"
