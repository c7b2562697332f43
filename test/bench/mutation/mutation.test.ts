import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Tried } from './outcome.ts'
import { allMutations, mutated } from './sites.ts'

const root = join(import.meta.dirname, '../../..')
const program = join(root, 'test/bench/mutation.ts')

const file = 'src/platform/page-protection/settings.ts'
const answer = '{ result: { enabled: after.enabled'

test('a fault is seen by the scenario about it, kept, and not tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  const out = join(folder, 'tried.ndjson')
  const line = readFileSync(join(root, file), 'utf8').split(answer)[0]!.split('\n').length
  const place = ['--line', `${file}:${line}`, '--operator', 'drop-property']
  const flags = ['--sample', '3', '--workers', '1', '--out', out, ...place, 'settings/update']
  const tried = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...flags])
    const lines = readFileSync(out, 'utf8').split('\n').filter(Boolean)
    return { stdout, all: lines.map((text) => JSON.parse(text) as Tried) }
  }
  const first = await tried()
  expect(first.all).toHaveLength(3)
  expect(first.all.map(({ result }) => result)).toEqual(['killed', 'killed', 'killed'])
  expect(first.all[0]).toMatchObject({ scenario: 'settings/update', isExact: true })
  expect(first.stdout).toContain('3 faults, seed 1')
  const again = await tried()
  expect(again.all).toEqual(first.all)
  rmSync(folder, { recursive: true })
}, 240_000)

test('there are thousands of faults, and each is of a file that is there', () => {
  const all = allMutations(root)
  expect(all.length).toBeGreaterThan(10_000)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const one of new Set(all.map(({ file }) => file)))
    expect(existsSync(join(root, one))).toBe(true)
  const [one] = all
  const text = readFileSync(join(root, one!.file), 'utf8')
  expect(text.slice(one!.start, one!.end)).toBe(one!.before)
  expect(mutated(text, one!)).not.toBe(text)
}, 60_000)
