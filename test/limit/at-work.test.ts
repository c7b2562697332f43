import { createServer, type RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { clock } from '../../src/clock.ts'
import { surveyDimension } from '../../src/limit/survey.ts'
import { listen } from '../client/servers.ts'

/** What is found out about how many at once a server works on. */
async function concurrency(listener: RequestListener) {
  const client = createClient({ endpoint: { url: await listen(createServer(listener)) } })
  onTestFinished(client.close)
  const ordinary = { method: 'GET', path: '/', headers: [] }
  const how = { ordinary, repeats: 2, ceiling: 12, stopped: () => false }
  const found = await surveyDimension('concurrency', { client, clock, ...how })
  if ('because' in found) return [found.outcome]
  return found.boundaries.map(({ variant, status, boundary: { accepted, rejected } }) => {
    return [variant, accepted, rejected, status]
  })
}

/** Works on so many at a time, from when a request is whole, or begun, and refuses others. */
function working(most: number, from: 'whole' | 'begun'): RequestListener {
  let underWay = 0
  return async (request, response) => {
    if (from === 'whole') for await (const _ of request.resume());
    if (underWay >= most) return response.writeHead(429).end()
    underWay++
    await sleep(150)
    underWay--
    response.end()
  }
}

test('how many are worked on is found where that is counted once they are whole', async () => {
  const held = ['under way', 12, undefined, 0]
  const found = await Promise.all([7, 1].map((most) => concurrency(working(most, 'whole'))))
  expect(found[0]).toEqual([['at work', 7, 8, 429], held])
  expect(found[1]).toEqual([['at work', 1, 2, 429], held])
})

test('who does not wait for the end of a request is asked by whole ones', async () => {
  expect(await concurrency(working(5, 'begun'))).toEqual([['at work', 5, 6, 429]])
})

test('a bucket that fills slowly, or while one is worked on, is no limit on that', async () => {
  const found = [60_000, 8].map((everyMs) => {
    let [tokens, then] = [7, Date.now()]
    return concurrency(async (request, response) => {
      for await (const _ of request.resume());
      tokens = Math.min(7, tokens + (Date.now() - then) / everyMs)
      then = Date.now()
      const isTaken = tokens >= 1
      if (isTaken) tokens--
      await sleep(60)
      response.writeHead(isTaken ? 200 : 429).end()
    })
  })
  expect((await Promise.all(found)).join()).not.toContain('at work')
})
