import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { plimsoll, plimsollJson, start } from './plimsoll.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-quoted-'))
afterAll(() => rmSync(folder, { recursive: true }))

const document = '# Orders\n\nA name has up to 40 characters. Prices must be positive.\n'
const clauses = `[
  { "id": "orders.name", "kind": "rule", "documented": "40 at most",
    "quote": "A name has up to 40 characters." },
  { "id": "orders.empty", "kind": "unspecified", "documented": "not said: an empty name" }
]
`
const scenario = `import { check } from 'plimsoll'
export default check({
  title: 'a', clauses: ['orders.name'], needs: ['service'], async run() {}
})
`
const place = (file: string) => join(folder, file)

beforeEach(() => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(place('document.md'), document)
  writeFileSync(place('clauses.json'), clauses)
  writeFileSync(place('name.ts'), scenario)
})

const ofFolder = ['--scenarios', folder]

test('what a document states is listed, and what no clause quotes of it', async () => {
  const { code, stdout } = await plimsoll('clauses', ...ofFolder)
  expect(stdout).toBe(`document.md:3: Prices must be positive.

✘ orders.name stands at orders:3, and clauses.json says :

1 clause of the document, 1 it leaves open; 1 quote document.md
2 sentences of document.md may be clauses, 1 of which none quotes
`)
  expect(code).toBe(0)
})

test('lines are written where they belong, and are checked from then on', async () => {
  expect((await plimsoll('clauses', '--check', ...ofFolder)).code).toBe(1)
  expect((await plimsoll('clauses', '--write', '--check', ...ofFolder)).code).toBe(0)
  const added = ',\n    "section": "orders",\n    "lines": "3" },'
  const now = readFileSync(place('clauses.json'), 'utf8')
  expect(now).toBe(clauses.replace('characters." },', `characters."${added}`))
  expect((await plimsoll('clauses', '--check', ...ofFolder)).code).toBe(0)

  writeFileSync(place('document.md'), document.replace('40', '50'))
  const { code, stdout } = await plimsoll('clauses', '--check', ...ofFolder)
  expect(stdout).toContain('✘ orders.name quotes "A name has up to 40 characters.", which')
  expect(stdout).toContain('document.md:3: A name has up to 50 characters.')
  expect(code).toBe(1)
  const run = await plimsoll('list', ...ofFolder)
  expect(run.stderr).toContain('which document.md does not say; nearest, in line 3: "A name has')
  expect(run.code).toBe(64)
})

test('a document that nobody has clauses of shows what they may be', async () => {
  const { ended } = start(['clauses', 'document.md', '--json'], { cwd: folder })
  const { code, stdout } = await ended
  expect(JSON.parse(stdout)).toMatchObject({
    counts: { clauses: 0 },
    candidates: [{ section: 'orders', line: 3 }, { line: 3 }]
  })
  expect(code).toBe(0)
})

test('quotations without a document end the command, and none need none', async () => {
  rmSync(place('document.md'))
  const quoting = await plimsoll('list', ...ofFolder)
  expect(quoting.stderr).toContain('"orders.name" quotes a document, and')
  expect(quoting.stderr).toContain('has no document.md: put it there, or leave the quotations out')
  expect(quoting.code).toBe(64)
  const check = await plimsoll('clauses', ...ofFolder)
  expect(check.stderr).toContain('has no document.md: name the document that the clauses quote')
  expect(check.code).toBe(64)
  expect((await plimsoll('clauses', 'nowhere.md', ...ofFolder)).code).toBe(64)

  writeFileSync(place('clauses.json'), clauses.replace(/,\n\s+"quote": "[^"]+"/, ''))
  const { code, stdout } = await plimsoll('list', ...ofFolder)
  expect(stdout).toContain('\n1 clause of the document, 1 it leaves open\n')
  expect(code).toBe(0)
})

test('a run says which document it was, and what it leaves open', async () => {
  const target = ['--target', 'http://127.0.0.1:9', ...ofFolder]
  const { stdout, out } = await plimsoll('run', ...target)
  expect(stdout).toContain('\n  1 of the document, 1 it leaves open\n')
  const run = join(out, 'latest')
  const [first, ...lines] = readFileSync(join(run, 'results.ndjson'), 'utf8').trim().split('\n')
  expect(JSON.parse(first!).document).toEqual({
    sha256: hash('sha256', clauses),
    clauses: 2,
    open: 1,
    source: { file: 'document.md', sha256: hash('sha256', document) }
  })
  expect(lines.map((line) => JSON.parse(line)).find(({ t }) => t === 'clause')).toMatchObject({
    quote: 'A name has up to 40 characters.',
    section: 'orders',
    lines: '3'
  })
  const { json } = await plimsollJson('list', ...ofFolder)
  expect(json.coverage).toEqual({ clauses: 2, claimed: 1, stated: 1, open: 1, quoted: 1 })
})

const page = `<html><body><h2>Orders</h2>
<p>A name has up to 40 characters. Prices must be positive.</p>
<p>An order may be deleted.</p></body></html>
`

test('candidates are taken over by their lines, with the document they quote', async () => {
  const own = mkdtempSync(join(tmpdir(), 'plimsoll-taken-'))
  writeFileSync(join(own, 'limits.html'), page)
  const scenarios = join(own, 'scenarios')
  const from = ['clauses', join(own, 'limits.html'), '--scenarios', scenarios]
  const wrong = await plimsoll(...from, '--take', '1,2')
  expect(wrong).toMatchObject({ code: 64, stderr: expect.stringContaining('on line 1: without') })
  expect(existsSync(scenarios)).toBe(false)
  const first = await plimsoll(...from, '--take', '3=orders.gone')
  expect([first.stderr, first.code]).toEqual(['', 0])
  expect(first.stdout).toMatch(/^limits\.html:3: rule orders\.gone\n.* 1 clauses more, 1 in all\n$/)

  const quoted = ['clauses', '--scenarios', scenarios]
  expect((await plimsoll(...quoted, '--take', 'all')).stdout).toMatch(
    /^document\.html:2: limit orders\.name-characters\ndocument\.html:2: rule orders\.prices/
  )
  const { json, code } = await plimsollJson(...quoted, '--check')
  expect(code).toBe(0)
  expect(json).toMatchObject({ faults: [], candidates: [], counts: { clauses: 3, quoted: 3 } })

  for (const [given, message] of [
    ['x', /--take x is no line: say --take 12/],
    ['9', /no candidate begins on line 9/],
    ['', /--take alone asks, in a terminal/]
  ] as const) {
    const refused = await plimsoll(...quoted, '--take', given)
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringMatching(message) })
  }
  const other = await plimsoll('clauses', place('document.md'), ...quoted.slice(1), '--take', 'all')
  expect(other).toMatchObject({ code: 64, stderr: expect.stringContaining('name another') })
})

/** What a person types in a terminal, which `script` makes. */
test('in a terminal each candidate is asked about', async () => {
  const own = mkdtempSync(join(tmpdir(), 'plimsoll-asked-'))
  writeFileSync(join(own, 'limits.html'), page)
  const launcher = resolve('src/launch.js')
  const command = `${process.execPath} ${launcher} clauses limits.html --take`
  const shell = spawn('script', ['-qec', command, '/dev/null'], { cwd: own })
  let [told, answered] = ['', 0]
  const answers = ['y', 'n', 'orders.may-go']
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text
    const questions = told.split('or another id: ').length - 1
    while (answered < questions) shell.stdin.write(`${answers[answered++] ?? 'q'}\n`)
  })
  await once(shell, 'close')
  const written = JSON.parse(readFileSync(join(own, 'scenarios', 'clauses.json'), 'utf8'))
  expect(written.map(({ id }: { id: string }) => id)).toEqual([
    'orders.name-characters',
    'orders.may-go'
  ])
  expect(told).toContain('orders:2: A name has up to 40 characters.')
})
