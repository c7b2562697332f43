#!/usr/bin/env bash
# Checks a service as one step of a pipeline, whichever runs it: starts it, waits for it, has
# Plimsoll verify, load, compare or search it, keeps a baseline, and says what came of it. All it
# is told is in the environment; ci/README.md has the names.
set -uo pipefail

USE=${USE:-} URL=${URL:-} START=${START:-} BASE_URL=${BASE_URL:-} BASE_START=${BASE_START:-}
TARGET=${TARGET:-} SCENARIOS=${SCENARIOS:-} EXPECT=${EXPECT:-} AT_LEAST=${AT_LEAST:-}
ARGS=${ARGS:-} OUT=${OUT:-plimsoll-report} BASELINE=${BASELINE:-.plimsoll} WAIT=${WAIT:-30}
NAME=${NAME:-${GITHUB_SHA:-${CI_COMMIT_SHA:-${GIT_COMMIT:-head}}}} BASE_NAME=${BASE_NAME:-base}
UNDECIDED=${UNDECIDED:-}
# A comparison on a noisy machine often cannot tell; anything else that cannot is red.
if [ -z "$UNDECIDED" ]; then
  if [ "$USE" = compare ]; then UNDECIDED=warn; else UNDECIDED=fail; fi
fi

home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
plimsoll() { node "$home/src/launch.js" "$@"; }
wrong() { echo "plimsoll: $1" >&2; exit 64; }

case $USE in
  verify) ;;
  load | capacity | soak) [ -n "$URL" ] || wrong "$USE needs URL" ;;
  compare) [ -n "$URL" ] && [ -n "$BASE_URL" ] || wrong 'compare needs URL and BASE_URL' ;;
  *) wrong "USE \"$USE\" is none of verify, load, compare, capacity, soak" ;;
esac
case $UNDECIDED in fail | warn) ;; *) wrong "UNDECIDED \"$UNDECIDED\" is neither fail nor warn" ;; esac
[[ $WAIT =~ ^[0-9]+$ ]] || wrong "WAIT \"$WAIT\" is no number of seconds"
[[ $AT_LEAST =~ ^[0-9]*$ ]] || wrong "AT_LEAST \"$AT_LEAST\" is no rate"
mkdir -p "$OUT" "$BASELINE" || wrong "OUT $OUT and BASELINE $BASELINE have to be folders"
# More flags, with the quotes that they would have on a command line.
eval "more=($ARGS)" || wrong "ARGS cannot be read: $ARGS"

service=
stop() { [ -z "$service" ] || kill -- "-$service" 2> /dev/null; }
trap stop EXIT
# Whether URL answers, whatever it says, within so many seconds.
answers() {
  node -e '
    const [url, seconds] = process.argv.slice(1)
    const end = Date.now() + seconds * 1000
    const ask = () => fetch(url, { signal: AbortSignal.timeout(5000) }).then(() => process.exit(0),
      () => Date.now() >= end ? process.exit(1) : setTimeout(ask, 200))
    ask()' "$URL" "$1"
}
# A service that was not measured decides nothing, whatever else was.
unstarted() {
  echo "plimsoll: $1; what START said:" >&2
  tail -n 20 "$OUT/service.log" >&2
  exit 2
}
# Whether START is over and failed: what ends well may have put the service into the background.
failed() { ! kill -0 "$service" 2> /dev/null && ! wait "$service"; }
# A comparison starts both sides itself, anew for every block.
if [ -n "$START" ] && [ "$USE" != compare ]; then
  if [ -n "$URL" ] && answers 0; then
    echo "plimsoll: $URL is served by somebody else already: START would not be measured" >&2
    exit 2
  fi
  set -m
  bash -c "$START" > "$OUT/service.log" 2>&1 &
  service=$!
  set +m
  if [ -n "$URL" ]; then
    answers "$WAIT" || unstarted "nothing answers at $URL after $WAIT s"
    ! failed || unstarted "START failed, and what answers at $URL is somebody else"
  fi
fi

formats=html,junit,markdown,json,ctrf,sarif,github,gitlab
last() {
  node -p 'const found = JSON.parse(require("fs").readFileSync(process.argv[1]))
    found.confirmed ?? found.lower ?? 0' "$1"
}
case $USE in
  verify)
    known=$BASELINE/expect.json
    if [ -n "$EXPECT" ]; then known=$EXPECT; fi
    if [ -f "$known" ] || [ -n "$EXPECT" ]; then more+=(--expect "$known"); fi
    plimsoll run ${TARGET:+--target "$TARGET"} ${SCENARIOS:+--scenarios "$SCENARIOS"} \
      --out "$OUT" --reporter "$formats" "${more[@]}" | tee "$OUT/summary.txt"
    ;;
  load)
    # Without an objective nothing would be red; with one, this is what it brings along.
    if [[ " $ARGS" != *\ --errors[\ =]* ]]; then more+=(--errors 0.1); fi
    plimsoll load "$URL" --out "$OUT" --reporter "$formats" "${more[@]}" | tee "$OUT/summary.txt"
    ;;
  compare)
    plimsoll compare --a "$BASE_URL" ${BASE_START:+--a-cmd "$BASE_START"} --a-name "$BASE_NAME" \
      --b "$URL" ${START:+--b-cmd "$START"} --b-name "$NAME" --out "$OUT" \
      --history "$BASELINE/history.ndjson" --calibration "$BASELINE/calibration.json" \
      "${more[@]}" | tee "$OUT/summary.txt"
    ;;
  capacity)
    plimsoll capacity "$URL" ${AT_LEAST:+--at-least "$AT_LEAST"} --out "$OUT" "${more[@]}" |
      tee "$OUT/summary.txt"
    ;;
  soak)
    # The process that START began is followed, unless it is a shell that only began another.
    if [ -n "$service" ] && [[ " $ARGS" != *\ --pid* && " $ARGS" != *\ --metrics-url* ]] &&
      [ -r "/proc/$service/comm" ] && [[ $(< "/proc/$service/comm") != *sh ]]; then
      more+=(--pid "$service")
    fi
    plimsoll soak "$URL" --out "$OUT" "${more[@]}" | tee "$OUT/summary.txt"
    ;;
esac
code=$?
if [ -n "$service" ] && [ "$code" = 0 ] && failed; then
  unstarted 'the service ended meanwhile, so what answered is somebody else'
fi

# What the next run is held against, or shown beside; a red run leaves no baseline.
if [ "$USE" = verify ] && [ "$code" = 0 ] && [ -z "$EXPECT" ]; then
  plimsoll report "$OUT/latest" --write-expectations "$BASELINE/expect.json" --update \
    --reporter json > /dev/null
fi
if [ "$USE" = compare ] && [ -f "$BASELINE/history.ndjson" ]; then
  plimsoll history "$BASELINE/history.ndjson" --html "$OUT/history.html" > /dev/null
fi
if [ "$USE" = capacity ] && [ -f "$OUT/capacity.json" ]; then
  if [ -f "$BASELINE/capacity.json" ]; then
    echo "last time it was $(last "$BASELINE/capacity.json") a second" | tee -a "$OUT/summary.txt"
  fi
  if [ "$code" = 0 ]; then cp "$OUT/capacity.json" "$BASELINE/capacity.json"; fi
fi

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  if [ -f "$OUT/latest/summary.md" ]; then cat "$OUT/latest/summary.md"
  elif [ -f "$OUT/summary.txt" ]; then printf '```\n%s\n```\n' "$(cat "$OUT/summary.txt")"
  fi >> "$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_ACTIONS:-}" ] && [ -f "$OUT/latest/annotations.txt" ]; then
  cat "$OUT/latest/annotations.txt"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "exit-code=$code" >> "$GITHUB_OUTPUT"; fi
case $code in
  2 | 3 | 4)
    said="$USE: nothing could be told (exit $code)"
    if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::warning::$said"; else echo "$said" >&2; fi
    if [ "$UNDECIDED" = warn ]; then code=0; fi
    ;;
esac
exit "$code"
