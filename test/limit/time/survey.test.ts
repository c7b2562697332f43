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

test('how many requests a connection takes', async () => {
  const options = await asking({})
  options.server.maxRequestsPerSocket = 7
  const found = { kind: 'found', value: 7, below: 0, how: 'announced' }
  expect(await surveyRequests(options, 20)).toEqual(found)
  expect(await surveyRequests(options, 6)).toEqual({ kind: 'unlimited', value: 6 })
})

test('an end by number is none by age', async () => {
  const options = await asking({ keepAliveTimeout: 30_000 }, answer, 3_000)
  options.server.maxRequestsPerSocket = 2
  expect(await surveyAge(options)).toEqual({
    outcome: 'inconclusive',
    because: 'each connection ended after 2 requests, whatever its age'
  })
})
