import { expect, test } from 'vitest'
import { against, findBaseline } from '../../src/limit/baseline.ts'
import { reply } from './replies.ts'

test('what three answers agree on is usual', async () => {
  const replies = [reply(404, { ms: 2 }), reply(404, { ms: 9 }), reply(404, { ms: 3 })]
  expect(await findBaseline(async () => replies.shift()!)).toMatchObject({
    status: 404,
    slowestMs: 9
  })
})

test('nothing is usual where answers differ, or stay away', async () => {
  const replies = [reply(200), reply(503), reply(200)]
  const mixed = await findBaseline(async () => replies.shift()!)
  expect(mixed).toBe('the same request is answered 200 and 503')
  const none = await findBaseline(async () =>
    reply(0, { kind: 'refused', because: 'nobody there' })
  )
  expect(none).toBe('nobody there')
})

test('who takes one at a time is waited for, but not for ever', async () => {
  let [now, asked] = [0, 0]
  const clock = {
    now: () => now,
    async until(time: number) {
      now = time
    }
  }
  const refusals = [reply(429), reply(403), reply(0, { kind: 'closed' })]
  for (const [nth, refusal] of refusals.entries()) {
    for (const everyMs of [300, 5_000]) {
      let free = 0
      const spaced = async () => {
        if (now < free) return refusal
        free = now + everyMs
        return reply(200)
      }
      expect(await findBaseline(spaced, clock), `${nth}`).toMatchObject({ status: 200 })
    }
  }
  let free = 0
  const slow = async () => {
    if (now < free) return reply(429)
    free = now + 60_000
    return reply(200)
  }
  expect(await findBaseline(slow, clock, 60_000)).toMatchObject({ asked: { usual: 3, all: 23 } })
  const cut = [reply(200), reply(0, { kind: 'closed', because: 'closed before any answer' })]
  const cuts = async () => cut[Math.min(asked++, 1)]!
  expect(await findBaseline(cuts, clock)).toBe('answered 200, then closed before any answer')
  asked = 0
  const once = async () => reply(asked++ === 0 ? 200 : 503)
  const because = 'the same request is answered 200 and 503'
  expect(await findBaseline(once, clock)).toBe(because)
  expect(asked).toBeLessThan(12)
})

const baseline = { status: 200, slowestMs: 1 }

test.each([
  [reply(200), 'accepted', true],
  [reply(414), 'rejected', true],
  [reply(500), 'rejected', true],
  [reply(302), 'unclear', true],
  [reply(429), 'unclear', true],
  [reply(503), 'unclear', true],
  [reply(0, { kind: 'closed' }), 'rejected', false],
  [reply(0, { kind: 'timeout' }), 'unclear', true],
  [reply(0, { kind: 'garbage' }), 'unclear', true]
] as const)('an answer is told by what is usual: %#', (answer, kind, proper) => {
  expect(against(answer, baseline)).toMatchObject({ kind, proper })
})

test('who asks about crowding takes its statuses for refusals', () => {
  expect(against(reply(429), baseline, { crowding: [] }).kind).toBe('rejected')
  expect(against(reply(404), { ...baseline, status: 404 }).kind).toBe('accepted')
})

const said = (body: string) => {
  const json = body.startsWith('{') ? JSON.parse(body) : undefined
  return reply(200, { body, json, received: body.length })
}
const bodies = ['{"id":1,"at":"9"}', 'Hello, it is 10:01', '']

test.each(bodies)('a success of another form is a soft refusal: %s', async (usual) => {
  const baseline = await findBaseline(async () => said(usual))
  if (typeof baseline === 'string') throw new Error(baseline)
  const next = usual.replaceAll(/\d/g, '77')
  const asked = { crowding: [], isSame: true }
  expect(against(said(next), baseline, asked).kind).toBe('accepted')
  const soft = against(said('{"error":"slow down"}'), baseline, asked)
  expect(soft).toMatchObject({ kind: 'rejected', because: expect.stringContaining('slow down') })
  // Of another size of the question another form may be the answer.
  expect(against(said('{"error":"slow down"}'), baseline).kind).toBe('accepted')
})

test('a redirect is a refusal where the same question was answered, and else says nothing', () => {
  const usual = { ...baseline, status: 200 }
  const led = against(reply(302), usual, { crowding: [], isSame: true })
  expect(led).toMatchObject({ kind: 'rejected', because: expect.stringContaining('not as usual') })
  expect(against(reply(302), usual).kind).toBe('unclear')
})

test('where no two answers are alike, none is of another form', async () => {
  const words = ['one', 'two', 'three', 'four']
  const baseline = await findBaseline(async () => said(words.shift()!))
  if (typeof baseline === 'string') throw new Error(baseline)
  expect(against(said('four'), baseline, { isSame: true }).kind).toBe('accepted')
})
