import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRunFolder } from '../../../src/cli/saved/run-folder.ts'

const startedAt = '2026-11-21T10:00:00.000Z'
const out = () => mkdtempSync(join(tmpdir(), 'plimsoll-runs-'))

function created(folder: string): { made: string; notes: string[] } {
  const notes: string[] = []
  return { made: createRunFolder(folder, startedAt, (text) => notes.push(text)), notes }
}

test('latest points at the newest of several runs that begin in one second', () => {
  const folder = out()
  const runs = [1, 2, 3].map(() => created(folder))
  expect(runs.map(({ made }) => made.slice(folder.length + 1))).toEqual([
    '2026-11-21T10-00-00',
    '2026-11-21T10-00-00-2',
    '2026-11-21T10-00-00-3'
  ])
  expect(readlinkSync(join(folder, 'latest'))).toBe('2026-11-21T10-00-00-3')
  expect(runs.flatMap(({ notes }) => notes)).toEqual([])
  expect(readdirSync(folder)).toHaveLength(4)
})

test('a folder named latest stays, with all that is in it', () => {
  const folder = out()
  mkdirSync(join(folder, 'latest', 'thesis'), { recursive: true })
  writeFileSync(join(folder, 'latest', 'thesis', 'chapter-1'), 'ten years of work')
  const { made, notes } = created(folder)
  expect(readFileSync(join(folder, 'latest', 'thesis', 'chapter-1'), 'utf8')).toMatch(/ten years/)
  expect(notes).toEqual([expect.stringContaining(made)])
})

test.each([
  ['a file', (latest: string) => writeFileSync(latest, 'mine')],
  ['a link to elsewhere', (latest: string) => symlinkSync('/', latest)],
  ['a link to a folder of another name', (latest: string) => symlinkSync('stable', latest)]
])('%s named latest stays as it is', (_, make) => {
  const folder = out()
  const latest = join(folder, 'latest')
  make(latest)
  const before = readdirSync(folder, { withFileTypes: true }).map((one) => one.isSymbolicLink())
  const { notes } = created(folder)
  expect(notes[0]).toMatch(/latest is not the link that runs make/)
  const after = readdirSync(folder, { withFileTypes: true })
  expect(after.map(({ name }) => name).sort()).toEqual(['2026-11-21T10-00-00', 'latest'])
  expect(after.filter(({ name }) => name === 'latest').map((one) => one.isSymbolicLink())).toEqual(
    before
  )
})

test('a name that a dangling link has is no name for a run', () => {
  const folder = out()
  symlinkSync('nowhere', join(folder, '2026-11-21T10-00-00'))
  expect(created(folder).made).toBe(join(folder, '2026-11-21T10-00-00-2'))
})
