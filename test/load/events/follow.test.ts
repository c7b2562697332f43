import { describe, expect, test } from 'vitest'
import type { EventsResponse } from '../../../src/load/events/follow.ts'
import type { EventsOptions } from '../../../src/load/events/hearing.ts'
import { closed } from '../../../src/load/load.ts'
import type { Iteration } from '../../../src/load/requests/journey.ts'
import { ask } from '../ask.ts'
import { type Behaviour, listen } from '../server.ts'

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n'
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const events = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `id: ${from + n}\ndata: ${from + n}\n\n`).join('')

/** Answers each request with these events, and ends the response. */
const whole =
  (text: string): Behaviour =>
  (socket) =>
    socket.write(`${chunked}${chunk(text)}0\r\n\r\n`)

/** One user who listens to one stream so many times, and what came of each. */
async function listened(
  behave: Behaviour,
  options: EventsOptions = {},
  { times = 1, ...how }: { times?: number; transport?: 'wire' | 'undici'; timeoutMs?: number } = {}
) {
  const { url, accepted } = await listen(behave)
  const all: EventsResponse[] = []
  const iteration: Iteration = async ({ events }) => all.push(await events({ url }, options))
  const load = closed({ users: 1, iterations: times, timeoutMs: how.timeoutMs ?? 5_000 })
  const result = await ask(iteration, load, { transport: how.transport ?? 'wire' })
  const { firstEvent, eventGap, ...own } = result.own!
  return {
    ...{ all, one: all[0]!, result, accepted: accepted(), results: result.results },
    firsts: firstEvent?.count ?? 0,
    gaps: eventGap?.count ?? 0,
    sum: (name: string) => own[name]?.sum
  }
}

describe.each(['wire', 'undici'] as const)('by %s', (transport) => {
  test('a stream that the target ends is whole', async () => {
    const seen = await listened(whole(events(1, 5)), {}, { times: 3, transport })
    expect(seen.results).toEqual({ 200: 3 })
    expect([seen.firsts, seen.gaps, seen.sum('events'), seen.sum('reconnects')]).toEqual([
      ...[3, 12, 15, 0]
    ])
    expect(seen.one).toMatchObject({ ending: 'answered', status: 200, ok: true, events: 5 })
    expect(seen.one.last).toEqual({ type: 'message', data: '5', id: '5' })
    expect(seen.one.firstMs).toBeGreaterThanOrEqual(0)
    expect(seen.accepted).toBe(1)
  })

  test.each<[string, EventsOptions]>([
    ['a number of events', { until: 3 }],
    ['an event with that data', { until: '3' }],
    ['an event that a function knows', { until: ({ id }) => id === '3' }]
  ])('a stream without an end is left after %s', async (_, options) => {
    const endless: Behaviour = (socket) => socket.write(chunked + chunk(events(1, 4)))
    const seen = await listened(endless, options, { times: 2, transport })
    expect(seen.results).toEqual({ 200: 2 })
    expect(seen.sum('events')).toBe(6)
    expect(seen.one).toMatchObject({ ok: true, events: 3, last: { data: '3' } })
    expect(seen.accepted).toBe(2)
  })

  test('one that is listened to for a while is left after it', async () => {
    const endless: Behaviour = (socket) => socket.write(chunked + chunk(events(1, 4)))
    const seen = await listened(endless, { seconds: 0.05 }, { transport })
    expect(seen.results).toEqual({ 200: 1 })
    expect(seen.one).toMatchObject({ ending: 'answered', events: 4 })
  })

  test('one that is broken off before its end is not whole', async () => {
    const seen = await listened(whole(events(1, 2)), { until: 3 }, { transport })
    expect(seen.results).toEqual({ closed: 1 })
    expect(seen.one).toMatchObject({ ending: 'closed', status: 0, ok: false, events: 2 })
    expect(seen.result.connections.ends).toEqual({ 'closed: the stream ended too early': 1 })
  })

  test('an event that is larger than anything that is taken', async () => {
    const flood = 'x'.repeat(1_024 * 1_024)
    const endless: Behaviour = (socket) => {
      socket.write(`${chunked}${chunk('data: ')}`)
      for (let sent = 0; sent < 5; sent++) socket.write(chunk(flood))
    }
    const seen = await listened(endless, {}, { transport })
    expect(seen.results).toEqual({ oversized: 1 })
    expect(seen.result.connections.ends).toEqual({
      'oversized: an event of more than 4194304 bytes': 1
    })
  })

  test('what is no event stream', async () => {
    const html: Behaviour = (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi')
    const page = await listened(html, {}, { transport })
    expect(page.results).toEqual({ malformed: 1 })
    expect(page.result.connections.ends).toEqual({
      'malformed: it is text/html, not text/event-stream': 1
    })
    const packed: Behaviour = (socket) =>
      socket.write(`${head}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi`)
    const seen = await listened(packed, {}, { transport })
    expect(seen.results).toEqual({ malformed: 1 })
    expect(seen.result.connections.ends).toEqual({ 'malformed: it is encoded (gzip)': 1 })
  })

  test('another status is an answer, without events', async () => {
    const busy: Behaviour = (socket) =>
      socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nhi')
    const seen = await listened(busy, { until: 3 }, { times: 2, transport })
    expect(seen.results).toEqual({ 503: 2 })
    expect([seen.firsts, seen.accepted]).toEqual([0, 1])
  })

  test('none at all in time is a first event that is at least that late', async () => {
    const silent: Behaviour = (socket) => socket.write(chunked)
    const seen = await listened(silent, {}, { transport, timeoutMs: 50 })
    expect(seen.results).toEqual({ timeout: 1 })
    expect(seen.firsts).toBe(1)
    expect(seen.result.own!['firstEvent.service']!.min).toBeGreaterThanOrEqual(50)
  })
})

test('a stream that was left is no connection that the target lost', async () => {
  const endless: Behaviour = (socket) => socket.write(chunked + chunk(events(1, 4)))
  const { result } = await listened(endless, { until: 2 }, { times: 5 })
  expect(result.connections).toMatchObject({ lost: 0 })
})

test('one whose end came along with its last event keeps its connection', async () => {
  const { accepted, sum } = await listened(whole(events(1, 9)), { until: 2 }, { times: 5 })
  expect([accepted, sum('events')]).toEqual([1, 10])
})

test('a stream without an event is not whole, nor is a 204', async () => {
  const silent = await listened(whole(': nothing yet\n\n'))
  expect(silent.results).toEqual({ closed: 1 })
  expect(silent.result.connections.ends).toEqual({
    'closed: the stream ended without an event': 1
  })
  const none: Behaviour = (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')
  const thenNone: Behaviour = (socket, request, before) => {
    if (/last-event-id/i.test(request)) none(socket, request, before)
    else whole(`retry: 1\n${events(1, 2)}`)(socket, request, before)
  }
  for (const options of [{}, { until: 5 }, { reconnects: 3 }]) {
    const seen = await listened(none, options)
    expect(seen.results).toEqual({ closed: 1 })
    // It says that there is nothing to come back for.
    expect(seen.sum('reconnects')).toBe(0)
  }
  expect((await listened(thenNone, { reconnects: 3 })).results).toEqual({ 200: 1 })
  const early = await listened(thenNone, { reconnects: 3, until: 5 })
  expect(early.results).toEqual({ closed: 1 })
})

describe('a stream goes on where it broke off', () => {
  test('after the id that it gave last, when it said', async () => {
    const asked: string[] = []
    const behave: Behaviour = (socket, request) => {
      const [, after = '0'] = /last-event-id: (\d+)/i.exec(request) ?? []
      asked.push(after)
      const from = Number(after) + 1
      socket.write(`${chunked}${chunk(`retry: 1\n${events(from, from + 1)}`)}0\r\n\r\n`)
    }
    const { one, results, gaps, sum } = await listened(behave, { until: 5, reconnects: 9 })
    expect(asked).toEqual(['0', '2', '4'])
    expect(one).toMatchObject({ ok: true, events: 5, reconnects: 2, last: { data: '5' } })
    expect(results).toEqual({ 200: 1 })
    expect([gaps, sum('reconnects')]).toEqual([4, 2])
  })

  test('also when its connection broke, and no more often than may be', async () => {
    const behave: Behaviour = (socket) =>
      void socket.write(chunked + chunk(`retry: 1\n${events(1, 1)}`), () => socket.destroy())
    const { one, results } = await listened(behave, { until: 'x', reconnects: 2 })
    expect(one).toMatchObject({ ok: false, events: 3, reconnects: 2 })
    expect(results).toEqual({ closed: 1 })
  })

  test('as one request, which lasts until its end, over breaks and waits', async () => {
    const behave: Behaviour = (socket, request) => {
      const after = Number(/last-event-id: (\d+)/i.exec(request)?.[1] ?? 0)
      const part = `${chunked}${chunk(`retry: 60\n${events(after + 1, after + 1)}`)}`
      if (after === 1) socket.write(`${part}0\r\n\r\n`)
      else socket.write(part, () => socket.destroy())
    }
    const options = { until: 3, reconnects: 9 }
    const { one, result, results } = await listened(behave, options, { times: 2 })
    expect(results).toEqual({ 200: 2 })
    expect(result.response.count).toBe(2)
    expect(result.response.minUs).toBeGreaterThanOrEqual(120_000)
    expect(result.service.minUs).toBeGreaterThanOrEqual(120_000)
    expect(one.ms).toBeGreaterThanOrEqual(120)
    expect(result.connections.ends).toBeUndefined()
  })

  test('but not when that would be later than all of it may be', async () => {
    const behave: Behaviour = (socket) =>
      void socket.write(`${chunked}${chunk(`retry: 5000\n${events(1, 1)}`)}0\r\n\r\n`)
    const options = { until: 3, reconnects: 9 }
    const { one, results, sum } = await listened(behave, options, { timeoutMs: 2_000 })
    expect(results).toEqual({ closed: 1 })
    expect([one.reconnects, sum('reconnects')]).toEqual([0, 0])
  })

  test('and all of it is a timeout when its parts together take too long', async () => {
    const behave: Behaviour = (socket, request) => {
      const isAgain = /last-event-id/i.test(request)
      const part = `${chunked}${chunk(`retry: 30\n${events(1, 1)}`)}`
      if (isAgain) socket.write(part)
      else setTimeout(() => socket.write(`${part}0\r\n\r\n`), 200)
    }
    const { results } = await listened(behave, { until: 3, reconnects: 9 }, { timeoutMs: 300 })
    expect(results).toEqual({ timeout: 1 })
  })
})

test('tokens are counted, and how many a second come after the first', async () => {
  const behave: Behaviour = (socket) => {
    socket.write(chunked + chunk('data: one\n\n'))
    setTimeout(() => socket.write(`${chunk('data: two three\n\ndata: [DONE]\n\n')}0\r\n\r\n`), 20)
  }
  const tokens: EventsOptions['tokens'] = ({ data }) =>
    data === '[DONE]' ? 0 : data.split(' ').length
  const { result, sum } = await listened(behave, { until: '[DONE]', tokens })
  expect(sum('tokens')).toBe(3)
  const { count, max } = result.own!.tokenRate!
  expect(count).toBe(1)
  expect(max).toBeLessThanOrEqual(2 / 0.015)
})

test('what a function of the author throws is a fault of the scenario', async () => {
  const { url } = await listen(whole(events(1, 3)))
  const iteration: Iteration = ({ events }) =>
    events(
      { url },
      {
        onEvent() {
          throw new Error('mine')
        }
      }
    )
  const { faults, results } = await ask(iteration, closed({ users: 1, iterations: 2 }))
  expect(faults).toEqual({ mine: 2 })
  expect(results).toEqual({ 200: 2 })
})

test('what cannot be asked of a stream is said', async () => {
  const iteration: Iteration = ({ events }) => events({ url: 'http://127.0.0.1:9/' }, { until: 0 })
  const { faults } = await ask(iteration, closed({ users: 1, iterations: 1 }))
  expect(Object.keys(faults)).toEqual([expect.stringMatching(/^events: until: /)])
})

test('an id that no header can hold is not sent, and one in UTF-8 is', async () => {
  const asked: (string | undefined)[] = []
  const ids = ['\u0001', 'ä']
  const behave: Behaviour = (socket, request) => {
    asked.push(/last-event-id: (.*)\r/i.exec(request)?.[1])
    socket.write(
      `${chunked}${chunk(`retry: 1\nid: ${ids[asked.length - 1]}\ndata: 1\n\n`)}0\r\n\r\n`
    )
  }
  await listened(behave, { until: 3, reconnects: 2 })
  expect(asked).toEqual([undefined, undefined, Buffer.from('ä').toString('latin1')])
})

test('a request of a list may ask for events, and is held against checks', async () => {
  const { url } = await listen(whole(events(1, 3)))
  const { results, checks, own } = await ask(
    [{ url, events: { until: 2 } }, { url }],
    closed({ users: 1, iterations: 4 }),
    { checks: { 'is there': ({ ok }) => ok } }
  )
  expect(results).toEqual({ 200: 4 })
  expect(checks).toEqual({ 'is there': { passed: 4, failed: 0 } })
  expect(own!.events!.sum).toBe(4)
})
