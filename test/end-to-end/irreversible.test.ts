import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../src/platform/platform.ts'
import { plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

let running: Platform
let folder: string
let target: string
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  const { management, token, zones } = running.announcement
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-irreversible-'))
  target = join(folder, 'target.json')
  const headers = { authorization: `Bearer ${token}` }
  // A target like any other: nothing is known of it but its API and its zones.
  const endpoints = { management: { url: management, headers } }
  writeFileSync(target, JSON.stringify({ name: 'foreign', endpoints, zones }))
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true })
})

async function stateOf(plan: string): Promise<string> {
  const { management, token, zones } = running.announcement
  const url = `${management}/zones/${zones[plan]}/waf_migration/status`
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return ((await response.json()) as any).result.migration_state
}

const migrating = ['run', 'waf/completion-pro', '--target'] as const

async function verdictWith(...flags: string[]) {
  const { code, json } = await plimsollJson(...migrating, target, ...flags)
  const [{ outcome, because }] = json.verdicts
  return { code, outcome, because, state: await stateOf('pro') }
}

test('a zone is used up if it was allowed by its name, once, and never otherwise', async () => {
  for (const flags of [[], ['--allow-irreversible', 'business']])
    expect(await verdictWith(...flags)).toEqual({
      code: 2,
      outcome: 'blocked',
      because: expect.stringContaining('allow it with --allow-irreversible pro'),
      state: 'start'
    })
  const both = ['--allow-irreversible', 'business', '--allow-irreversible', 'pro']
  expect(await verdictWith(...both)).toMatchObject({ code: 0, outcome: 'pass', state: 'complete' })
  expect(await verdictWith(...both)).toMatchObject({
    code: 2,
    outcome: 'blocked',
    because: expect.stringContaining('used up')
  })
  expect(await stateOf('business')).toBe('start')
})

test('a name that no zone of the target has is wrong usage', async () => {
  const { code, stderr } = await refused(...migrating, target, '--allow-irreversible', 'prod')
  expect([code, stderr]).toEqual([64, expect.stringContaining('names free, pro')])
})
