import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { acceptedOf } from './rate-row.ts'
import { gapsOf, inMs, middleOf } from './rate-span.ts'

/** For how long no answer comes at least after those that were let through at once, in ms. */
const leastGapMs = 80

/**
 * What part of a window as many are let through in, what part of the longest gap ends them, and in
 * what part of the time of a row others come together.
 */
const parts = { atOnce: 0.3, gap: 0.7, together: 0.4 }

/** What part of all that wait, and of a window between them, makes batches. */
const mostTogether = 0.8

/** How many times as long as those between the others the first gap is at least. */
const leastLonger = 1.6

/** How many have to come a window after the one that many before it, and what part of them. */
const fewest = 3
const mostly = 0.7

/** How often it is asked, at most, and how many have to be alike. */
const waves = { most: 6, alike: 3 }

/** How many were asked before this begins, at most, which are some of those at once. */
const usedBefore = 4

/** How many at once are asked for at most, and how long the last may have to wait, in ms. */
const largest = 256
const longestMs = 9_200

/** For how many windows it rests, by how many more each time, and for how many ms at least. */
const rest = { windows: 1.3, apart: 0.2, leastMs: 1_000 }

/** By how much windows may differ, as a part of one and in ms. */
const slack = { part: 0.05, ms: 40 }

/** How many waves have to be refused in part to show how many wait. */
const fewestFull = 2

/** What one wave shows: how many come at once, and after how long as many more have. */
type Wave = { size: number; windowMs: number; accepted: number; isFull: boolean }

/**
 * A log that delays: it takes so many, and no more in any stretch as long as its window, but lets
 * those that wait through one at a time (p-throttle with `strict`). A row of one at a time is what
 * a queue has as well, but that begins it at once. Undefined where it is not so.
 */
export function* logged(asking: RateAsker, first: Burst): Questions<RateLimit | undefined> {
  const begun = isRowed(first) && gapOf(first)
  if (!begun) return
  const { soFar } = asking
  const seen: Wave[] = []
  // What was asked before may have been some of those that come at once.
  let { size, windowMs } = { ...begun, size: begun.size + usedBefore }
  for (let nth = 0; nth < waves.most; nth++) {
    const often = Math.min(
      2 * size + Math.max(2 * fewest, size >> 1),
      Math.floor((size * longestMs) / windowMs)
    )
    if (often > largest || often < 2 * size + fewest) break
    const rests = rest.windows + rest.apart * (nth % waves.alike)
    const at = asking.now + Math.max(rest.leastMs, rests * windowMs)
    const wave = waveOf(yield* asking.burst(at, often, { inFlight: often }))
    if (wave) {
      seen.push(wave)
      ;({ size, windowMs } = wave)
      const alike = mostOf(seen)
      const because = `${wordsOf(alike[0]!)}, the others wait`
      asking.soFar = { algorithm: 'unclear', because, repeats: `${alike.length}/${waves.alike}` }
      if (alike.length >= waves.alike) return foundOf(asking, alike)
    } else if (nth > seen.length) break
  }
  asking.soFar = soFar
  return
}

/** Those of the size that most are of, and about as long as most of these. */
function mostOf(seen: readonly Wave[]): Wave[] {
  const groups = [...Map.groupBy(seen, ({ size }) => size).values()]
  const most = groups.toSorted((one, other) => other.length - one.length)[0]!
  const usual = middleOf(most.map(({ windowMs }) => windowMs))
  return most.filter(({ windowMs }) => isNear(windowMs, usual))
}

function foundOf({ status }: RateAsker, alike: readonly Wave[]): RateLimit {
  const windowMs = middleOf(alike.map((one) => one.windowMs))
  const { size } = alike[0]!
  const fulls = alike.filter(({ isFull }) => isFull)
  const counts = new Set((fulls.length > 0 ? fulls : alike).map(({ accepted }) => accepted))
  const isSure = fulls.length >= fewestFull && counts.size === 1
  const waited = Math.max(...counts) - size
  const full = isSure
    ? `${waited.toLocaleString('en')} wait at most, the next is refused`
    : `${waited} waited${fulls.length > 0 ? '' : ', and none was refused'}`
  return {
    ...{ algorithm: 'queued-log', burst: size, perSecond: (1_000 * size) / windowMs, windowMs },
    ...(isSure && { queue: waited, status }),
    because: `${wordsOf({ size, windowMs })}: ${full}`,
    repeats: `${alike.length}/${alike.length}`
  }
}

function wordsOf({ size, windowMs }: Pick<Wave, 'size' | 'windowMs'>): string {
  return `${size} at once, and no more than ${size} in any ${inMs(windowMs)}`
}

/** What came at once, after how long the next did, and when the others. */
type Gap = { size: number; windowMs: number; times: number[] }

/** The gap after those that came at once; undefined where there is none. */
function gapOf(burst: Burst): Gap | undefined {
  const times = acceptedOf(burst)
    .map(({ answered }) => answered)
    .sort((a, b) => a - b)
  const gaps = gapsOf(times)
  const longest = Math.max(...gaps)
  if (!(longest >= leastGapMs)) return
  const size = gaps.findIndex((gap) => gap >= parts.gap * longest) + 1
  const windowMs = times[size]! - times[0]!
  const most = parts.atOnce * windowMs
  // Who works on few at a time takes as long for the first as for all others.
  const isAtOnce = times[0]! - burst.first.from < most && times[size - 1]! - times[0]! < most
  return isAtOnce ? { size, windowMs, times } : undefined
}

/** Whether the others come one at a time, and sooner than the first of them did. */
export function isRowed(burst: Burst): boolean {
  const gap = gapOf(burst)
  if (!gap) return false
  const { size, windowMs, times } = gap
  const gaps = gapsOf(times.slice(size))
  if (gaps.length < fewest || areTogether(gap, size + usedBefore)) return false
  return windowMs > leastLonger * middleOf(gaps) && Math.max(...gaps) < mostTogether * windowMs
}

/** Whether the next so many came together, as those of one window do. */
function areTogether({ size, windowMs, times }: Gap, many: number): boolean {
  const late = times.slice(size, size + many)
  const most = Math.ceil(mostTogether * late.length) - 1
  return late[most]! - late[0]! < parts.together * (most / many) * windowMs
}

/** What a wave shows whose others come one at a time, each a window after as many before it. */
function waveOf(wave: Burst): Wave | undefined {
  const gap = gapOf(wave)
  if (!gap || gap.size < 2 || areTogether(gap, gap.size)) return
  const { size, windowMs, times } = gap
  const late = times.slice(size)
  const apart = late.slice(size).map((time, nth) => time - late[nth]!)
  const near = apart.filter((ms) => isNear(ms, windowMs))
  if (apart.length < fewest || near.length < mostly * apart.length) return
  const { accepted, refused } = wave
  return { size, windowMs: middleOf([windowMs, ...near]), accepted, isFull: refused !== undefined }
}

function isNear(ms: number, usual: number): boolean {
  return Math.abs(ms - usual) <= slack.part * usual + slack.ms
}

/** What part of as many is asked for half a window before the others. */
const early = 0.25

/** How often it is asked so, and how many have to look like a log. */
const trials = { most: 4, logs: 2 }

/** Which part of those that wait comes first from a window, at least. */
const mostSoon = 0.75

/** Which part of those that wait comes that soon from a log, at most. */
const mostOfLog = 0.5

/**
 * A window that delays, or a log, where as many come together each time: a few are asked for half
 * a window before the others. A window lets as many as ever through at its end, whenever they
 * came; a log lets through as many as it took a window before, and the others half a window later.
 */
export function* windowOrLog(asking: RateAsker, found: RateLimit): Questions<RateLimit> {
  const { burst = 0, windowMs = 0, queue = Number.POSITIVE_INFINITY } = found
  const part = Math.max(1, Math.floor(early * Math.min(burst, queue)))
  const many = Math.min(largest, 2 * burst - part)
  let logs = 0
  for (let nth = 0; nth < trials.most && logs < trials.logs; nth++) {
    const rests = rest.windows + rest.apart * (nth % waves.alike)
    const at = asking.now + Math.max(rest.leastMs, rests * windowMs)
    const few = yield* asking.burst(at, part, { inFlight: part })
    const begun = few.first.from
    const late = yield* asking.burst(begun + windowMs / 2, many, { inFlight: many })
    const laterMs = late.first.from - begun
    const waits = acceptedOf(late).map(({ answered }) => answered - begun)
    const waited = waits.filter((ms) => ms > 0.85 * windowMs)
    const soon = waited.filter((ms) => ms < windowMs + 0.6 * laterMs).length
    const then = waited.filter((ms) => ms > windowMs + 0.8 * laterMs)
    if (laterMs > 0.65 * windowMs || waited.length < 1.5 * part) continue
    if (soon >= mostSoon * waited.length) return found
    // Some may be let through one at a time, so that a few more come before the others can.
    const isPart = soon > 0 && soon <= Math.max(1.3 * part, mostOfLog * waited.length)
    if (isPart && soon + then.length >= mostSoon * waited.length) logs++
  }
  const { anchor: _, because, ...rated } = found
  if (logs < trials.logs) {
    const unclear = `${because}; a window, or a log, which is not clear`
    return { algorithm: 'unclear', because: unclear, repeats: `${logs}/${trials.logs}` }
  }
  const full = because.slice(because.indexOf(': '))
  const words = wordsOf({ size: burst, windowMs })
  return { ...rated, algorithm: 'queued-log', because: `${words}${full}` }
}
