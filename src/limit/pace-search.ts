/** How many a second are taken in the long run, and how many are not; null where none was seen. */
export type SustainedPace = { accepted: number; rejected: number | null }

/** What a pace is looked for by. */
export type PaceAsked = {
  /** How many may come at once. */
  most: number
  /** For how long a pace is kept, in ms. */
  paceMs: number
  stopped: () => boolean
  /**
   * Whether a target that was sent as many at once as it takes, but for a second's worth, takes
   * this many a second for so long; undefined where that is not clear, as where it was ended for
   * another reason.
   */
  isTaken: (perSecond: number) => Promise<boolean | undefined>
}

/** How long a pace is kept unless somebody says otherwise, in ms. */
export const usualPaceMs = 8_000

/** How many paces are tried at once, how often, and how close is close enough. */
const [atOnce, rounds, closeEnough] = [6, 3, 1.1]

/** The slowest and the fastest pace that is tried. */
const [slowest, fastest] = [0.25, 4_096]

/** Paces between two others, as far apart from each other by their ratio. */
function pacesBetween(low: number, high: number): number[] {
  const ratio = (high / low) ** (1 / (atOnce + 1))
  return Array.from({ length: atOnce }, (_, nth) => low * ratio ** (nth + 1))
}

/** What a pace comes to in the long run: a second's worth of it was there at first. */
function sustained(accepted: number, rejected: number, paceMs: number): SustainedPace {
  const share = 1 - 1_000 / paceMs
  return { accepted: accepted * share, rejected: rejected * share }
}

/**
 * Which paces are taken, of those of which that is clear; what is not where all are tried at once
 * is tried by itself.
 */
async function allTaken(tried: readonly number[], isTaken: PaceAsked['isTaken']) {
  const all = await Promise.all(tried.map(isTaken))
  for (const [index, pace] of tried.entries()) all[index] ??= await isTaken(pace)
  const clear = tried.filter((_, index) => all[index] !== undefined)
  return { paces: clear, taken: all.filter((one) => one !== undefined) }
}

/**
 * How many a second are taken once as many as may come at once have come: several paces at a time,
 * each on a connection of its own. Who counts in whole seconds takes one by chance that lies
 * somewhat above; undefined where that is not clear.
 */
export async function sustainedPace(asked: PaceAsked): Promise<SustainedPace | undefined> {
  const { most, paceMs, stopped, isTaken } = asked
  let [accepted, rejected] = [0, Math.min(fastest, most)]
  for (let round = 0; round < rounds && !stopped(); round++) {
    const between = pacesBetween(Math.max(accepted, slowest), rejected)
    const tried = round === 0 ? [slowest, ...between, rejected] : between
    const { paces, taken } = await allTaken(tried, isTaken)
    if (taken.length === 0) return
    const refused = taken.indexOf(false)
    if (refused < 0 && round === 0) {
      const highest = paces.at(-1)!
      return highest === rejected
        ? { accepted: rejected, rejected: null }
        : { ...sustained(highest, 0, paceMs), rejected: null }
    }
    const below = refused < 0 ? paces.length : refused
    if (below > 0) accepted = paces[below - 1]!
    rejected = paces[taken.lastIndexOf(true) + 1] ?? rejected
    if (accepted === 0 || rejected / accepted <= closeEnough) break
  }
  return sustained(accepted, rejected, paceMs)
}

/** How often something is sent while a pace is kept, in ms. */
const stepMs = 50

/**
 * Sends as many at once as a target takes but for a second's worth, and then so many a second for
 * as long as `goesOn` says.
 */
export async function keepPace(options: {
  perSecond: number
  most: number
  goesOn: (sinceMs: number) => boolean
  clock: { now(): number; until(ms: number): Promise<unknown> }
  /** Sends so many, the first of which is the n-th. */
  send: (from: number, count: number) => void
}): Promise<void> {
  const { perSecond, most, goesOn, clock, send } = options
  const first = Math.max(0, most - Math.ceil(perSecond))
  const from = clock.now()
  let sent = first
  send(0, first)
  while (goesOn(clock.now() - from)) {
    await clock.until(clock.now() + stepMs)
    const due = first + Math.floor(((clock.now() - from) / 1_000) * perSecond)
    if (due > sent) send(sent, due - sent)
    sent = Math.max(sent, due)
  }
}
