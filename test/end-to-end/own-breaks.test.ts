import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePorts } from '../free-ports.ts'
import { plimsoll, plimsollJson, start } from './plimsoll.ts'
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

test('a canary hides no check that cannot fail', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-library-'))
  cpSync(document, folder, { recursive: true })
  writeFileSync(
    join(folder, '_canaries.ts'),
    `import type { Canaries } from 'plimsoll'
import { reader } from './_reader.ts'
export const canaries: Canaries = {
  service: {
    async ask({ service }) {
      const reply = await reader(service).get('/books?tag=none')
      return { works: reply.json?.books?.length === 0, reply }
    },
    isOwn: (reply) => reply.json !== undefined || reply.body === ''
  }
}
`
  )
  const file = join(folder, 'books', 'list.ts')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace("'books.sorted', isSorted", "'books.sorted', true")
  )
  const { code, json } = await plimsollJson(
    ...['mutants', '--tamper', 'books/list', '--scenarios', folder, '--target', url]
  )
  expect(json.doubted).toEqual([])
  const named = json.blind.map(({ clause, because }: Record<string, string>) => [clause, because])
  const doubted = expect.stringContaining('as it does without the canaries that doubted answers')
  expect(named).toEqual([['books.sorted', doubted]])
  expect(json.seen.map(({ clause }: { clause: string }) => clause).sort()).toEqual([
    ...['books.by-tag', 'books.limit']
  ])
  expect(code).toBe(1)
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
  expect(json).toMatchObject({ mutants: 17, killed: 16, survived: [] })
  expect(json.inconclusive).toEqual(['other-status'])
  expect(json.untrusted).toEqual([])
  expect(code).toBe(2)
}, 300_000)

test('a break of which nothing can be told is neither caught nor survived', async () => {
  const { at, serve } = await unserved()
  const breaks = 'no-start=books.sorted,dies,all-503,unsorted=books.sorted'
  const flags = ['--scenarios', document, '--target', at, '--breaks', breaks]
  const command = ['--target-cmd', `${serve} --break {}`]
  const { code, json } = await plimsollJson('mutants', 'books/list', ...flags, ...command)
  expect(json).toMatchObject({ killed: 1, survived: [], score: 0.25 })
  expect(json.inconclusive).toEqual(['no-start', 'dies', 'all-503'])
  const [noStart, dies, all503, unsorted] = json.found
  expect(noStart).toMatchObject({ clause: 'books.sorted', state: 'inconclusive', fell: [] })
  expect(noStart.because).toMatch(/it ended with exit code 1: .*no such shelf/s)
  expect(dies.because).toMatch(/not judged any more: books.by-tag, books.sorted, books.limit/)
  expect(all503.because).toContain('HTTP 503')
  expect(unsorted).toMatchObject({ state: 'killed', clause: 'books.sorted' })
  expect(code).toBe(2)
}, 300_000)

test('a clause that does not hold unbroken shows nothing of the break that names it', async () => {
  const { at, serve } = await unserved()
  const breaks = 'filter-ignored,nothing-at-all=books.sorted'
  const flags = ['--scenarios', document, '--target', at, '--breaks', breaks]
  const command = [
    '--target-cmd',
    `${serve} --break {}`,
    '--honest-cmd',
    `${serve} --break unsorted`
  ]
  const { code, stdout } = await plimsoll('mutants', 'books/list', ...flags, ...command)
  expect(stdout).toMatch(/^killed {8}filter-ignored\n {4}fell: books.by-tag$/m)
  const why = 'books\\.sorted does not hold unbroken, fail: '
  expect(stdout).toMatch(
    new RegExp(`^inconclusive  nothing-at-all  books\\.sorted\\n    ${why}`, 'm')
  )
  expect(stdout).toContain('1 of 2 breaks caught, 1 of which nothing can be told')
  expect(stdout).toContain('\n  does not hold unbroken: books.sorted, fail: ')
  expect(stdout).not.toContain('all still holds')
  expect(code).toBe(2)
}, 300_000)

test('Ctrl-C while a break starts tells what was judged by then', async () => {
  const { at, serve } = await unserved()
  const begun = join(mkdtempSync(join(tmpdir(), 'plimsoll-begun-')), 'begun')
  const command = `echo {} >> ${begun}; ${serve} --break {}`
  const flags = ['--scenarios', document, '--target', at, '--breaks', 'unsorted,hangs,one-more']
  const asked = ['--target-cmd', command, '--honest-cmd', serve, '--json']
  const { child, ended } = start(['mutants', 'books/list', ...flags, ...asked])
  const hasBegun = () => existsSync(begun) && readFileSync(begun, 'utf8').includes('hangs')
  await expect.poll(hasBegun, { timeout: 100_000, interval: 50 }).toBe(true)
  child.kill('SIGINT')
  const { code, stdout } = await ended
  expect(JSON.parse(stdout)).toMatchObject({ mutants: 1, killed: 1, left: ['hangs', 'one-more'] })
  expect(code).toBe(130)
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
  [['--target-cmd', 'x {}', '--breaks', 'a=books.limit=c'], 64, /has more than one =/],
  [['--target-cmd', 'x {}', '--breaks', 'a,b,a'], 64, /"a" is there twice/],
  [['--target-cmd', 'x {}', '--breaks', 'a,-b'], 64, /"-b" is no name of a break: those have/],
  [
    ['books/list', '--target-cmd', 'x {}', '--breaks', 'a=book.deleted'],
    64,
    /"book.deleted", which no scenario that was chosen judges/
  ],
  [['--tamper', '--target-cmd', 'x {}', '--breaks', 'a'], 64, /leave out --target-cmd/],
  [['--target', 'http://127.0.0.1:1'], 64, /mutants are of our platform/]
])('mutants %j says what is wrong', async (flags, exit, message) => {
  const at = flags.includes('--target') ? [] : ['--target', 'http://127.0.0.1:1']
  const { code, stderr } = await refused('mutants', '--scenarios', document, ...at, ...flags)
  expect(stderr).toMatch(message)
  expect(code).toBe(exit)
})

test('a clause that the document leaves open is none that a break can be shown by', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-library-'))
  cpSync(document, folder, { recursive: true })
  const open = { id: 'book.colour', kind: 'unspecified', documented: 'nothing of its colour' }
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify([...clauses, open]))
  const { code, stderr } = await refused(
    ...['mutants', '--scenarios', folder, '--target', 'http://127.0.0.1:1'],
    ...['--target-cmd', 'x {}', '--breaks', 'a=book.colour']
  )
  expect(stderr).toMatch(/"book.colour", which the document leaves open: nothing can fail it/)
  expect(code).toBe(64)
})
