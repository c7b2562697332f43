import type { Clock } from '../../clock.ts'
import type { Answer } from '../answer.ts'

/** Replicas of one service, and the limit that one of them has. */
export type ReplicasAsked = {
  /** Asks one ordinary question of each. */
  replicas: readonly (() => Promise<Answer>)[]
  /** How many one of them takes at once, and how long a rest makes it take them again, in ms. */
  level: number
  restMs: number
  clock: Clock
  stopped: () => boolean
}

/**
 * Whether replicas count together or each by itself.
 *
 * - `each`: each of them takes as many as one does, right after the others refused
 * - `shared`: what one has taken the others do not
 * - `unclear`: neither, or it took too long to tell
 */
export type ReplicasFound = {
  counted: 'each' | 'shared' | 'unclear'
  /** How many are let through in all; absent where it is unclear. */
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

/** Asks one replica after another until each refuses, from another one on in each round. */
export async function countAcross(asked: ReplicasAsked): Promise<ReplicasFound> {
  const { replicas, level, restMs, clock, stopped } = asked
  const seen: number[][] = []
  const unclear = (because: string): ReplicasFound => ({
    counted: 'unclear',
    rounds: seen,
    because
  })
  for (let nth = 0; nth < rounds && !stopped(); nth++) {
    await clock.until(clock.now() + longer * restMs)
    const began = clock.now()
    const counts: number[] = []
    for (let place = 0; place < replicas.length && !stopped(); place++) {
      const ask = replicas[(nth + place) % replicas.length]!
      counts.push(await acceptedBy(ask, 3 * level + lanes))
    }
    const tookMs = clock.now() - began
    seen.push(counts)
    if (tookMs > quick * restMs && level > 1) {
      return unclear(
        `asking all takes ${Math.round(tookMs)} of ${Math.round(restMs)} ms, too slow to tell`
      )
    }
  }
  if (seen.length < rounds || stopped()) return unclear('stopped on the way')
  const slack = Math.max(1, 0.1 * level) + quick * level
  const isEach = seen.every((counts) => counts.every((count) => count >= 0.9 * level))
  const isShared = seen.every(([, ...others]) => {
    return others.reduce((sum, count) => sum + count, 0) <= Math.min(slack, level / 2)
  })
  const told = seen.map((counts) => counts.join(', ')).join('; ')
  const many = replicas.length
  if (isEach && !isShared) {
    const total = many * level
    const because = `each of ${many} allows ${number(level)}: ${number(total)} in all`
    return { counted: 'each', total, rounds: seen, because }
  }
  if (isShared && !isEach) {
    const because = `${number(level)} in all, whichever of ${many} is asked`
    return { counted: 'shared', total: level, rounds: seen, because }
  }
  return unclear(`one after another took ${told}, which is neither together nor each by itself`)
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
