#!/bin/sh
# Downloads Mbed TLS's source from Debian's archive through apt, with separate package lists: the
# release after this machine's has version 3.6, with the Connection ID of RFC 9146. Usage:
# mbedtls.sh FOLDER; leaves FOLDER/source. No root needed.
set -eu
suite=trixie
version=3.6.6
sha256=8fb65fae8dcae5840f793c0a334860a411f884cc537ea290ce1c52bb64ca007a
mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
cd "$1"
at=$(pwd)
# The Debian mirror that this machine uses.
here=$(. /etc/os-release && echo "${VERSION_CODENAME:?this is not a Debian release}")
site=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 'Component: main' |
    awk -v suite="$here" '$2 == suite { print $1; exit }')
key=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$key" ] && by="[signed-by=$key] " || by=
echo "deb-src $by${site:?no archive of $here is configured for apt} $suite main" >sources.list
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$at/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$at/lists" -o Dir::Cache="$at/cache" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}
apt update
rm -rf ./*.orig.tar.* source source.new
apt source --download-only mbedtls
archive=mbedtls_$version.orig.tar.bz2
[ -f "$archive" ] || {
    echo "Debian $suite has$(ls mbedtls_*.dsc | sed 's/mbedtls_/ /; s/.dsc$//') and no longer $version: change version and sha256 in dtls/mbedtls.sh"
    exit 1
}
echo "$sha256  $archive" | sha256sum -c - || {
    echo "$archive is not the source that dtls/mbedtls.sh names: do not use it"
    exit 1
}
mkdir source.new
tar -xf "$archive" -C source.new --strip-components=1 --wildcards "*/include" "*/library" "*/LICENSE"
ls mbedtls_*.dsc >source.new/debian-version
rm -rf lists cache
mv source.new source
