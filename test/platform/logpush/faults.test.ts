import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createEgress } from '../../../src/platform/kernel/egress/egress.ts'
import { override } from '../../../src/platform/kernel/override.ts'
import { openTime } from '../../../src/platform/kernel/time.ts'
import { listJobs } from '../../../src/platform/logpush/job.ts'
import { openLogs } from '../../../src/platform/logpush/logs.ts'
import { logpushRules } from '../../../src/platform/logpush/rules.ts'
import { startPlatform } from '../../../src/platform/platform.ts'
import { api, door } from '../api.ts'
import { head, talk } from '../wire.ts'
import { stocked } from './stocked.ts'
import { settled } from './virtual.ts'

const allowEgress = ['127.0.0.1:*']
const outlets = { egress: createEgress({ allowed: allowEgress }) }

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

/** A destination that takes batches, and behaves as it is told to after it has read each. */
async function destination(options: { port?: number } = {}) {
  const batches: { name: unknown; lines: string[] }[] = []
  const behaviour: { now: Behaviour } = { now: (_request, response) => response.end() }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const lines = gunzipSync(Buffer.concat(chunks)).toString().trimEnd().split('\n')
    batches.push({ name: request.headers['x-logpush-batch'], lines })
    behaviour.now(request, response)
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((done) => server.close(done))
  }
  onTestFinished(close)
  return {
    ...{ batches, close, port: (server.address() as AddressInfo).port },
    behave: (now: Behaviour) => void Object.assign(behaviour, { now })
  }
}

/** Log push on a store of its own, that gives deliveries little time and records each a number. */
function logging(port: number, more: object = {}) {
  const { store, zone, addJob } = stocked()
  const scaled = override(logpushRules, { limits: { deliveryMs: 200, ...more } })
  const logs = openLogs({ rules: scaled, store, time: openTime(store), outlets })
  onTestFinished(async () => {
    await logs.close()
    store.close()
  })
  addJob({
    destination_conf: `http://127.0.0.1:${port}/`,
    output_options: { field_names: ['RayID'] },
    max_upload_interval_seconds: 300
  })
  let count = 0
  return {
    async record(number: number) {
      for (let end = count + number; count < end; count++)
        await logs.record('http_requests', zone.id, { RayID: `${count}` })
    },
    deliver: () => logs.deliver(zone.id),
    job: () => listJobs(store, zone.id)[0]!
  }
}

/** The numbers of all records, those of a batch that came again once. */
function numbers(batches: { name: unknown; lines: string[] }[]): number[] {
  const byName = Map.groupBy(batches, ({ name }) => name)
  for (const those of byName.values())
    for (const { lines } of those) expect(lines).toEqual(those[0]!.lines)
  return [...byName.values()].flatMap(([first]) =>
    first!.lines.map((line) => Number(JSON.parse(line).RayID))
  )
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)

const faults: [name: string, Behaviour, because: RegExp][] = [
  ['answers 500', (_request, response) => response.writeHead(500).end(), /^HTTP 500$/],
  ['answers 302', (_request, response) => response.writeHead(302).end(), /^HTTP 302$/],
  ['never answers', () => {}, /^no answer within 200 ms$/],
  ['resets the connection', ({ socket }) => socket.resetAndDestroy(), /ECONNRESET|closed/],
  ['ends the connection', ({ socket }) => socket.end(), /closed/]
]

test.each(faults)('a destination that %s gets it all in the end, in order', async (...fault) => {
  const [, behaviour, because] = fault
  const to = await destination()
  const { record, deliver, job } = logging(to.port)
  await record(5)
  to.behave(behaviour)
  await deliver()
  await record(5)
  await deliver()
  expect(job().error_message).toMatch(because)
  expect(job()).toMatchObject({ last_complete: null, last_error: expect.any(String) })
  to.behave((_request, response) => response.end())
  await deliver()
  // It has read every batch, whatever it said: those it did not acknowledge came again.
  expect(to.batches.length).toBeGreaterThan(2)
  expect(numbers(to.batches)).toEqual(upTo(10))
  expect(job()).toMatchObject({ error_message: null, last_complete: expect.any(String) })
})

test('a destination that was down gets it all when it is up', async () => {
  const before = await destination()
  await before.close()
  const { record, deliver, job } = logging(before.port)
  await record(3)
  await deliver()
  expect(job().error_message).toContain('ECONNREFUSED')
  const to = await destination({ port: before.port })
  await record(3)
  await deliver()
  expect(numbers(to.batches)).toEqual(upTo(6))
})

test('a full spool loses what comes, says so, and takes more when there is room', async () => {
  const to = await destination()
  const { record, deliver, job } = logging(to.port, { spoolBytes: 100 })
  to.behave((_request, response) => response.writeHead(500).end())
  await record(20)
  await deliver()
  const kept = 20 - job().records_lost
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(20)
  to.behave((_request, response) => response.end())
  await deliver()
  expect(numbers(to.batches)).toEqual(upTo(kept))
  await record(1)
  await deliver()
  expect(numbers(to.batches)).toEqual([...upTo(kept), 20])
})

test('what happens at once is one commit, and nobody is answered before it', async () => {
  const to = await destination()
  const { record, deliver } = logging(to.port)
  await Promise.all(upTo(50).map(() => record(1)))
  await deliver()
  expect(to.batches.map(({ lines }) => lines.length)).toEqual([50])
})

test('the edge answers however long a destination takes', async () => {
  const to = await destination()
  const held: ServerResponse[] = []
  to.behave((_request, response) => void held.push(response))
  const running = await startPlatform({ port: 0, allowEgress })
  onTestFinished(running.close)
  const { announcement: said } = running
  const body = {
    dataset: 'http_requests',
    destination_conf: `http://127.0.0.1:${to.port}/`,
    output_options: { field_names: ['ClientRequestURI'] },
    max_upload_records: 1
  }
  await api(said)('POST', `/zones/${said.zones.pro}/logpush/jobs`, { body })
  const visit = (number: number) => {
    const lines = [`Host: ${said.hosts.pro}`, 'Connection: close']
    return talk(said.edge, [head(`GET /echo?${number}`, ...lines)])
  }
  await visit(0)
  while (held.length === 0) await settled()
  const answers = await Promise.all(upTo(30).map((number) => visit(number + 1)))
  expect(answers.every(({ statuses }) => statuses[0] === 200)).toBe(true)
  expect(to.batches).toHaveLength(1)

  to.behave((_request, response) => response.end())
  held[0]!.end()
  await door(said)('POST', `/zones/${said.zones.pro}/logpush/deliver`)
  const uris = to.batches.flatMap(({ lines }) => lines).map((line) => JSON.parse(line))
  expect(uris).toHaveLength(31)
})
