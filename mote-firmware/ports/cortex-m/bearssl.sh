#!/bin/sh
# Downloads BearSSL's source from Debian's archive through apt, with separate package lists; needs no root.
# Usage: bearssl.sh FOLDER; leaves FOLDER/source.
set -eu
mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
cd "$1"
at=$(pwd)
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:?this is not a Debian release}")
# The Debian mirror that this machine uses for the suite.
site=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 'Component: main' |
    awk -v suite="$suite" '$2 == suite { print $1; exit }')
key=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$key" ] && by="[signed-by=$key] " || by=
echo "deb-src $by${site:?no archive of $suite is configured for apt} $suite main" >sources.list
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$at/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$at/lists" -o Dir::Cache="$at/cache" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}
apt update
rm -rf ./*.orig.tar.* source source.new
apt source --download-only bearssl
mkdir source.new
tar -xf ./bearssl_*.orig.tar.* -C source.new --strip-components=1
ls bearssl_*.dsc >source.new/debian-version
rm -rf lists cache
mv source.new source
