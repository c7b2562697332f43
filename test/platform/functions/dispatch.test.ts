import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { BodyTooLarge } from '../../../src/platform/edge/metered.ts'
import type { EdgeRequest } from '../../../src/platform/edge/request.ts'
import { countRequests } from '../../../src/platform/functions/admission.ts'
import { begun } from '../../../src/platform/functions/begun.ts'
import { dispatcher } from '../../../src/platform/functions/dispatch.ts'
import { addDomain } from '../../../src/platform/functions/domain.ts'
import {
  type Answer,
  FunctionFailed,
  type Invocation,
  type Outcome
} from '../../../src/platform/functions/isolate/contract.ts'
import type { FunctionPlan } from '../../../src/platform/functions/plan.ts'
import { addRoute, type FailMode } from '../../../src/platform/functions/route.ts'
import { listSecurityEvents } from '../../../src/platform/kernel/security-event.ts'
import { zoneByHost } from '../../../src/platform/kernel/zone.ts'
import { bodyOf, stage, textOf } from './stage.ts'

type Invoked = (invocation: Invocation & { kind: 'fetch' }, name: string) => Promise<Answer>

const hello: Invoked = async (_, name) => ({
  status: 201,
  headers: [
    ['X-A', '1'],
    ['Connection', 'close']
  ],
  body: bodyOf('hello from ', name)
})

/** A zone with a function on some of its paths, and something to ask it with. */
function street(
  invoke: Invoked = hello,
  plan: FunctionPlan = 'standard',
  failMode: FailMode = 'closed'
) {
  const at = stage()
  const account = at.account(plan)
  const zone = at.zone(account, 'home.test')
  const target = at.deployed(account)
  const route = { pattern: 'home.test/f*', function: target.id, failMode }
  addRoute(at.store, { zone, route }, at.limits)
  addDomain(at.store, target, 'api.home.test')
  const limits = { ...at.limits, requests: { perMinute: 2, perDay: 3 } }
  const stand = dispatcher({ ...at, limits, depthOf: () => 0 }, (to, invocation) =>
    invoke(invocation as any, to.name)
  )
  const ask = async (address: string, given: Partial<EdgeRequest> = {}) => {
    const [, host = '', uri = '/'] = /^([^/]*)(.*)$/.exec(address)!
    const request = {
      ...{ ray: 'ray', method: 'GET', host, uri, path: uri.replace(/\?.*/, ''), version: '1.1' },
      headers: [['Host', host]],
      declaredBytes: 0,
      from: { address: '::1', port: 1, to: 2 },
      body: bodyOf(),
      ...given
    } as EdgeRequest
    const gone = new AbortController().signal
    const served = await stand(request, { zone: zoneByHost(at.store, host)!, gone })
    if (served === undefined) return undefined
    const { body } = served
    return { ...served, body: typeof body === 'string' ? body : await textOf(body) }
  }
  return { ...at, account, zone, target, ask }
}

test.each([
  ['home.test/f1?a=b', 'hello from fn'],
  ['api.home.test/any', 'hello from fn'],
  ['home.test/other', undefined],
  ['shop.home.test/f1', undefined]
])('%s: %s', async (address, expected) => {
  expect((await street().ask(address))?.body).toBe(expected)
})

test('a function has a host on the shared subdomain, where nothing else is', async () => {
  const { ask, target, account } = street()
  expect((await ask(`${target.host}/any`))?.body).toBe('hello from fn')
  expect(await ask(`nobody.${account.subdomain}/`)).toMatchObject({ status: 404 })
  expect(await ask(`${account.subdomain}/`)).toMatchObject({ status: 404 })
})

test('an answer goes on without what belongs to the connection', async () => {
  const served = await street().ask('home.test/f')
  expect(served).toEqual({ status: 201, headers: [['X-A', '1']], body: 'hello from fn' })
})

test('a function sees the request as it came', async () => {
  const seen: unknown[] = []
  const { ask, zone } = street(async (invocation) => {
    seen.push({ ...invocation, body: invocation.body && (await textOf(invocation.body)) })
    return { status: 204, headers: [], body: null }
  })
  const headers: EdgeRequest['headers'] = [
    ['Host', 'home.test:81'],
    ['X-A', '1']
  ]
  const given = { method: 'POST', headers, declaredBytes: undefined, body: bodyOf('a', 'b') }
  await ask('home.test/f?q', given as never)
  await ask('home.test/f')
  expect(seen[0]).toMatchObject({
    ...{ id: 'ray', kind: 'fetch', method: 'POST', url: 'http://home.test:81/f?q', headers },
    body: 'ab',
    context: { zoneId: zone.id, depth: 0 },
    facts: { clientAddress: '::1' }
  })
  expect(seen[1]).toMatchObject({ method: 'GET', body: null })
})

test.each([
  ['exception', 500, '1101'],
  ['internal', 500, '1101'],
  ['exceededCpu', 503, '1102'],
  ['exceededMemory', 503, '1102']
] as [Outcome, number, string][])(
  '%s is answered with %i and error %s',
  async (outcome, status, code) => {
    const { ask } = street(async () => {
      throw new FunctionFailed('no', { outcome, passesThrough: false })
    })
    expect(await ask('home.test/f')).toMatchObject({ status, body: `error code: ${code}\n` })
    const html = await ask('home.test/f', { headers: [['Accept', 'text/html,*/*']] })
    expect(html!.body).toContain(`<h1>Error ${code}</h1>`)
  }
)

test.each([
  [new FunctionFailed('no', { outcome: 'exceededMemory', passesThrough: false }), 503, '1102'],
  [new Error('no more'), 500, '1101']
])('an answer that breaks off before its first byte is none: %s', async (reason, status, code) => {
  const body = Readable.from([])
  body.destroy(reason)
  const { ask } = street(async () => ({ status: 200, headers: [], body }))
  expect(await ask('home.test/f')).toMatchObject({ status, body: `error code: ${code}\n` })
})

test('an answer that breaks off behind its first byte is cut off there', async () => {
  async function* broken() {
    yield Buffer.from('x')
    throw new Error('no more')
  }
  const { ask } = street(async () => ({ status: 200, headers: [], body: broken() }))
  await expect(ask('home.test/f')).rejects.toThrow('no more')
})

test('a body that nobody reads on is let go, whatever of it has come', async () => {
  let isLetGo = false
  async function* endless() {
    try {
      for (;;) yield Buffer.from('x')
    } finally {
      isLetGo = true
    }
  }
  const { body } = await begun({ status: 200, headers: [], body: endless() })
  for await (const chunk of body!) {
    expect(`${chunk}`).toBe('x')
    break
  }
  expect(isLetGo).toBe(true)
})

test('a function that asked for it is passed by when it fails, but for bodies', async () => {
  const { ask } = street(async () => {
    throw new FunctionFailed('no', { outcome: 'exception', passesThrough: true })
  })
  expect(await ask('home.test/f')).toBeUndefined()
  expect(await ask('home.test/f', { declaredBytes: 3 })).toMatchObject({ status: 500 })
})

test('what is wrong with the body of a request is not the function’s fault', async () => {
  const { ask } = street(async ({ body }) => {
    await textOf(body!).catch(() => {})
    throw new FunctionFailed('no', { outcome: 'exception', passesThrough: false })
  })
  async function* endless() {
    yield Buffer.from('x')
    throw new BodyTooLarge()
  }
  const sent = { declaredBytes: undefined, body: endless() } as never
  await expect(ask('home.test/f', sent)).rejects.toBeInstanceOf(BodyTooLarge)
})

test('too many in a minute are refused, and told as a security event', async () => {
  const { ask, store, zone } = street(hello, 'free')
  const statuses: unknown[] = []
  for (let request = 0; request < 3; request++) statuses.push((await ask('home.test/f'))!.status)
  expect(statuses).toEqual([201, 201, 429])
  const refused = await ask('api.home.test/')
  expect(refused).toMatchObject({ status: 429, body: 'error code: 1015\n' })
  expect(refused!.headers).toContainEqual(['Retry-After', '60'])
  const event = { source: 'rate-limit', action: 'block', ruleId: 'worker', ray: 'ray' }
  expect(listSecurityEvents(store, zone.id)).toMatchObject([event, { ...event, path: '/' }])
})

test.each([
  ['closed', { status: 429, body: 'error code: 1027\n' }],
  ['open', undefined]
] as const)('when the day is used up, fail-%s', async (failMode, expected) => {
  const { ask, store, account } = street(hello, 'free', failMode)
  countRequests(store, { account: account.id, scope: account.id, day: '2024-02-29' }, 3)
  const served = await ask('home.test/f')
  if (expected) expect(served).toMatchObject(expected)
  else expect(served).toBeUndefined()
  expect(await ask('api.home.test/')).toMatchObject({ status: 429, body: 'error code: 1027\n' })
})
