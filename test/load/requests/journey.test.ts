import { describe, expect, test } from 'vitest'
import { closed, hold, open, warmUp } from '../../../src/load/load.ts'
import type { Iteration } from '../../../src/load/requests/journey.ts'
import { ask } from '../ask.ts'
import { type Behaviour, listen } from '../server.ts'

/** Answers with what it was asked for: the path, and the body if there is one. */
const echo: Behaviour = (socket, chunk) => {
  for (const request of chunk.split(/(?=(?:GET|POST) )/)) {
    const path = request.split(' ')[1]!
    const body = JSON.stringify({ path, sent: request.split('\r\n\r\n')[1] })
    const status = path === '/missing' ? '404 Not Found' : '200 OK'
    const head = `HTTP/1.1 ${status}\r\nX-Path: ${path}\r\nX-Path: again`
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  }
}

describe.each(['wire', 'uring', 'undici'] as const)('by %s', (transport) => {
  test('a request of its own for each iteration', async () => {
    const paths: string[] = []
    const { url } = await listen((socket, chunk, before) => {
      paths.push(chunk.split(' ')[1]!)
      echo(socket, chunk, before)
    })
    const iteration: Iteration = ({ n }) => ({ url: `${url}items/${n}`, route: '/items/:n' })
    const { results, routes, begun } = await ask(iteration, closed({ users: 3, iterations: 30 }), {
      transport
    })
    expect(begun).toBe(30)
    expect(results).toEqual({ 200: 30 })
    expect(routes['/items/:n']!.response.count).toBe(30)
    expect(paths.toSorted()).toEqual(Array.from({ length: 30 }, (_, n) => `/items/${n}`).toSorted())
  })

  test('several requests, each made from what came before', async () => {
    const { url } = await listen(echo)
    const seen: unknown[] = []
    const iteration: Iteration = async ({ n, send, check }) => {
      const first = await send({ url: `${url}first`, route: 'first' })
      const body = JSON.stringify({ n, after: first.json.path })
      const second = await send({ url: `${url}second`, method: 'POST', body, route: 'second' })
      const third = await send({ url: `${url}missing` })
      check('the echo is true', second.json.sent === body)
      check('what is missing is there', third.ok)
      seen.push(first.headers['x-path'], third.status)
    }
    const result = await ask(iteration, closed({ users: 2, iterations: 10 }), { transport })
    expect(result.results).toEqual({ 200: 20, 404: 10 })
    expect(result.begun).toBe(10)
    expect(result.iteration.count).toBe(10)
    expect(result.routes.first!.results).toEqual({ 200: 10 })
    expect(result.routes.second!.results).toEqual({ 200: 10 })
    expect(result.checks).toEqual({
      'the echo is true': { passed: 10, failed: 0 },
      'what is missing is there': { passed: 0, failed: 10 }
    })
    expect(seen.slice(0, 2)).toEqual(['/first, again', 404])
    expect(result.faults).toEqual({})
  })

  test('a dead target is a response without an answer', async () => {
    const { url } = await listen((socket) => socket.destroy())
    const endings: string[] = []
    const iteration: Iteration = async ({ send }) => {
      const { ending, status, body, json } = await send({ url })
      endings.push(ending)
      expect({ status, body, json }).toEqual({ status: 0, body: '', json: undefined })
    }
    await ask(iteration, closed({ users: 1, iterations: 2 }), { transport })
    expect(endings).toEqual(['closed', 'closed'])
  })
})

test('iterations may go to several origins', async () => {
  const [one, other] = [await listen(echo), await listen(echo)]
  const requests = [{ url: one.url }, { url: other.url }]
  const inTurn = await ask(requests, closed({ users: 2, iterations: 10 }))
  expect(inTurn.results).toEqual({ 200: 10 })
  expect(inTurn.connections.opened).toBe(4)
  const iteration: Iteration = async ({ send }) => {
    for (const request of requests) await send(request)
  }
  expect((await ask(iteration, closed({ users: 2, iterations: 10 }))).results).toEqual({ 200: 20 })
})

test('responses of plain requests can be checked', async () => {
  const { url } = await listen(echo)
  const checks = {
    answered: ({ ok }: { ok: boolean }) => ok,
    stumbles: ({ json }: { json: any }) => json.nowhere.at.all
  }
  const result = await ask({ url }, closed({ users: 1, iterations: 5 }), { checks })
  expect(result.checks).toEqual({
    answered: { passed: 5, failed: 0 },
    stumbles: { passed: 0, failed: 5 }
  })
})

test.each<[string, Iteration]>([
  [
    'at once',
    () => {
      throw new Error('no such row')
    }
  ],
  ['later', () => Promise.reject(new Error('no such row'))],
  ['for want of a URL', () => ({ url: 'nowhere' })]
])('a scenario that throws %s is at fault, and the load goes on', async (_, iteration) => {
  const { faults, health, results, begun } = await ask(
    iteration,
    closed({ users: 2, seconds: 0.1 })
  )
  expect(results).toEqual({})
  expect(Object.values(faults)).toEqual([begun])
  expect(begun).toBeLessThan(40)
  expect(health.valid).toBe(false)
  expect(health.reasons.join()).toContain('the scenario threw')
})

test('what a scenario throws in the warm-up is not held against what is measured', async () => {
  const { url } = await listen(echo)
  const iteration: Iteration = ({ n }) => {
    if (n < 20) throw new Error('warming')
    return { url }
  }
  const warm = warmUp(hold({ rate: 100, seconds: 0.2 }))
  const load = open(warm, hold({ rate: 100, seconds: 0.2 }))
  const { faults, begun, results } = await ask(iteration, load)
  expect({ faults, begun, results }).toEqual({ faults: {}, begun: 40, results: { 200: 20 } })
})

test('iterations that ask nothing do not keep others from being heard', async () => {
  const load = { ...open(hold({ rate: 200, seconds: 0.2 })), connections: 1 }
  const { begun, unfinished } = await ask(async () => {}, load)
  expect({ begun, unfinished }).toEqual({ begun: 40, unfinished: 0 })
})

test('chance is the same for the same iteration, whoever makes it', async () => {
  const draw = async (count: number) => {
    const drawn: Record<number, number> = {}
    const iteration: Iteration = async ({ n, random }) => {
      drawn[n] = random()
    }
    for (let index = 0; index < count; index++) {
      await ask(iteration, closed({ users: 4, iterations: 12 }), { share: { index, count } })
    }
    return drawn
  }
  expect(await draw(3)).toEqual(await draw(1))
})
