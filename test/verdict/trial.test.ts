import { expect, test } from 'vitest'
import type { LoadResult } from '../../src/load/figures/result.ts'
import type { Observed } from '../../src/load/health/generator-health.ts'
import { closed, hold, type Load, open } from '../../src/load/load.ts'
import { noConnections } from '../../src/load/transports/transport.ts'
import { trialOf } from '../../src/verdict/trial.ts'
import { simulate } from '../load/virtual.ts'

/** What a thread that was busy for a share of the time observes; all else is as it should be. */
const observed = (eventLoopUtilization: number): Observed => ({
  ...{ wallMs: 100, cpuMs: 10, eventLoopUtilization, eventLoopDelayP99Us: 0 },
  ...{ gcMs: 0, gcLongestMs: 0, clockStrayMs: 0, meanInFlight: 1, looks: 10 }
})

async function resultOf(load: Load, busy: number, changes: Partial<LoadResult> = {}) {
  const { tally, lag, begun, unfinished } = await simulate(load, () => 2)
  const result: LoadResult = {
    ...{ model: load.model, tally, begun, unfinished, faults: {}, durationMs: 100 },
    ...{ connections: noConnections(), health: { valid: true, reasons: [] } },
    ...{ workers: [{ ...observed(busy), lag }], ...changes }
  }
  return result
}

const load = closed({ connections: 1, seconds: 0.1 })

test('a trial is a few numbers of a load', async () => {
  expect(trialOf(await resultOf(load, 0.2))).toEqual({
    ...{ p50Us: 2_000, p90Us: 2_000, p99Us: 2_000, meanUs: 2_000 },
    ...{ perSecond: 500, requests: 50, failures: 0, errors: {}, reasons: [] },
    ...{ shape: { 175: 50 }, statuses: { 200: 50 }, receivedBytes: 0 }
  })
})

test('what the target spent is told by the request', async () => {
  const trial = trialOf(await resultOf(load, 0.2), { cpuUs: 5_000, waitUs: 500, rssBytes: 7e6 })
  expect(trial).toMatchObject({ cpuUsPerRequest: 100, waited: 0.1, rssBytes: 7e6 })
})

test('failures are counted, and named', async () => {
  const result = await resultOf(load, 0.2)
  const results = { 200: 40, 503: 4, timeout: 3, refused: 2, 302: 1 }
  const trial = trialOf({ ...result, tally: { ...result.tally, results } })
  expect(trial).toMatchObject({
    ...{ requests: 50, failures: 9 },
    errors: { '5xx': 4, timeout: 3, refused: 2 }
  })
})

test.each<[string, Load, number, Partial<LoadResult>, RegExp | undefined]>([
  ['a thread with pauses', load, 0.9, {}, undefined],
  ['a thread without', load, 0.99, {}, /busy 99 %/],
  ['one that waits for moments', open(hold({ rate: 100, seconds: 0.1 })), 1, {}, undefined],
  ['one that sent nothing', load, 0.1, { begun: 0 }, /nothing could be sent/],
  ['one not well', load, 0.1, { health: { valid: false, reasons: ['late'] } }, /^late$/]
])('%s', async (_, asked, busy, changes, reason) => {
  const { reasons } = trialOf(await resultOf(asked, busy, changes))
  if (reason) expect(reasons).toEqual([expect.stringMatching(reason)])
  else expect(reasons).toEqual([])
})
