import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Announcement } from '../../src/platform/platform.ts'
import { api } from './api.ts'

const folder = mkdtempSync(join(tmpdir(), 'platform-'))
let child: ChildProcess
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

async function start(): Promise<Announcement> {
  child = fork(join(import.meta.dirname, 'program.ts'), [folder])
  const [{ announcement }] = await once(child, 'message')
  return announcement
}

const policy = (description: string) => ({
  description,
  action: 'log',
  expression: 'true',
  enabled: false,
  value: "script-src 'self'"
})

test('everything acknowledged is there after kill -9, whatever was under way', async () => {
  const before = await start()
  const call = api(before)
  const policies = `/zones/${before.zones.pro}/page_shield/policies`
  const acknowledged = new Map<string, object>()
  const { json } = await call('PUT', `/zones/${before.zones.pro}/page_shield`, {
    body: { enabled: false }
  })

  // Eight clients write 480 of a zone's 500 policies; the platform is killed in the middle of it.
  const write = async (client: number) => {
    for (let number = 0; number < 60; number++) {
      const { json } = await call('POST', policies, { body: policy(`${client}-${number}`) })
      acknowledged.set(json.result.id, json.result)
      if (acknowledged.size === 240) child.kill('SIGKILL')
    }
  }
  const gone = once(child, 'exit')
  await Promise.allSettled(Array.from({ length: 8 }, (_, client) => write(client)))
  await gone
  expect(acknowledged.size).toBeGreaterThanOrEqual(240)
  expect(acknowledged.size).toBeLessThan(480)

  const after = await start()
  expect([after.zones, after.token, after.apiKey]).toEqual([
    before.zones,
    before.token,
    before.apiKey
  ])
  const kept = await api(after)('GET', policies)
  const found = new Map(kept.json.result.map((one: { id: string }) => [one.id, one]))
  for (const [id, result] of acknowledged) expect(found.get(id)).toEqual(result)
  const settings = await api(after)('GET', `/zones/${before.zones.pro}/page_shield`)
  expect(settings.json.result).toMatchObject(json.result)
})
