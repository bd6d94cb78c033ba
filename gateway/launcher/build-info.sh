#!/bin/sh
# Prints version and number of a build as properties; the build puts them into the jar.
#   build-info.sh VERSION
#   build-info.sh number      prints only the number
# The number is the count of commits and the commit id, with a plus for uncommitted changes. VIGIL_BUILD_NUMBER sets it
# where there is no git, such as in an image.
cd "$(dirname "$0")" || exit
number=${VIGIL_BUILD_NUMBER:-}
if [ -z "$number" ] && commit=$(git rev-parse --short=9 HEAD 2>/dev/null); then
  number=$(git rev-list --count HEAD)-$commit
  git diff --quiet HEAD 2>/dev/null || number=$number+
fi
[ "$1" = number ] && { echo "${number:-unknown}"; exit; }
printf 'build.version=%s\nbuild.number=%s\n' "$1" "${number:-unknown}"
