#!/usr/bin/env bash
# Vigil without containers: the files that a package and `./vigil install` install. Sourced by ./vigil.
# As a script, for tests: package.sh files ROOT   writes all but the jar and the Java runtime with their options below ROOT
#                         package.sh install JAR ROOT   installs below ROOT
#                         package.sh package JAR FOLDER   makes the Debian package (JAVA_HOME set)

packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../packaging" && pwd)
repository=$(dirname "$packaging")
# As docker/Dockerfile links it.
runtime_modules=java.se,jdk.crypto.cryptoki,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs

# put MODE SOURCE TARGET
put() { install -D -m "$1" "$2" "$3"; }

stage_files() {
  put 644 "$packaging/vigil.service" "$1/usr/lib/systemd/system/vigil.service"
  put 644 "$packaging/vigil.sysusers" "$1/usr/lib/sysusers.d/vigil.conf"
  put 644 "$packaging/vigil.tmpfiles" "$1/usr/lib/tmpfiles.d/vigil.conf"
  put 644 "$packaging/60-vigil.rules" "$1/usr/lib/udev/rules.d/60-vigil.rules"
  # An upgrade keeps the settings.
  [ -e "$1/etc/vigil/application.yaml" ] || put 644 "$packaging/application.yaml" "$1/etc/vigil/application.yaml"
  put 755 "$packaging/vigil.sh" "$1/usr/bin/vigil"
  put 644 "$packaging/copyright" "$1/usr/share/doc/vigil/copyright"
  put 644 "$repository/NOTICE" "$1/usr/share/doc/vigil/NOTICE"
  # The guide and the documents that it links to, in the same folders as in the repository, so that links work.
  local page
  for page in "$repository"/{docs/guide/*.md,docs/*threats.md,docs/*-conformance.md,docs/examples/sleepy_endpoint.*} \
    "$repository"/{docs/{api-changes,cluster-faults,glossary,log-events,metrics,protocol,recipes}.md,{docker,packaging,packaging/kubernetes}/README.md,CHANGELOG.md}; do
    put 644 "$page" "$1/usr/share/doc/vigil/${page#"$repository"/}"
  done
}

stage() {
  local folder=$1/usr/lib/vigil
  stage_files "$1"
  put 644 "$2" "$folder/vigil-gateway.jar"
  rm -rf "$folder/runtime"
  "$JAVA_HOME/bin/jlink" --add-modules "$runtime_modules" --strip-java-debug-attributes --no-header-files \
    --no-man-pages --compress zip-6 --output "$folder/runtime"
  install -d "$1/usr/share/bash-completion/completions" "$1/usr/share/man/man1"
  "$JAVA_HOME/bin/java" -jar "$2" completion >"$1/usr/share/bash-completion/completions/vigil"
  "$JAVA_HOME/bin/java" -jar "$2" manual | gzip -9n >"$1/usr/share/man/man1/vigil.1.gz"
  stage_fast_start "$1" "$folder/runtime" "$folder/vigil-gateway.jar"
  chmod -R u+w,go-w,a+rX "$folder"
}

# stage_fast_start ROOT RUNTIME JAR The jar unpacked, with an AOT cache for this runtime, and java.options that use it.
# Without a cache the options start the jar, and a message gives the reason. The cache also fits the same files below
# another root.
stage_fast_start() {
  local script=$repository/gateway/launcher/java.sh
  ln -s "$JAVA_HOME/bin/jar" "$2/bin/jar"
  JAVA_HOME=$2 bash "$script" prepare "$3" >&2 || echo 'no AOT cache: this gateway starts some seconds slower' >&2
  rm "$2/bin/jar"
  {
    echo -XX:-UsePerfData
    JAVA_HOME=$2 bash "$script" command "$3" | tail -n +2 | sed "s|$1/usr/lib/vigil|/usr/lib/vigil|"
  } >"$(dirname "$3")/java.options"
  if grep -q AOTCache "$(dirname "$3")/java.options"; then rm "$3"; fi
}

# The version in a jar as Debian writes it: 0.1.0+248.
debian_version() {
  "$JAVA_HOME/bin/java" -jar "$1" --version | sed -E 's/^Vigil ([0-9.]+)[^,]*, build (([0-9]+)-.*|.*)$/\1+\3/; s/\+$//'
}

# package_debian JAR FOLDER   writes vigil_VERSION_ARCHITECTURE.deb into FOLDER and prints its path
package_debian() {
  local root version architecture file maintainer="${DEBFULLNAME:-Vigil} <${DEBEMAIL:-vigil@localhost.localdomain}>"
  root=$(mktemp -d "$2/package.XXXXXX")
  chmod 755 "$root"
  version=$(debian_version "$1") architecture=$(dpkg --print-architecture)
  file=$2/vigil_${version}_$architecture.deb
  stage "$root" "$1"
  put 644 "$packaging/lintian-overrides" "$root/usr/share/lintian/overrides/vigil"
  printf 'vigil (%s) unstable; urgency=medium\n\n  * See the history of the repository.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -R -r "$1")" | gzip -9n >"$root/usr/share/doc/vigil/changelog.gz"
  mkdir "$root/DEBIAN"
  local script
  for script in postinst prerm postrm; do put 755 "$packaging/$script" "$root/DEBIAN/$script"; done
  echo /etc/vigil/application.yaml >"$root/DEBIAN/conffiles"
  cat >"$root/DEBIAN/control" <<TEXT
Package: vigil
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: libc6 (>= 2.28), systemd (>= 247)
Section: net
Priority: optional
Description: gateway that stays awake for sleeping sensors
 Mirror proxy, resource directory (RFC 9176) and 6LoWPAN border router for sleepy
 sensors that sign their readings. Carries its own Java runtime.
TEXT
  (cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  chmod 644 "$root"/DEBIAN/{md5sums,control,conffiles}
  dpkg-deb --root-owner-group -Zxz -z3 --build "$root" "$file" >/dev/null
  rm -rf "$root"
  printf '%s\n' "$file"
}

# install_files JAR ROOT   ROOT is empty on this machine
install_files() {
  if [ -z "$2" ] && dpkg-query -W -f '${Status}' vigil 2>/dev/null | grep -q 'ok installed'; then
    echo 'vigil is installed here as a Debian package: use it, or remove it first' >&2
    return 1
  fi
  stage "$2" "$1"
  [ -n "$2" ] || sh "$packaging/postinst" configure
}

# The settings and the data folder stay.
uninstall_files() {
  [ -n "$1" ] || sh "$packaging/prerm" remove
  rm -rf "$1/usr/lib/vigil" "$1/usr/share/doc/vigil"
  rm -f "$1/usr/bin/vigil" "$1/usr/lib/systemd/system/vigil.service" "$1/usr/lib/sysusers.d/vigil.conf" \
    "$1/usr/lib/tmpfiles.d/vigil.conf" "$1/usr/lib/udev/rules.d/60-vigil.rules" \
    "$1/usr/share/bash-completion/completions/vigil" "$1/usr/share/man/man1/vigil.1.gz"
  [ -n "$1" ] || sh "$packaging/postrm" remove
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  case $1 in
    files) stage_files "$2" ;;
    stage) stage "$2" "$3" ;;
    install) install_files "$2" "$3" ;;
    package) package_debian "$2" "$3" ;;
    uninstall) uninstall_files "$2" ;;
  esac
fi
