import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertZone } from '../../../src/platform/kernel/zone.ts'
import type { Announcement } from '../../../src/platform/platform.ts'
import { unconfigured } from '../../../src/platform/waf/previous/configuration.ts'
import { changeWaf, readWaf } from '../../../src/platform/waf/zone-waf.ts'
import { openStore } from '../store.ts'
import type { Act } from './model.ts'
import { madeZone } from './zone.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waf-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const program = (name: string) => join(import.meta.dirname, name)

/** What is kept of the zone after its migration was killed before the n-th write. */
async function keptAfter(fatalWrite: number) {
  rmSync(folder, { recursive: true })
  const before = openStore(folder)
  insertZone(before, { id: 'a', account: 'owner', plan: 'pro', host: 'a.test' })
  changeWaf(before, 'a', { configuration: { ...unconfigured, enabled: true } })
  before.close()
  const child = fork(program('dying.ts'), [folder, String(fatalWrite)])
  const [, signal] = await once(child, 'exit')
  const after = openStore(folder)
  const kept = readWaf(after, 'a')
  after.close()
  return { kept, isKilled: signal === 'SIGKILL' }
}

test('killed before a write of it, a migration has not happened; after all, it has', async () => {
  for (let write = 0; ; write++) {
    const { kept, isKilled } = await keptAfter(write)
    expect(kept.configuration.enabled).toBe(true)
    if (isKilled) {
      expect([kept.migration.state, kept.entrypoint]).toEqual(['start', undefined])
      continue
    }
    expect(write).toBeGreaterThan(0)
    expect(kept.migration.state).toBe('pending')
    expect(kept.entrypoint!.rules.length).toBeGreaterThan(0)
    return
  }
})

async function start(): Promise<{ said: Announcement; child: ChildProcess }> {
  const child = fork(program('../program.ts'), [folder])
  const [{ announcement }] = await once(child, 'message')
  return { said: announcement, child }
}

const update: Act = { kind: 'update', value: 'pending', body: 'active' }

test('after kill -9 every zone is migrated or not, and those said to be are', async () => {
  const { said, child } = await start()
  const zones = await Promise.all(
    Array.from({ length: 24 }, () => madeZone(said, { plan: 'pro', completionMs: 0 }))
  )
  const acknowledged = new Set<string>()
  const gone = once(child, 'exit')
  await Promise.allSettled(
    zones.map(async (zone) => {
      if ((await zone.statusOf(update)) === 200) acknowledged.add(zone.path)
      if (acknowledged.size === 8) child.kill('SIGKILL')
    })
  )
  await gone
  expect(acknowledged.size).toBeGreaterThanOrEqual(8)

  const again = await start()
  for (const zone of zones) {
    const at = zone.at(again.said)
    const { migration_state: state, old_waf_status, new_waf_status } = await at.status()
    const isMigrated = state === 'complete'
    if (acknowledged.has(zone.path)) expect(isMigrated).toBe(true)
    expect([old_waf_status, new_waf_status]).toEqual(isMigrated ? ['off', 'on'] : ['on', 'off'])
    expect(await at.previousApi()).toBe(isMigrated ? 410 : 200)
    expect(await at.isProtected()).toBe(true)
  }
  again.child.kill('SIGKILL')
  await once(again.child, 'exit')
})
