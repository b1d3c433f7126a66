#!/usr/bin/env bash
# Whole games by each bot with 2 to 6 seats, every one audited: ended, whole, same, folded,
# conserved, promised.    benchmarks/campaign.sh [games per bot] [seed]
set -euo pipefail
games=${1:-1000} seed=${2:-campaign}
phaseledger=${PHASELEDGER:-phaseledger}
for bot in greedy random; do
  for seats in 2 3 4 5 6; do
    begun=$SECONDS
    echo "$bot, $seats seats, $((games / 5)) games"
    $phaseledger simulate --ruleset classic --players "$seats" --bots "$bot" \
      --games "$((games / 5))" --seed "$seed $bot $seats" |
      $phaseledger audit - | awk '{ seen[$1 " " $4]++ } END { for (each in seen) print "  " each ": " seen[each] }'
    echo "  $((SECONDS - begun)) s"
  done
done
