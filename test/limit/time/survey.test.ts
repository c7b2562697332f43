import { once } from 'node:events'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createLineMaker, type Line } from '../../../src/client/line.ts'
import { clock } from '../../../src/clock.ts'
import { coursesOf, type WaitName } from '../../../src/limit/time/course.ts'
import { surveyAge, surveyRequests } from '../../../src/limit/time/survey-use.ts'
import { surveyWait } from '../../../src/limit/time/survey-waits.ts'
import { follow } from '../../../src/limit/time/wait-sighting.ts'

const answer: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('ok'))
}

/** How to ask a real server with these times, for at most `upToMs`. */
async function asking(options: ServerOptions, listener = answer, upToMs = 1_800) {
  const server = createServer(options, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const maker = createLineMaker({ endpoint: { url }, clock })
  const ordinary = { method: 'GET', path: '/', headers: [] }
  return { server, maker, ordinary, upToMs, clock, stopped: () => false }
}

test('how a server ends what keeps it waiting, and what had begun by then', async () => {
  const times = { headersTimeout: 900, requestTimeout: 900, connectionsCheckingInterval: 50 }
  const hurried = await asking(times)
  const forgetful = await asking({ keepAliveTimeout: 300, keepAliveTimeoutBuffer: 0 })
  const seen = async (name: WaitName, index: number) => {
    const asked = name === 'idle' ? forgetful : hurried
    const { maker, ordinary } = asked
    const about = { ordinary, address: maker.address, upToMs: 30_000 }
    const line = await maker.open()
    const course = coursesOf(name, about)[index]!
    const sighting = await follow(line as Line, course, {
      ...asked,
      upToMs: 30_000,
      now: clock.now
    })
    const { status, how } = sighting.ending!
    return [sighting.marks.flatMap(({ starts }) => starts).join(), status, how].join(' ')
  }
  const all = [
    seen('idle', 0),
    seen('header-time', 0),
    seen('header-time', 1),
    seen('body-time', 0)
  ]
  expect(await Promise.all(all)).toEqual([
    'connection,first byte,last byte,answer 0 closed',
    'connection 408 closed',
    'connection,first byte,last byte 408 closed',
    'connection,first byte,head,last byte 408 closed'
  ])
  expect(await surveyWait('response-time', forgetful)).toEqual({
    outcome: 'inapplicable',
    because: 'answered 200: ask a path that takes too long to answer'
  })
})

test('who answers without waiting cannot be kept waiting', async () => {
  const hasty = (_: unknown, response: { end: (text: string) => void }) => response.end('ok')
  const options = await asking({ keepAlive: false }, hasty as RequestListener, 30_000)
  expect(await surveyWait('body-time', options)).toMatchObject({ outcome: 'inapplicable' })
})

test('who is out of patience with a body may answer as if it were whole', async () => {
  const given = await asking({}, (request, response) => {
    const timer = setTimeout(() => response.writeHead(200, { connection: 'close' }).end(), 900)
    request.resume().on('end', () => {
      clearTimeout(timer)
      response.end('ok')
    })
  })
  const found = await surveyWait('body-time', given)
  const readings = 'lines' in found ? found.lines.map(({ reading }) => reading) : []
  const ended = { kind: 'found', status: 200, how: 'closed' }
  expect(readings).toMatchObject([ended, ended])
  // Whoever takes as long for a whole request has no patience to lose.
  const slow = await asking({}, (_, response) => setTimeout(() => response.end('ok'), 900))
  expect(await surveyWait('body-time', slow)).toMatchObject({ outcome: 'inapplicable' })
})

test('how many requests a connection takes', async () => {
  const options = await asking({})
  options.server.maxRequestsPerSocket = 7
  const found = { kind: 'found', value: 7, below: 0, how: 'announced' }
  expect(await surveyRequests(options, 20)).toEqual(found)
  expect(await surveyRequests(options, 6)).toEqual({ kind: 'unlimited', value: 6 })
})

test('who refuses from some number on lets the connection be, and that is told', async () => {
  const counts = new WeakMap<object, number>()
  const options = await asking({}, (request, response) => {
    const count = (counts.get(request.socket) ?? 0) + 1
    counts.set(request.socket, count)
    response.writeHead(count > 7 ? 429 : 200).end('ok')
  })
  const found = { kind: 'found', value: 7, below: 0, how: 'refused', status: 429 }
  expect(await surveyRequests(options, 12)).toEqual(found)
})

test('who counts the requests of all connections, or by time, ends none by number', async () => {
  let asked = 0
  const each = await asking({}, (request, response) => {
    if (++asked % 40 === 0) return request.socket.destroy()
    return response.end('ok')
  })
  const closed = expect.stringMatching(/^connections ended after .* not their number alone$/)
  const unclear = { outcome: 'inconclusive', because: closed }
  expect(await surveyRequests(each, 200)).toEqual(unclear)
  let left = 9
  const limited = await asking({}, (request, response) => {
    if (left-- > 0) return response.end('ok')
    return request.socket.destroy()
  })
  expect(await surveyRequests(limited, 50)).toEqual(unclear)
  // By then it takes none at all, which is no number of requests either.
  const none = { outcome: 'inconclusive', because: 'closed before any answer' }
  expect(await surveyRequests(limited, 50)).toEqual(none)
})

test('what would take longer than there is time for is said early, with how long', async () => {
  const slow = await asking({}, (_, response) => setTimeout(() => response.end('ok'), 10))
  const said: string[] = []
  const manner = { leftMs: () => 600, onProgress: (text: string) => said.push(text) }
  expect(await surveyRequests(slow, 2_000, manner)).toEqual({
    outcome: 'inconclusive',
    because: expect.stringMatching(
      /^no end in \d+ requests, which take [1-9]\d+ ms each: 2,000 take about/
    )
  })
  expect(said).toEqual([
    expect.stringMatching(
      /^requests-per-connection: 2,000 on one connection take about [1-9]\d+ s$/
    )
  ])
})

test('an end by number is none by age', async () => {
  const options = await asking({ keepAliveTimeout: 30_000 }, answer, 3_000)
  options.server.maxRequestsPerSocket = 2
  expect(await surveyAge(options)).toEqual({
    outcome: 'inconclusive',
    because: 'each connection ended after 2 requests, whatever its age'
  })
})
