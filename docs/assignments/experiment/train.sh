#!/usr/bin/env bash
# Trains the four lanes with ten seeds each, into runs/LANE-SEED of this folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
hgpo=${HGPO_BIN:-hgpo}
command -v "$hgpo" >/dev/null || { echo "error: there is no program $hgpo: name it in HGPO_BIN" >&2 && exit 1; }

# lane NAME SETTING...
lane() {
  local name=$1 seed
  shift
  for seed in 1 2 3 4 5 6 7 8 9 10; do
    [ ! -e "runs/$name-$seed/summary.json" ] || continue
    "$hgpo" train --preset gridworld --device cpu --seed "$seed" --name "$name-$seed" \
      --set environment.gridworld.world=switchback --set environment.gridworld.slip=0.2 \
      --set checkpoint.every=200 "$@" >/dev/null
    echo "$name-$seed"
  done
}

lane grpo --set estimator=grpo
lane gigpo --set estimator=gigpo
lane hgpo0 --set estimator=hgpo --set estimator.context_length=0
lane hgpo --set estimator=hgpo --set estimator.context_length=2
