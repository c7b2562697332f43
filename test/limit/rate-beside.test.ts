import { expect, test } from 'vitest'
import { besideOf, moreThanEver } from '../../src/limit/rate-beside.ts'
import { random } from '../../src/random.ts'
import { fixedAnchored, identify, jitter, type Limiter } from './rate-limiters.ts'

/** What is seen of a limiter that is asked until refused after each of these rests, in ms. */
function seenOf(decide: Limiter, restsMs: readonly number[]) {
  let now = 0
  const record = restsMs.flatMap((restMs) => {
    now += restMs
    const row: { kind: 'accepted' | 'rejected'; sent: number; answered: number }[] = []
    while (row.at(-1)?.kind !== 'rejected') {
      now++
      row.push({ kind: decide(now) === true ? 'accepted' : 'rejected', sent: now, answered: now })
    }
    return row
  })
  return { record, refusals: { lasted: [] } }
}

/** Five a second, and ten more in five. */
function bursty(): Limiter {
  const [usual, more] = [5, 10].map((limit, nth) => {
    return fixedAnchored({ limit, windowMs: nth === 0 ? 1_000 : 5_000, phaseMs: 0 })
  })
  return (ms) => usual!(ms) === true || more!(ms)
}

const restsMs = [0, 1_100, 1_100, 6_000, 1_100, 1_100, 1_100, 6_000]

test('more that comes back after a longer rest is told, and none where it does not', () => {
  expect(besideOf(seenOf(bursty(), restsMs))).toMatch(
    /^5 were taken 1,100 ms after the last and sooner, and 15 after 6,000 ms: .* two limits/
  )
  const plain = fixedAnchored({ limit: 5, windowMs: 1_000, phaseMs: 0 })
  expect(besideOf(seenOf(plain, restsMs))).toBeUndefined()
})

test('refusals that last longer each time are told, and not those that are alike', () => {
  const lasting = (...lasted: number[]) => {
    const spans = lasted.map((ms) => ({ from: 0.95 * ms, to: 1.05 * ms }))
    return besideOf({ record: [], refusals: { lasted: spans } })
  }
  expect(lasting(2_000, 2_000, 4_000, 8_000)).toBe(
    'refusals lasted longer each time (2,000 ms, 4,000 ms, 8,000 ms)'
  )
  expect(lasting(2_000, 2_100, 2_000, 2_100)).toBeUndefined()
  expect(lasting(2_000, 4_000, 2_000, 4_000)).toBeUndefined()
})

test('who takes more after a rest than its window has an allowance for bursts', () => {
  for (let seed = 0; seed < 6; seed++) {
    const next = random(seed, 'bursty')
    const own = { limit: 3 + Math.floor(5 * next()), windowMs: 1_000, phaseMs: 0 }
    const beside = { limit: 5 + Math.floor(15 * next()), windowMs: 6_000, phaseMs: 0 }
    const [window, allowance] = [fixedAnchored(own), fixedAnchored(beside)]
    const decide = (ms: number) => window(ms) || allowance(ms)
    const found = identify({ decide, latency: jitter(next, 0.7) }, { mostMs: 120_000 })
    expect(found.algorithm).toBe('unclear')
  }
})

/** As many at a time as are said, each a millisecond after the one before, and one refused. */
function rowsOf(...bursts: { at: number; accepted: number }[]) {
  return bursts.flatMap(({ at, accepted }) =>
    Array.from({ length: accepted + 1 }, (_, nth) => {
      const kind = nth < accepted ? ('accepted' as const) : ('rejected' as const)
      return { kind, sent: at + nth, answered: at + nth + 0.5 }
    })
  )
}

const told = { status: 429, because: '', repeats: '3/3', burst: 10, perSecond: 10, windowMs: 1_000 }

test('more at once than a window takes, after a rest, is no such window', () => {
  const window = { ...told, algorithm: 'fixed-window', anchor: 'first-request' } as const
  const rows = (many: number) =>
    rowsOf({ at: 0, accepted: 20 }, { at: 2_000, accepted: 10 }, { at: 9_000, accepted: many })
  expect(
    moreThanEver([...rows(10), ...rowsOf({ at: 20_000, accepted: 1 })], window)
  ).toBeUndefined()
  const more = moreThanEver([...rows(16), ...rowsOf({ at: 20_000, accepted: 1 })], window)
  expect(more).toMatch(/^16 were taken at once after a rest/)
})

test('several that come back together are of no bucket that gives back one at a time', () => {
  const bucket = { ...told, algorithm: 'token-bucket' } as const
  const polled = (many: number) =>
    rowsOf(
      { at: 0, accepted: 10 },
      ...[0, 1, 2].flatMap((nth) => [
        { at: 900 + 1_000 * nth, accepted: 0 },
        { at: 1_000 + 1_000 * nth, accepted: many }
      ])
    )
  expect(moreThanEver(polled(1), bucket)).toBeUndefined()
  expect(moreThanEver(polled(5), bucket)).toMatch(/^5 came back together, 3 times/)
})
