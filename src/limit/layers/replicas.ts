import type { Clock } from '../../clock.ts'
import type { Answer } from '../answer.ts'
import { sharedGroups } from './shared-groups.ts'

/** One replica of a service: what it is called, and one ordinary question of it. */
export type Replica = { name: string; ask: () => Promise<Answer> }

/** How many are taken at once, and how long a rest makes that many be taken again, in ms. */
export type ReplicaLevel = { level: number; restMs: number }

/** Replicas of one service, and the limit that the first of them has. */
export type ReplicasAsked = ReplicaLevel & {
  replicas: readonly Replica[]
  /** Whether as many are taken each time, with nothing back before its time. */
  isExact: boolean
  /**
   * Finds the limit of another one for itself: `none` where it shows none, and a reason in words
   * where that cannot be told.
   */
  levelOf: (place: number) => Promise<ReplicaLevel | 'none' | { because: string }>
  clock: Clock
  stopped: () => boolean
}

/**
 * Whether replicas count together or each by itself.
 *
 * - `each`: each of them takes as many as it does alone, right after the others refused
 * - `shared`: what one has taken the others do not
 * - `groups`: some of them count together, and others by themselves or with others
 * - `unclear`: neither, or it took too long to tell
 */
export type ReplicasFound = {
  counted: 'each' | 'shared' | 'groups' | 'unclear'
  /** How many are let through in all; absent where it is unclear, or one has no limit. */
  total?: number
  /** How many each took in each round, in the order in which they were asked. */
  rounds: number[][]
  because: string
}

const rounds = 3
const lanes = 8

/** How much longer it is rested, and in what part of a rest all have to be asked. */
const longer = 1.3
const quick = 0.4

/**
 * Asks one replica after another until each refuses, from another one on in each round. One that
 * takes another number than the first, and not the same each time, is asked for its own limit, and
 * then all are once more.
 */
export async function countAcross(asked: ReplicasAsked): Promise<ReplicasFound> {
  const { replicas, level, restMs } = asked
  const levels: ReplicaLevel[] = replicas.map(() => ({ level, restMs }))
  const first = await askedAcross(asked, levels)
  if (first.because !== undefined) return unclear(first.seen, first.because)
  const others = othersIn(first.seen, asked)
  if (others.length === 0) return judged(asked, levels, first.seen)
  const free: number[] = []
  const unknown = others.filter((place) => {
    const steady = steadyIn(countsOf(place, first.seen), asked)
    if (steady !== undefined) levels[place] = { level: steady, restMs }
    return steady === undefined
  })
  if (unknown.length === 0) return judged(asked, levels, first.seen)
  for (const place of unknown) {
    const own = await asked.levelOf(place)
    if (own === 'none') free.push(place)
    else if ('because' in own) {
      const most = Math.max(...countsOf(place, first.seen))
      const [other, one] = [named(asked, place), named(asked, 0)]
      const took = `${other} takes ${number(most)}, ${one} ${number(level)}`
      return unclear(first.seen, `${took}; alone: ${own.because}`)
    } else levels[place] = own
  }
  if (free.length > 0) return unlimited(asked, levels, { free, seen: first.seen })
  const again = await askedAcross(asked, levels)
  if (again.because !== undefined) return unclear(again.seen, again.because)
  return judged(asked, levels, again.seen)
}

/** How many one takes that takes as many in each round, where nothing of it is back meanwhile. */
function steadyIn(counts: readonly number[], asked: ReplicasAsked): number | undefined {
  const [count = 0] = counts
  const isSteady = asked.isExact && new Set(counts).size === 1
  return isSteady && count > 0 && count < mostOf(asked.level) ? count : undefined
}

/** How many are asked of one at most. */
const mostOf = (level: number) => 3 * level + lanes

/** How many each took in each round, and why there are no more rounds, if so. */
type Across = { seen: number[][]; because?: string }

async function askedAcross(
  { replicas, clock, stopped }: ReplicasAsked,
  levels: readonly ReplicaLevel[]
): Promise<Across> {
  const seen: number[][] = []
  const restMs = Math.max(...levels.map((one) => one.restMs))
  const soonestMs = Math.min(...levels.map((one) => one.restMs))
  const most = Math.max(...levels.map(({ level }) => level))
  for (let nth = 0; nth < rounds && !stopped(); nth++) {
    await clock.until(clock.now() + longer * restMs)
    const began = clock.now()
    const counts: number[] = []
    for (let turn = 0; turn < replicas.length && !stopped(); turn++) {
      const place = placeOf(nth, turn, replicas.length)
      counts.push(await acceptedBy(replicas[place]!.ask, mostOf(levels[place]!.level)))
    }
    const tookMs = clock.now() - began
    seen.push(counts)
    if (tookMs > quick * soonestMs && most > 1) {
      const of = `${Math.round(tookMs)} of ${Math.round(soonestMs)} ms`
      return { seen, because: `asking all takes ${of}, too slow to tell` }
    }
  }
  return seen.length < rounds || stopped() ? { seen, because: 'stopped on the way' } : { seen }
}

/** Which replica is asked in a turn of a round: each round begins with another one. */
const placeOf = (nth: number, turn: number, many: number) => (nth + turn) % many

/** How many one took in each round. */
function countsOf(place: number, seen: readonly number[][]): number[] {
  return seen.map((counts, nth) => {
    return counts[counts.findIndex((_, turn) => placeOf(nth, turn, counts.length) === place)]!
  })
}

/**
 * Those that take another number than the first one does: after a rest of theirs, before any other
 * was asked, or more than it ever does, or some each time and never as many.
 */
function othersIn(
  seen: readonly number[][],
  { replicas, level, isExact }: ReplicasAsked
): number[] {
  const own = countsOf(0, seen)
  const slack = isExact ? 0 : Math.max(1, 0.1 * level)
  const [least, most] = [Math.min(...own), Math.max(...own)]
  return replicas.flatMap((_, place) => {
    const counts = countsOf(place, seen)
    // Of those that count together the one that is asked first takes what one does.
    const alone = seen[place]?.[0] ?? seen[0]![0]!
    const isMore = Math.max(...counts) > most + slack
    const isLess = Math.min(...counts) > 0.1 * level && Math.max(...counts) < least - slack
    const isOther = Math.abs(alone - seen[0]![0]!) > slack
    return place > 0 && (isMore || isLess || isOther) ? [place] : []
  })
}

function judged(
  asked: ReplicasAsked,
  levels: readonly ReplicaLevel[],
  seen: number[][]
): ReplicasFound {
  const { level } = levels[0]!
  const many = levels.length
  const isEqual = levels.every((one) => one.level === level)
  const slack = Math.max(1, 0.1 * level) + quick * level
  const isEach = levels.every((one, place) => {
    return countsOf(place, seen).every((count) => count >= 0.9 * one.level)
  })
  const isShared = seen.every(([, ...others]) => {
    return others.reduce((sum, count) => sum + count, 0) <= Math.min(slack, level / 2)
  })
  if (isEach && !isShared) {
    const total = levels.reduce((sum, one) => sum + one.level, 0)
    const of = isEqual ? `each of ${many} allows ${number(level)}` : eachOf(asked, levels)
    return { counted: 'each', total, rounds: seen, because: `${of}: ${number(total)} in all` }
  }
  if (isShared && !isEach && isEqual) {
    const because = `${number(level)} in all, whichever of ${many} is asked`
    return { counted: 'shared', total: level, rounds: seen, because }
  }
  const groups = inGroups(asked, levels, seen)
  if (groups) return groups
  const told = seen.map((counts) => counts.join(', ')).join('; ')
  return unclear(
    seen,
    `one after another took ${told}, which is neither together nor each by itself`
  )
}

/** What is said where some of them share a count that others do not. */
function inGroups(
  asked: ReplicasAsked,
  levels: readonly ReplicaLevel[],
  seen: number[][]
): ReplicasFound | undefined {
  const order = seen.map((counts, nth) => {
    return counts.map((taken, turn) => ({ place: placeOf(nth, turn, counts.length), taken }))
  })
  const own = levels.map(({ level }) => level)
  const groups = sharedGroups(order, own)
  const isEven = groups?.every((places) => places.every((one) => own[one] === own[places[0]!]))
  if (!groups || !isEven || groups.length === 1 || groups.length === own.length) return
  const all = groups.map((places) => {
    const names = places.map((place) => named(asked, place)).join(' and ')
    return `${names} ${places.length > 1 ? 'share' : 'allows'} ${number(own[places[0]!]!)}`
  })
  const total = groups.reduce((sum, [place]) => sum + own[place!]!, 0)
  const because = `${all.join(', ')}: ${number(total)} in all`
  return { counted: 'groups', total, rounds: seen, because }
}

/** What each of those allows that are not alike. */
function eachOf(asked: ReplicasAsked, levels: readonly ReplicaLevel[]): string {
  return levels
    .map(({ level }, place) => `${named(asked, place)} allows ${number(level)}`)
    .join(', ')
}

function unlimited(
  asked: ReplicasAsked,
  levels: readonly ReplicaLevel[],
  { free, seen }: { free: readonly number[]; seen: number[][] }
): ReplicasFound {
  const all = levels.map(({ level }, place) => {
    const what = free.includes(place) ? 'shows no limit' : `allows ${number(level)}`
    return `${named(asked, place)} ${what}`
  })
  return { counted: 'each', rounds: seen, because: all.join(', ') }
}

const named = ({ replicas }: ReplicasAsked, place: number) => replicas[place]!.name

function unclear(seen: number[][], because: string): ReplicasFound {
  return { counted: 'unclear', rounds: seen, because }
}

/** How many a replica takes until it refuses one, or `most` are asked. */
async function acceptedBy(ask: () => Promise<Answer>, most: number): Promise<number> {
  let [count, accepted, isOver] = [0, 0, false]
  const lane = async () => {
    while (!isOver && count < most) {
      count++
      const { kind } = await ask()
      if (kind === 'accepted') accepted++
      isOver ||= kind === 'rejected'
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return accepted
}

function number(value: number): string {
  return value.toLocaleString('en')
}
