#!/bin/sh
# Renders every lab, and for every cluster what Flux or Argo CD needs to apply its labs.
# With --check it writes nothing, and exits with 1 if anything is out of date.
set -eu
cd "$(dirname "$0")"
check=${1:-}
repository=https://git.example.com/net/labs.git
result=0

for lab in labs/*/; do
  # shellcheck disable=SC2086 # no flag at all without --check
  kubectl c9s split -f "${lab}lab.clab.yml" --no-env --create-namespace --flux-no-substitute --argo-sync-waves \
    --output-dir "${lab}rendered" --prune $check || result=1
done

made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
for cluster in clusters/*/; do
  for tool in flux argocd; do
    [ -d "$cluster$tool" ] || continue
    mkdir -p "$made/$cluster$tool"
    while read -r lab; do
      set -- --path "labs/$lab/rendered"
      [ "$tool" = flux ] || set -- "$@" --repo "$repository" --name "$lab" -n "c9s-$lab" --prune
      kubectl c9s gitops "$tool" "$@" > "$made/$cluster$tool/$lab.yaml"
    done < "${cluster}labs"
    if [ -n "$check" ]; then
      diff -ru "$cluster$tool" "$made/$cluster$tool" || result=1
    else
      rm -f "$cluster$tool"/*.yaml
      cp "$made/$cluster$tool"/*.yaml "$cluster$tool"
    fi
  done
done
exit "$result"
