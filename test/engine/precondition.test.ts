import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { Reply } from '../../src/client/reply.ts'
import { createPrecondition, type Standing } from '../../src/engine/precondition.ts'
import type { Context } from '../../src/scenario/context.ts'
import { reply } from '../limit/replies.ts'

/** An endpoint whose canary is told, by the how-manieth it is, what comes back and shows. */
function endpoint(
  answer: (count: number) => { works: boolean; reply: Reply; sign?: string },
  more: { isAboutGarbage?: boolean; isOwn?: (reply: Reply) => boolean } = {}
) {
  let asked = 0
  const standing: Standing = { isTried: false }
  const { isOwn, isAboutGarbage } = more
  const precondition = createPrecondition({
    endpoints: ['service'],
    isAboutGarbage,
    canaries: { service: { ask: async () => answer(++asked), isOwn } },
    contextFor: () => ({}) as Context,
    connect: () => ({}) as Client,
    standingOf: () => standing
  })
  return { ...precondition, asked: () => asked }
}

const good = { works: true, reply: reply(200) }

test('an endpoint is tried sixty times at first, and once from then on', async () => {
  const { missing, asked } = endpoint(() => good)
  expect(await missing()).toBeUndefined()
  expect(asked()).toBe(61)
  expect(await missing()).toBeUndefined()
  expect(asked()).toBe(62)
})

test('one lost answer is no outage, three are', async () => {
  const lost = { works: false, reply: reply(503) }
  expect(await endpoint((count) => (count === 2 ? good : lost)).missing()).toBeUndefined()
  expect(await endpoint(() => lost).missing()).toContain('canary of service does not work')
  const told = { works: false, reply: reply(503, { body: 'try npm install' }) }
  expect(await endpoint(() => told).missing()).toContain('does not work: HTTP 503 try npm')
})

test.each([
  ['a page', { works: false, reply: reply(200) }],
  ['a refusal', { works: false, reply: reply(413) }],
  ['what another one was told', { works: true, reply: reply(200), sign: 'another zone' }]
])('%s in between is the end of all evidence', async (_, strange) => {
  const { missing } = endpoint((count) => (count === 20 ? strange : good))
  expect(await missing()).toContain('something else answers in place of service at times')
  expect(await missing()).toContain('something else answers')
})

test('an accusation is vouched for eight times for each request, up to a hundred', async () => {
  const { vouch, asked } = endpoint(() => good)
  expect(await vouch(new Map([['service', 3]]))).toBeUndefined()
  expect(asked()).toBe(24)
  expect(await vouch(new Map([['service', 1_000]]))).toBeUndefined()
  expect(asked()).toBe(124)
})

test('a lost canary speaks against an accusation, and against nothing else', async () => {
  const lost = { works: false, reply: reply(503) }
  const asked = new Map([['service', 1]])
  const sick = () => endpoint((count) => (count === 5 ? lost : good))
  expect(await sick().vouch(asked)).toContain('canary of service does not work')
  expect(await sick().stranger(asked)).toBeUndefined()
})

test('what nobody can read is no service, but to who asks about that', async () => {
  const odd = { works: true, reply: reply(200, { body: '{"half' }) }
  const isOwn = ({ json }: Reply) => json !== undefined
  expect(await endpoint(() => odd, { isOwn }).missing()).toContain('service says can be read')
  expect(await endpoint(() => odd, { isOwn, isAboutGarbage: true }).missing()).toBeUndefined()
})

test('who let three canaries wait is not asked again, who lost three is', async () => {
  const late = { works: false, reply: reply(0, { kind: 'timeout' }) }
  const mute = endpoint(() => late)
  const fault = await mute.missing()
  expect(await mute.missing()).toBe(fault)
  expect(mute.asked()).toBe(3)
  const lost = endpoint((count) => (count === 2 ? { works: false, reply: reply(503) } : late))
  await lost.missing()
  await lost.missing()
  expect(lost.asked()).toBe(6)
})
