# A release: version, tag, jar, Debian package, clients, images, bills of materials, checksums and their signature. Sourced by ./vigil,
# after package.sh.

release_help() {
  cat <<'TEXT'
./vigil release VERSION --key FILE [--images]
  Builds a release in target/release/VERSION and tags it here as vVERSION. The repository does not change until all is built.

  VERSION      1.2.3 or 1.2.3-rc.1; CHANGELOG.md must have a section "## [VERSION] - YYYY-MM-DD"
  --key FILE   an SSH private key, which signs the checksums (ssh-keygen -Y sign, namespace vigil-release)
  --images     also the container images, with docker or podman

It clones the last commit twice, builds both, and refuses the release if the two jars differ. The commit after the tag
begins the next version. To publish: push the branch and the tag, and upload the folder.
TEXT
}

release() {
  local version= key= images=0 date before next folder source parts
  while [ $# -gt 0 ]; do
    case $1 in
      --key) [ -n "${2:-}" ] || die '--key takes a file'; key=$(realpath -m -- "$2"); shift 2 ;;
      --images) images=1; shift ;;
      -*) die "release has no option '$1'" ;;
      *) [ -z "$version" ] || die "release takes one version, not also '$1'"; version=$1; shift ;;
    esac
  done
  [[ $version =~ ^([0-9]+)\.([0-9]+)\.([0-9]+)(-rc\.[0-9]+)?$ ]] || die "release takes a version such as 1.2.3 or 1.2.3-rc.1, not '$version'"
  parts=("${BASH_REMATCH[@]}")
  cd "$here"
  [ -z "$(git status --porcelain)" ] || die 'there are uncommitted changes: commit them, or put them aside with git stash'
  ! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || die "the tag v$version already exists"
  date=$(sed -nE "s/^## \[${version//./\\.}\] - ([0-9]{4}-[0-9]{2}-[0-9]{2})$/\1/p" CHANGELOG.md)
  [ -n "$date" ] || die "CHANGELOG.md has no line '## [$version] - YYYY-MM-DD'"
  [ -n "$key" ] || die 'the checksums need a signature: --key FILE (ssh-keygen -t ed25519 creates a key)'
  [ -r "$key" ] || die "the key $key cannot be read"
  ssh-keygen -q -Y sign -f "$key" -n vigil-release <<<test >/dev/null || die "the key $key does not sign: it must be an SSH private key"
  before=$(project_version)
  # After a release candidate the version stays.
  if [ -n "${parts[4]}" ]; then next=$before; else next=${parts[1]}.$((parts[2] + 1)).0-SNAPSHOT; fi

  use_jdk
  # The number is that of the tag.
  unset VIGIL_BUILD_NUMBER
  folder=$here/target/release/$version source=$here/target/release/source
  rm -rf "$folder" "$source"
  mkdir -p "$folder" "$source"
  # The variables of this function are gone when the trap runs.
  trap "rm -rf $(printf %q "$source")" EXIT
  git clone -q --no-hardlinks "$here" "$source/one"
  (cd "$source/one" && set_version "$before" "$version" "$date" && git commit -qam "Release $version")
  git clone -q --no-hardlinks "$source/one" "$source/two"
  local tree
  for tree in one two; do
    say "building $version ($tree of two)"
    release_build "$source/$tree" >"$here/target/release/build.log" 2>&1 ||
      { tail -n 40 "$here/target/release/build.log" >&2; die "$version does not build (target/release/build.log)"; }
  done
  cmp "$source"/{one,two}/gateway/target/vigil-gateway.jar >&2 || die 'two builds of the same commit differ: the release is not reproducible'

  cp "$source/one/gateway/target/vigil-gateway.jar" "$folder/vigil-gateway-$version.jar"
  release_bills "$source/one" "$folder"
  git -C "$source/one" archive --prefix="vigil-$version/" HEAD | gzip -9n >"$folder/vigil-$version.tar.gz"
  say 'building the Debian package'
  bash "$source/one/gateway/launcher/package.sh" package "$source/one/gateway/target/vigil-gateway.jar" "$folder" >/dev/null
  say 'building the clients'
  for tree in one two; do release_clients "$source/$tree" "$source/clients-$tree" || die 'the clients do not build'; done
  diff -r "$source"/clients-{one,two} >&2 || die 'two builds of the clients differ: the release is not reproducible'
  cp "$source"/clients-one/* "$folder"
  [ "$images" = 0 ] || release_images "$source/one" "$folder" "$version"
  (cd "$folder" && sha256sum -- * >SHA256SUMS && ssh-keygen -q -Y sign -f "$key" -n vigil-release SHA256SUMS)

  (cd "$source/one" && git tag -a "v$version" -m "Vigil $version" && set_version "$version" "$next" "$date" && git commit -qam "Begin $next")
  git fetch -q --no-tags "$source/one" HEAD
  # Before the tag: it fails if the branch has moved.
  git merge -q --ff-only FETCH_HEAD
  git fetch -q "$source/one" "refs/tags/v$version:refs/tags/v$version"
  say "released $version: $folder"
  say "To publish it: git push origin HEAD v$version, and upload the folder."
}

project_version() { sed -n '0,/<version>/s|.*<version>\(.*\)</version>.*|\1|p' "$here/pom.xml"; }

# set_version FROM TO DATE   In each pom, the clients, the page, our bills of materials and the images' labels; the date
# becomes that of every entry of the jar.
set_version() {
  local module
  git ls-files '*pom.xml' | xargs sed -i "s|<version>$1</version>|<version>$2</version>|"
  sed -i "s|^version = .*|version = \"${2/-SNAPSHOT/.dev0}\"|" libraries/client-python/pyproject.toml
  for module in libraries/client-js gateway/web-ui; do
    (cd "$module" && npm version "$2" --no-git-tag-version --silent >/dev/null) || return
  done
  # The first version in quotes is that of our component.
  sed -i "0,/\"version\": \"[^\"]*\"/s//\"version\": \"$2\"/" {mote-firmware,libraries/signed-objects/native}/bom.cdx.json
  sed -i "s|image.version=\"$1\"|image.version=\"$2\"|" docker/Dockerfile
  sed -i "s|<project.build.outputTimestamp>.*<|<project.build.outputTimestamp>$3T00:00:00Z<|" pom.xml
}

release_build() {
  (cd "$1" && ./mvnw -q -B -ntp package org.cyclonedx:cyclonedx-maven-plugin:makeBom -DskipTests -pl gateway/app -am)
}

# Bills of materials (CycloneDX) of the jar, the page and the motes, and the licences they name.
release_bills() {
  cp "$1/gateway/target/bom.json" "$2/gateway.cdx.json"
  (cd "$1/gateway/web-ui" && npm sbom --omit=dev --sbom-format=cyclonedx) >"$2/page.cdx.json"
  cp "$1/mote-firmware/bom.cdx.json" "$2/mote.cdx.json"
  cp "$1/libraries/signed-objects/native/bom.cdx.json" "$2/batch-verifier.cdx.json"
  (cd "$2" && node "$1/docker/licences.mjs" ./*.cdx.json >licences.txt)
}

# The wheel and the package for npm; the dates of their entries are fixed.
release_clients() {
  mkdir -p "$2" && python3 -m venv "$1/target/venv" &&
    "$1/target/venv/bin/pip" wheel -q --disable-pip-version-check --no-deps -w "$2" "$1/libraries/client-python" &&
    (cd "$1/libraries/client-js" && npm ci --no-audit --loglevel=error && npm pack --silent --pack-destination "$2" >/dev/null)
}

release_images() {
  local engine target number
  engine=$(command -v docker || command -v podman) || die 'images need docker or podman'
  number=$("$1/gateway/launcher/build-info.sh" number)
  for target in gateway prepare mote; do
    say "building the image vigil-$target"
    "$engine" build -q -f "$1/docker/Dockerfile" --target "$target" --build-arg "VIGIL_BUILD_NUMBER=$number" \
      -t "vigil-$target:$3" "$1" >/dev/null
    "$engine" save "vigil-$target:$3" | gzip -9n >"$2/vigil-$target-$3-$(uname -m).tar.gz"
  done
}
