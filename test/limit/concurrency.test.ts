import { createServer, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createClient, type RawRequest } from '../../src/client/client.ts'
import { type Clock, clock as machineClock } from '../../src/clock.ts'
import { askInCrowd } from '../../src/limit/concurrency.ts'
import { listen, serve } from '../client/servers.ts'

const baseline = { status: 200, slowestMs: 100 }
const upload: RawRequest = { method: 'POST', path: '/', body: { bytes: 2, framing: 'length' } }
const plain: RawRequest = { method: 'GET', path: '/' }

/** A clock whose waits that can be called off last until they are, or no time at all. */
function clockOf(patience: 'endless' | 'none'): Clock {
  return {
    now: machineClock.now,
    async until(time, signal) {
      if (signal === undefined) return machineClock.until(time)
      if (patience === 'none') return
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
  }
}

function crowd(
  url: string,
  size: number,
  question = upload,
  patience: 'endless' | 'none' = 'endless'
) {
  const client = createClient({ endpoint: { url } })
  onTestFinished(client.close)
  return askInCrowd(size, { client, question, baseline, clock: clockOf(patience) })
}

const whole = async (request: IncomingMessage) => {
  for await (const _ of request);
}

/** A server that works on so many requests at once, and does with others what it is told. */
async function busy(most: number, beyond: 'refuses' | 'queues') {
  let underWay = 0
  const queue: (() => void)[] = []
  return serve(async (request, response) => {
    if (underWay >= most && beyond === 'refuses') return response.writeHead(503).end()
    if (underWay >= most) await new Promise<void>((resolve) => queue.push(resolve))
    underWay++
    await whole(request)
    underWay--
    queue.shift()?.()
    response.end('done')
  })
}

test('as many as are let in at once are accepted, and one more is refused', async () => {
  const url = await busy(7, 'refuses')
  expect(await crowd(url, 1)).toMatchObject({ kind: 'accepted' })
  expect(await crowd(url, 7)).toMatchObject({ kind: 'accepted' })
  const beyond = await crowd(url, 8)
  expect(beyond).toMatchObject({ kind: 'rejected', proper: true, because: 'HTTP 503' })
})

test('one that has to wait for others has met a limit', async () => {
  const url = await busy(4, 'queues')
  expect(await crowd(url, 4)).toMatchObject({ kind: 'accepted' })
  expect(await crowd(url, 5, upload, 'none')).toMatchObject({
    kind: 'rejected',
    proper: false,
    because: 'answered only once others had ended'
  })
})

test('one that was only slow to come has not', async () => {
  let asked = 0
  const slow: Clock = {
    now: machineClock.now,
    async until(time, signal) {
      // The first patience is over at once, the second never.
      if (signal === undefined) return machineClock.until(time)
      if (asked++ > 0) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
  }
  const client = createClient({ endpoint: { url: await busy(4, 'refuses') } })
  onTestFinished(client.close)
  const answer = await askInCrowd(3, { client, question: upload, baseline, clock: slow })
  expect(answer).toMatchObject({ kind: 'accepted' })
})

test('connections that are closed are counted before a request is whole', async () => {
  const server = createServer((_, response) => response.end('done'))
  server.maxConnections = 5
  const url = await listen(server)
  expect(await crowd(url, 5, plain)).toMatchObject({ kind: 'accepted' })
  expect(await crowd(url, 6, plain)).toMatchObject({ kind: 'rejected', proper: false })
})

test('who answers before a request is whole cannot be crowded', async () => {
  const url = await serve((_, response) => response.end('done'))
  const answer = await crowd(url, 3)
  expect(answer).toMatchObject({ kind: 'unclear' })
  expect(answer.because).toContain('before all of the request was there')
})
