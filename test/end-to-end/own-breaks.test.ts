import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePorts } from '../free-ports.ts'
import { plimsoll, plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

const document = join(import.meta.dirname, 'library')
const program = join(import.meta.dirname, 'library-server.js')
const clauses: { id: string }[] = JSON.parse(readFileSync(join(document, 'clauses.json'), 'utf8'))
const ids = clauses.map(({ id }) => id).sort()

let url = ''
let server: ChildProcess

/** A place where nobody listens yet, and the command that serves the library there. */
async function unserved() {
  const port = await freePorts(1)
  return { at: `http://127.0.0.1:${port}`, serve: `"${process.execPath}" "${program}" ${port}` }
}

beforeAll(async () => {
  const port = await freePorts(1)
  url = `http://127.0.0.1:${port}`
  server = spawn(process.execPath, [program, `${port}`, '--tell'], { stdio: ['ignore', 'pipe', 2] })
  await once(server.stdout!, 'data')
})
afterAll(() => server.kill())

test('every check of another team’s document sees that answers were tampered with', async () => {
  const { code, json } = await plimsollJson(
    ...['mutants', '--tamper', '--scenarios', document, '--target', url]
  )
  expect(json).toMatchObject({ checks: 15, doubted: [], blind: [], left: [], score: 1 })
  expect(json.seen.map(({ clause }: { clause: string }) => clause).sort()).toEqual(ids)
  expect(code).toBe(0)
}, 300_000)

test('a check that looks at nothing is blind, and so is one at half of what it says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-library-'))
  cpSync(document, folder, { recursive: true })
  const file = join(folder, 'books', 'list.ts')
  const careless = readFileSync(file, 'utf8')
    .replace("'books.sorted', isSorted", "'books.sorted', true")
    .replace("'books.limit', two.json?.books?.length === 2", "'books.limit', two.status !== 500")
  writeFileSync(file, careless)
  const { code, json } = await plimsollJson(
    ...['mutants', '--tamper', 'books/list', '--scenarios', folder, '--target', url]
  )
  const blind = json.blind.map(({ clause }: { clause: string }) => clause)
  expect(blind.sort()).toEqual(['books.limit', 'books.sorted'])
  for (const { tried, of } of json.blind) expect(tried).toBeGreaterThan(of / 2)
  expect(json.seen).toMatchObject([{ clause: 'books.by-tag', scenario: 'books/list' }])
  expect(code).toBe(1)

  const because = 'the order is looked at elsewhere'
  writeFileSync(join(folder, 'blind.json'), JSON.stringify([{ scenario: 'books', because }]))
  const known = await plimsoll(
    ...['mutants', '--tamper', 'books/list', '--scenarios', folder, '--target', url]
  )
  expect(known.stdout).toMatch(/BLIND {5}books\.sorted.*\n.*\n {4}known: the order is/)
  expect(known.stdout).toContain('1 of 3 checks see that answers were tampered with, 2 blind')
  expect(known.stdout).not.toMatch(/ {2}blind: /)
  expect(known.code).toBe(0)
}, 300_000)

const breaks = [
  ...['anybody=library.token', 'created-200=book.created', 'no-location=book.location'],
  ...['title-lost=book.field.title', 'pages-as-text=book.field.pages'],
  ...['tags-lost=book.field.tags', 'title-optional=book.title-needed'],
  ...['long-titles=book.title-length', 'short-titles=book.title-length'],
  ...['other-status', 'bad-json-taken=book.json-needed', 'unknown-200=book.unknown'],
  ...['kept=book.deleted', 'lent-twice=book.lent-once', 'filter-ignored=books.by-tag'],
  ...['unsorted=books.sorted', 'one-more=books.limit']
]

test('another team’s own breaks are caught, each by the clause it names', async () => {
  const { at, serve } = await unserved()
  const asked = ['mutants', '--scenarios', document, '--target', at, '--breaks', breaks.join()]
  const { code, json } = await plimsollJson(...asked, '--target-cmd', `${serve} --break {}`)
  // A refusal of another status leaves what is a refusal unclear, and accuses nobody.
  expect(json).toMatchObject({ mutants: 17, killed: 16, survived: ['other-status'] })
  expect(json.untrusted).toEqual([])
  expect(code).toBe(1)
}, 300_000)

test('a break that changes nothing survives, and clauses nothing broke are named', async () => {
  const { at, serve } = await unserved()
  const flags = ['--scenarios', document, '--target', at, '--breaks', 'unsorted,nothing-at-all']
  const command = ['--target-cmd', `${serve} --break={}`, '--honest-cmd', serve]
  // This server knows no --break=NAME: both of them change nothing.
  const { code, json } = await plimsollJson('mutants', 'books/list', ...flags, ...command)
  expect(json).toMatchObject({ killed: 0, survived: ['unsorted', 'nothing-at-all'], score: 0 })
  expect(json.untrusted.sort()).toEqual(['books.by-tag', 'books.limit', 'books.sorted'])
  expect(code).toBe(1)
}, 300_000)

test.each([
  [['--breaks', 'a'], 64, /--target-cmd and --breaks belong together/],
  [['--target-cmd', 'x', '--breaks', 'a'], 64, /has no \{\} for the break/],
  [['--target-cmd', 'x {}', '--breaks', 'a b'], 64, /"a b" is no name of a break/],
  [['--target-cmd', 'x {}', '--breaks', 'a=b'], 64, /the clause "b", which is not in clauses/],
  [['--tamper', '--target-cmd', 'x {}', '--breaks', 'a'], 64, /leave out --target-cmd/],
  [['--target', 'http://127.0.0.1:1'], 64, /mutants are of our platform/]
])('mutants %j says what is wrong', async (flags, exit, message) => {
  const at = flags.includes('--target') ? [] : ['--target', 'http://127.0.0.1:1']
  const { code, stderr } = await refused('mutants', '--scenarios', document, ...at, ...flags)
  expect(stderr).toMatch(message)
  expect(code).toBe(exit)
})
