import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { isRowed, logged, windowOrLog } from './rate-queued-log.ts'
import { acceptedOf } from './rate-row.ts'
import { inMs, middleOf } from './rate-span.ts'

/** For how long no answer has to come at least between two batches, in ms. */
const leastGapMs = 80

/** How long a gap is that ends a batch, and how soon the first answer comes, as parts of a gap. */
const parts = { ends: 0.2, first: 0.3 }

/** What part of the time at least no answer comes where they come in batches. */
const mostlyIdle = 0.5

/** How many have to be answered together. */
const fewest = 2

/** How often it is filled, and how often it has to be alike. */
const waves = { most: 7, alike: 3 }

/** How many at once are asked for at most, and how long the last may have to wait, in ms. */
const largest = 256
const longestMs = 9_200

/** How many windows are to be seen after the first, at most. */
const mostWindows = 3

/** How many windows it rests, by how many more each time, and for how many ms at least. */
const rest = { windows: 1.2, apart: 0.382, leastMs: 1_000 }

/** How many waves have to be refused in part to show how many wait. */
const fewestFull = 2

/** By how much windows may differ, as a part of one and in ms. */
const slack = { part: 0.03, ms: 30 }

/** What part of a window the first of one of the clock is not always, whenever it is asked. */
const wholly = 0.85

/** Of how many windows one may be of another length. */
const many = 5

/** What was answered together: how many, and when. */
type Batch = { count: number; from: number; to: number }

/** What one wave shows: how many a window takes, how long one is, and how long the first was. */
type Wave = { size: number; windows: number[]; firstMs: number; accepted: number; isFull: boolean }

/**
 * A window that delays: it takes so many, and all others wait for the next one, which takes as many
 * again. Waves of several times as many show batches of one size, each a window after the one
 * before, which neither a queue of one at a time has, nor a slow-down, where all the others come
 * together. Undefined where answers come in no batches.
 */
export function* batched(asking: RateAsker, first: Burst): Questions<RateLimit | undefined> {
  const begun = batchesOf(first)
  if (!begun || !isAlike(begun)) return
  const { soFar } = asking
  const seen: Wave[] = []
  let size = Math.max(...begun.map(({ count }) => count))
  const firstWaitMs = longestWaitOf(first)
  const known = gapsOf(begun)
  for (let nth = 0; nth < waves.most; nth++) {
    const longest = Math.max(...known)
    const restMs = seen.length > 2 ? longest : Math.max(longest, firstWaitMs)
    // At another place of a window each time.
    const rests = rest.windows + ((rest.apart * nth) % 1)
    const at = asking.now + Math.max(rest.leastMs, rests * restMs)
    // A single one may have been what was left of a window of the clock.
    const isKnown = known.length > 2 || seen.some((one) => one.windows.length > 0)
    const windows = isKnown ? Math.floor(longestMs / longest) : 1
    const inFlight = atOnce(size, windows)
    const wave = yield* asking.burst(at, inFlight, { inFlight })
    // What was asked before may have been all that a log lets through one at a time.
    const log = seen.length === 0 && isRowed(wave) ? yield* logged(asking, wave) : undefined
    if (log) return log
    const batches = batchesOf(wave)
    // Where each waits for itself the others come together, however many they are.
    const isEach = batches?.length === 2 && batches[1]!.count > 1.3 * batches[0]!.count + 1
    const isNone = !batches && seen.length === 0 && (nth > 1 || first.refused !== undefined)
    if (isEach || isNone) break
    const one = batches && waveOf(wave, batches)
    if (!one) continue
    seen.push(one)
    known.push(one.firstMs, ...one.windows)
    size = one.size
    const often = alike(seen)
    const because = `${often[0]!.size} at once, the others wait for a window that takes as many`
    asking.soFar = { algorithm: 'unclear', because, repeats: `${often.length}/${waves.alike}` }
    const found = often.length >= waves.alike && foundOf(asking, often)
    if (found) return found.anchor === 'clock' ? found : yield* windowOrLog(asking, found)
  }
  if (seen.length >= waves.alike) return unlike(seen)
  asking.soFar = soFar
  return
}

/** Whether batches are of about one size, but for the last, which is no larger. */
function isAlike(batches: readonly Batch[]): boolean {
  const counts = batches.map(({ count }) => count)
  // One of the clock may have ended in the first, and what came before is a part of any.
  const whole = counts.slice(counts.length > 2 ? 1 : 0, -1)
  const [least, most] = [Math.min(...whole), Math.max(...whole)]
  const [first, last] = [counts[0]!, counts.at(-1)!]
  const isWhole = least >= fewest && most <= 2 * least && first <= 2 * most && last <= most
  return isWhole && (counts.length > 2 || last > 1)
}

/** For how long one was under way at most, in ms. */
function longestWaitOf(burst: Burst): number {
  return Math.max(...acceptedOf(burst).map(({ sent, answered }) => answered - sent))
}

/**
 * The batches in which answers came, of which the first was not waited for; undefined where they
 * came in none.
 */
function batchesOf(burst: Burst): [Batch, Batch, ...Batch[]] | undefined {
  const times = acceptedOf(burst)
    .map(({ answered }) => answered)
    .sort((a, b) => a - b)
  if (times.length < 2 * fewest) return
  const gaps = times.slice(1).map((time, index) => time - times[index]!)
  const longest = Math.max(...gaps)
  if (longest < leastGapMs) return
  const batches: Batch[] = []
  let idleMs = 0
  for (const [index, time] of times.entries()) {
    const gap = index === 0 ? Number.POSITIVE_INFINITY : gaps[index - 1]!
    if (gap > parts.ends * longest) {
      batches.push({ count: 0, from: time, to: time })
      if (index > 0) idleMs += gap
    }
    Object.assign(batches.at(-1)!, { count: batches.at(-1)!.count + 1, to: time })
  }
  const [one, other] = batches as [Batch, Batch]
  const begun = burst.first.from
  const isIdle = idleMs > mostlyIdle * (times.at(-1)! - begun)
  // Who works on few at a time takes as long for the first as for all others.
  const isFree = one.from - begun < parts.first * (other.from - one.from)
  return isIdle && isFree ? [one, other, ...batches.slice(2)] : undefined
}

/** What a wave shows whose batches are of one size but for the last; undefined for others. */
function waveOf(wave: Burst, batches: readonly Batch[]): Wave | undefined {
  const whole = batches.slice(0, -1).map(({ count }) => count)
  const size = whole[0]!
  const isOne = whole.every((count) => count === size) && batches.at(-1)!.count <= size
  if (!isOne || size < fewest) return
  const [firstMs, ...windows] = gapsOf(batches) as [number, ...number[]]
  return { size, windows, firstMs, accepted: wave.accepted, isFull: wave.refused !== undefined }
}

/** How far apart batches began, in ms. */
function gapsOf(batches: readonly Batch[]): number[] {
  return batches.slice(1).map(({ from }, index) => from - batches[index]!.from)
}

/** How many fill so many windows after the first, and a part of one more. */
function atOnce(size: number, windows: number): number {
  const times = Math.min(mostWindows, Math.max(1, windows)) + 0.6
  return Math.min(largest, Math.ceil(times * size))
}

/** Those of the size that most are of. */
function alike(seen: readonly Wave[]): Wave[] {
  const groups = [...Map.groupBy(seen, ({ size }) => size).values()]
  return groups.toSorted((one, other) => other.length - one.length)[0]!
}

/** What some waves of one size come to; undefined where windows were not as long each time. */
function foundOf({ status }: RateAsker, seen: readonly Wave[]): RateLimit | undefined {
  const firsts = seen.map(({ firstMs }) => firstMs)
  const between = seen.flatMap(({ windows }) => windows)
  // One of the clock was going on before the first came, so that its end tells nothing of it.
  const isSame = isClose([...firsts, ...between])
  const all = isSame ? [...firsts, ...between] : between
  if (all.length < waves.alike || !isClose(all)) return
  const windowMs = middleOf(all)
  const isOwn = isSame || Math.min(...firsts) > wholly * windowMs
  if (Math.max(...firsts) > windowMs + slackOf(windowMs)) return
  const [{ size }] = seen as [Wave]
  const fulls = seen.filter(({ isFull }) => isFull)
  const counts = new Set((fulls.length > 0 ? fulls : seen).map(({ accepted }) => accepted))
  const isSure = fulls.length >= fewestFull && counts.size === 1
  const queue = isSure ? [...counts][0]! - size : undefined
  const from = isOwn ? 'from the first on' : 'by its own clock'
  const full =
    queue === undefined
      ? `${Math.max(...counts) - size} waited${fulls.length > 0 ? '' : ', and none was refused'}`
      : `${queue.toLocaleString('en')} wait at most, the next is refused`
  return {
    ...{ algorithm: 'queued-window', burst: size, perSecond: (1_000 * size) / windowMs, windowMs },
    ...(queue !== undefined && { queue, status }),
    ...{ anchor: isOwn ? 'first-request' : 'clock' },
    because: `${size} at once, then ${size} together every ${inMs(windowMs)} ${from}: ${full}`,
    repeats: `${seen.length}/${seen.length}`
  }
}

/** What is said where answers come in batches, and not alike each time. */
function unlike(seen: readonly Wave[]): RateLimit {
  const sizes = [...new Set(seen.map(({ size }) => size))].sort((a, b) => a - b)
  const gaps = seen.flatMap(({ windows, firstMs }) => [firstMs, ...windows]).sort((a, b) => a - b)
  const each = sizes.length === 1 ? `${sizes[0]}` : `${sizes[0]} to ${sizes.at(-1)}`
  const apart = `${inMs(gaps[0]!)} to ${inMs(gaps.at(-1)!)}`
  const because =
    `answers come together, ${each} at a time, ${apart} apart: what is too much waits for the ` +
    'next window, whose length is not clear'
  return { algorithm: 'unclear', because, repeats: `0/${seen.length}` }
}

/** Whether most are about as long; one of many may be of a machine that stood still. */
function isClose(all: readonly number[]): boolean {
  const usual = middleOf(all)
  const odd = all.filter((ms) => Math.abs(ms - usual) > slackOf(usual))
  return odd.length <= Math.floor(all.length / many)
}

function slackOf(ms: number): number {
  return slack.part * ms + slack.ms
}
