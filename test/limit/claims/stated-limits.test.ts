import { expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { against } from '../../../src/limit/baseline.ts'
import { holdClaims } from '../../../src/limit/claims/hold-claims.ts'
import { statedLimits } from '../../../src/limit/claims/stated-limits.ts'
import { reply } from '../replies.ts'

/** What a service states of an endpoint, as a client of it is answered. */
function stated(json: unknown, path = '/things?page=2') {
  const get = async () => reply(200, { json })
  return statedLimits({ get } as unknown as Client, { method: 'GET', path, headers: [] })
}

const rate = (maxRequests: number, windowSeconds: number) => {
  return { type: 'rate', maxRequests, windowSeconds }
}

test('the strictest rate for what is asked is read', async () => {
  const limits = {
    all: { endpoint: '/*', method: '*', limits: [rate(100, 60), rate(9_000, 3_600)] },
    things: { endpoint: '/things', method: 'GET', limits: [rate(20, 60), { type: 'size' }] },
    writing: { endpoint: '/things', method: 'POST', limits: [rate(1, 60)] },
    others: { endpoint: '/others.*', method: 'GET', limits: [rate(2, 60)] }
  }
  expect(await stated({ service: 'x', limits })).toMatchObject({
    limit: [{ field: '/.well-known/limits', value: 20, text: '20 in 60 s' }],
    windowMs: [{ value: 60_000 }]
  })
  expect((await stated({ limits }, '/else'))?.limit[0]?.value).toBe(100)
  for (const json of [undefined, [], { limits: {} }, { limits: { a: { limits: 'none' } } }]) {
    expect(await stated(json)).toBeUndefined()
  }
})

/** What comes of the word of a service whose windows begin with the first request. */
async function verdictOf(claimed: [many: number, seconds: number], limit = 20, windowMs = 3_000) {
  let [now, start, count] = [1_000_000, 0, 0]
  const clock = {
    now: () => now,
    async until(time: number) {
      now = Math.max(now, time)
    }
  }
  const ask = async () => {
    now++
    if (now >= start + windowMs) [start, count] = [now, 0]
    return reply(++count > limit ? 429 : 200, { body: 'hello' })
  }
  const baseline = { status: 200, slowestMs: 1, form: 'hello' }
  const { findings } = await holdClaims({
    ...{ ask, clock, stopped: () => false, mostRequests: 500, mostWaitMs: 120_000 },
    judge: (one) => against(one, baseline, { crowding: [], isSame: false }),
    stated: await stated({ limits: { a: { limits: [rate(...claimed)] } } })
  })
  const own = findings.find(({ field }) => field === '/.well-known/limits')
  return own && [own.verdict, own.because]
}

test('it is held to its word as headers are', async () => {
  expect(await verdictOf([20, 3])).toEqual(['true', '20 were accepted, one more was not'])
  expect(await verdictOf([25, 3])).toEqual(['false', '25; refused after 20, after a rest'])
  expect((await verdictOf([10, 3]))?.[0]).toBe('false')
})
