import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Announcement } from '../../../src/platform/platform.ts'
import { random } from '../../../src/random.ts'
import { sink } from '../../../src/servers/sink.ts'
import { api, door } from '../api.ts'

/** How often the platform is killed; many more with `KILLS=50`. */
const kills = Number(process.env.KILLS ?? 8)
const clients = 4
const folder = mkdtempSync(join(tmpdir(), 'kill-'))
const chance = random(Number(process.env.SEED ?? 1), 'kill')
let child: ChildProcess
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

async function start(): Promise<Announcement> {
  child = fork(join(import.meta.dirname, '../program.ts'), [folder])
  const [{ announcement }] = await once(child, 'message')
  return announcement
}

/** Asks for a path of a zone; whether all of the answer came. */
function visit({ edge, hosts }: Announcement, path: string, agent: Agent): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const request = get(edge + path, { agent, headers: { host: hosts.pro } }, (response) => {
    response.resume()
    response.once('end', () => resolve(response.complete))
    response.once('error', () => resolve(false))
  })
  request.once('error', () => resolve(false))
  return promise
}

test(`no acknowledged request is lost when the platform is killed (${kills} times)`, async () => {
  await using logs = await sink()
  const inbox = logs.inbox('logs')
  const acknowledged: string[] = []
  let said = await start()
  const body = {
    dataset: 'http_requests',
    destination_conf: inbox.url,
    output_options: { field_names: ['ClientRequestURI'] },
    max_upload_records: 20,
    max_upload_interval_seconds: 0.01
  }
  await api(said)('POST', `/zones/${said.zones.pro}/logpush/jobs`, { body })

  for (let round = 0; round < kills; round++) {
    const agent = new Agent({ keepAlive: true })
    const until = acknowledged.length + 1 + Math.floor(chance() * 150)
    if (chance() < 0.5) inbox.refuse({ batches: 1, status: 503 })
    const work = async (client: number) => {
      for (let number = 0; ; number++) {
        const path = `/echo?${round}-${client}-${number}`
        if (!(await visit(said, path, agent))) return
        acknowledged.push(path)
        if (acknowledged.length === until) setTimeout(() => child.kill('SIGKILL'), chance() * 20)
      }
    }
    const gone = once(child, 'exit')
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
    await gone
    agent.destroy()
    said = await start()
  }

  inbox.refuse({ batches: 0, status: 503 })
  const deliver = () => door(said)('POST', `/zones/${said.zones.pro}/logpush/deliver`)
  await deliver()
  await deliver()
  const counts = new Map<unknown, number>()
  for (const { ClientRequestURI: uri } of inbox.records())
    counts.set(uri, (counts.get(uri) ?? 0) + 1)
  expect(acknowledged.length).toBeGreaterThanOrEqual(kills)
  expect(acknowledged.filter((path) => !counts.has(path))).toEqual([])
  // What came twice came in batches that say they are the same.
  expect([...counts].filter(([, count]) => count > 1)).toEqual([])
  const names = Map.groupBy(inbox.batches, ({ headers }) => headers['x-logpush-batch'])
  for (const those of names.values())
    expect(new Set(those.map(({ digest }) => digest)).size).toBe(1)
}, 300_000)
