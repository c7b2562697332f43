import { shapeCell } from '../../src/load/figures/histogram.ts'
import { type Random, random } from '../../src/random.ts'
import type { Trial } from '../../src/verdict/trial.ts'
import { normals } from '../statistics/noise.ts'
import { trialOfUs } from './pairs.ts'

/** What B does besides what A does; shares of requests, and factors of what A spends. */
export type Fault = {
  /** Stands still for so long, once a second, whoever is waiting. */
  stallMs?: number
  /** So many of its requests take so many times as long. */
  mode?: { share: number; times: number }
  failShare?: number
  /** Both do it: then nothing differs. */
  isAlike?: boolean
  rss?: number
  cpu?: number
}

/** A process that is asked: when it stands still for the first time, and what it is by luck. */
export type Serving = { stallsFromMs: number; luck: { cpu: number; rss: number } }

/**
 * What a real server does by itself, alike in both arms: times that are spread, one request in a
 * hundred that takes longer, collections of garbage that keep everybody waiting, processes that
 * differ in what they hold and spend.
 */
export const nature = {
  spread: 0.15,
  tail: { share: 0.01, times: 4 },
  pause: { perSecond: 4, ms: 3, spread: 0.6 },
  luck: { cpu: 0.02, rss: 0.03 },
  own: { cpu: 0.03, rss: 0.01 }
}

/** A process that is new at some time; its timers are set within a second after that. */
export function bornAt(bornMs: number, next: Random): Serving {
  const normal = normals(next)
  const { luck } = nature
  return {
    stallsFromMs: bornMs + 1_000 * next(),
    luck: { cpu: luck.cpu * normal(), rss: luck.rss * normal() }
  }
}

/** A trial of a process that takes a millisecond times a factor, one request after the other. */
export function served(
  process: Serving,
  given: { fault?: Fault; factor?: number; lastsMs: number; nowMs: number; next: Random }
): Trial {
  const { fault = {}, factor = 1, lastsMs, nowMs, next } = given
  const { stallMs = 0, mode, failShare = 0 } = fault
  const normal = normals(next)
  const times: number[] = []
  let spentMs = 0
  while (spentMs < lastsMs) {
    let ms = factor * Math.exp(nature.spread * normal())
    if (next() < nature.tail.share) ms *= 1 - nature.tail.times * Math.log(1 - next())
    if (mode && next() < mode.share) ms *= mode.times
    if (next() < (ms * nature.pause.perSecond) / 1_000) {
      ms += nature.pause.ms * Math.exp(nature.pause.spread * normal())
    }
    const sinceMs = (nowMs + spentMs - process.stallsFromMs) % 1_000
    if (sinceMs >= 0 && sinceMs < stallMs) ms += stallMs - sinceMs
    else if (sinceMs + ms > 1_000) ms += stallMs
    times.push(ms * 1_000)
    spentMs += ms
  }
  const { cpu = 1, rss = 1 } = fault
  const { own } = nature
  return {
    ...trialOfTimes(times),
    failures: times.filter(() => next() < failShare).length,
    cpuUsPerRequest: 500 * cpu * factor * Math.exp(process.luck.cpu + own.cpu * normal()),
    rssBytes: 50e6 * rss * Math.exp(process.luck.rss + own.rss * normal())
  }
}

/** The trial that response times in microseconds make, one after the other. */
export function trialOfTimes(times: readonly number[]): Trial {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!
  const sum = times.reduce((total, us) => total + us, 0)
  const shape: Record<number, number> = {}
  for (const us of times) shape[shapeCell(us)] = (shape[shapeCell(us)] ?? 0) + 1
  return trialOfUs(at(0.5), {
    ...{ p90Us: at(0.9), p99Us: at(0.99), meanUs: sum / times.length, shape },
    ...{ perSecond: times.length / (sum / 1e6), requests: times.length }
  })
}

/** Chance of one comparison, of its own by seed. */
export const chanceOf = (seed: number) => random(seed, 'served')
