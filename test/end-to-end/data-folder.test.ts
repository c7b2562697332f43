import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Life, startLife } from '../bench/kills/life.ts'
import { openStore } from '../platform/store.ts'
import { plimsoll } from './plimsoll.ts'

let folder: string
let life: Life | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-'))
})
afterEach(async () => {
  await life?.kill()
  life = undefined
  rmSync(folder, { recursive: true })
})

/** A folder whose platform was killed, without the log of its last life. */
async function withoutLog() {
  await (await startLife(folder)).kill()
  rmSync(join(folder, 'platform.db-wal'))
}

const platform = (...flags: string[]) =>
  plimsoll('platform', '--port', '0', '--json', '--data', folder, ...flags)

test('a damaged folder is named, with what is missing and what can be done', async () => {
  await withoutLog()
  const { code, stderr, stdout } = await platform()
  expect(code).toBe(64)
  expect(stdout).toBe('')
  for (const part of [folder, 'platform.db-wal is missing', '--repair', '--new'])
    expect(stderr).toContain(part)
  expect(stderr).not.toMatch(/\n +at /)
}, 120_000)

test('what cannot be repaired says so, and to begin anew takes an agreement', async () => {
  openStore(folder).close()
  truncateSync(join(folder, 'platform.db'))
  const repair = await platform('--repair')
  expect([repair.code, repair.stderr]).toEqual([64, expect.stringContaining('cannot be repaired')])
  const unasked = await platform('--new')
  expect([unasked.code, unasked.stderr]).toEqual([64, expect.stringContaining('--yes')])
  expect(readdirSync(folder).sort()).toEqual(['identity.json', 'platform.db'])
  life = await startLife(folder, ['--new', '--yes'])
  const names = readdirSync(folder)
  expect(names).toContain('platform.db')
  const aside = names.find((name) => name.startsWith('before-new-'))!
  expect(readdirSync(join(folder, aside)).sort()).toEqual(['identity.json', 'platform.db'])
}, 120_000)

test('a repair keeps what is there and says what is lost', async () => {
  const first = await startLife(folder)
  const { token } = first.said
  await first.kill()
  openStore(folder).close()
  await withoutLog()
  life = await startLife(folder, ['--repair'])
  expect(life.said.token).toBe(token)
  expect(life.complaint()).toMatch(/Repaired:\n {2}- platform.db-wal is missing/)
}, 120_000)

test.each([
  [['--repair'], /--repair is about the folder of --data/],
  [['--new', '--yes'], /--new is about the folder of --data/],
  [['--repair', '--new', '--data', 'x'], /--repair keeps the folder and --new does not/]
])('%j is a wrong usage', async (flags, message) => {
  const { code, stderr } = await plimsoll('platform', '--port', '0', ...flags)
  expect(code).toBe(64)
  expect(stderr).toMatch(message)
})
