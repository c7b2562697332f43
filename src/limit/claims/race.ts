import { burstSizeOf } from './burst-size.ts'
import { mayBeFailure } from './failure.ts'
import type { ClaimFinding } from './row.ts'
import { together } from './together.ts'
import { type BurstsAsked, windowRace } from './window-race.ts'

/** Whom to ask at once, and what was let through when asked one after another. */
export type RaceOptions = BurstsAsked & {
  /** How many were let through in the round that took fewest. */
  least: number
  /** How many were let through at the most, when it was not known how long that has to rest. */
  most: number
  /** How long one after another took at most, in ms. */
  tookMs: number
  /** Whether something was back while one after another was asked, as of a fast bucket. */
  isRefilled: boolean
}

/** How often they are sent together. */
const bursts = 20

/** How many times as many in one round as in another are of two windows. */
const uneven = 1.2

/** From what part of a rest on one after another may well have met the end of a window. */
const longPart = 0.05

/** How many more than are let through are sent together, and how many at most. */
const beyond = 16
const mostAtOnce = 500

/**
 * Sends more requests than are let through so that their last bytes go out together, each on a
 * connection of its own: who reads a count and writes it back later lets through more than one
 * after another. A burst may meet the end of a window, so that it takes more of them to say so than
 * meet one by chance, and then as many are asked one after another as well.
 */
export async function race(given: RaceOptions): Promise<ClaimFinding> {
  const options = { ...given, ...(await rested(given)) }
  const { clock, stopped, signal, restMs } = options
  const field = 'race'
  if (options.level + beyond > mostAtOnce) {
    const because = `${options.level} are too many to send together`
    return { field, verdict: 'unsaid', because }
  }
  const isUneven = options.level > uneven * options.least + 1
  if (!options.isRefilled && (isUneven || options.tookMs > longPart * restMs)) {
    const found = await windowRace(options)
    if (found) return found
  }
  const size = options.isRefilled ? await burstSizeOf(options) : undefined
  const { level = options.level, perMs = level / restMs } = size ?? {}
  const over: number[] = []
  let [count, byChance] = [0, 0]
  while (count < bursts && !stopped()) {
    await clock.until(clock.now() + restMs, signal)
    const { accepted, tookMs } = await burst(options, level + beyond)
    if (stopped()) break
    count++
    const back = Math.ceil(tookMs * perMs)
    byChance += (2 * tookMs) / restMs
    if (accepted > level + back) over.push(accepted - back)
  }
  // A window is hardly shorter than half a rest; a bucket has none that ends.
  const mostByChance = size ? 1 : 1 + byChance + 3 * Math.sqrt(byChance)
  const said = `of ${count} bursts whose last bytes went out together`
  if (over.length > mostByChance) {
    const most = Math.max(...over)
    // What a bucket holds is known from one after another already.
    const control = size ? { level, isMixed: false } : await controlOf(options, level + beyond)
    if (control.isMixed || over.filter((one) => one > control.level).length <= mostByChance) {
      const because = `${level} allowed, ${most} let through, but one after another as well`
      return { field, verdict: 'unsaid', because }
    }
    const because = `${level} allowed, ${most} let through; more in ${over.length} ${said}`
    return { field, verdict: 'false', because }
  }
  // Where a window ended in a round it took of two, and a burst may let through as many unseen.
  const isOpen = isUneven && !size
  const isTold = over.length === 0 && count > 1 && !isOpen
  const none = over.length === 0 ? 'none' : over.length
  const allowed = isOpen ? `${options.least} to ${level} one after another` : `${level} allowed`
  const because = `${allowed}, more in ${none} ${said}`
  return { field, verdict: isTold ? 'true' : 'unsaid', because }
}

/** How many of the most that were ever let through have to be after a rest, and how long it is. */
const [mostPart, longestRestMs] = [0.75, 10_000]

/**
 * After how long a rest as many are let through as ever were, where that is longer than was told or
 * seen: of several that count by themselves one is asked again at once that has some left.
 */
async function rested(options: RaceOptions): Promise<Pick<RaceOptions, 'level' | 'restMs'>> {
  const { ask, judge, clock, stopped, signal, most } = options
  let { level, restMs } = options
  while (level < mostPart * most && 2 * restMs < longestRestMs && !stopped()) {
    restMs *= 2
    await clock.until(clock.now() + restMs, signal)
    let count = 0
    while (count < 2 * most && !stopped() && judge(await ask()).kind === 'accepted') count++
    level = Math.max(level, count)
  }
  return { level, restMs }
}

/** How often as many as in a burst are asked one after another; a window may end in one. */
const controls = 3

/**
 * As many as in a burst, one after another, however many are refused: how many are accepted, and
 * whether they take turns with those refused, as where several count by themselves and chance
 * decides who is asked. Both are what most of the times say, each after a rest of twice as long.
 */
async function controlOf(
  { ask, judge, clock, stopped, signal, restMs }: RaceOptions,
  size: number
): Promise<{ level: number; isMixed: boolean }> {
  const seen: { accepted: number; isMixed: boolean }[] = []
  while (seen.length < controls) {
    await clock.until(clock.now() + 2 * restMs, signal)
    let [accepted, refused, after] = [0, 0, 0]
    for (let nth = 0; nth < size && !stopped(); nth++) {
      const reply = await ask()
      const { kind } = judge(reply)
      const isWaitTold = reply.headers['retry-after'] !== undefined
      if (kind === 'rejected' && !mayBeFailure(reply.status, isWaitTold)) refused++
      if (kind === 'accepted') accepted++
      if (kind === 'accepted' && refused > 0) after++
    }
    seen.push({ accepted, isMixed: after > 1 })
  }
  const levels = seen.map(({ accepted }) => accepted).sort((one, other) => one - other)
  const mixed = seen.filter(({ isMixed }) => isMixed).length
  return { level: levels[Math.floor(controls / 2)]!, isMixed: 2 * mixed > controls }
}

/** One burst: how many of it were let through, and in how many ms from the last byte on. */
async function burst(options: RaceOptions, size: number) {
  const { replies, tookMs } = await together(size, options)
  const accepted = replies.filter((reply) => options.judge(reply).kind === 'accepted').length
  return { accepted, tookMs }
}
