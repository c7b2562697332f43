import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { plimsoll, plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-published-'))
const place = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const known = place('public.pem')
let run: string
beforeAll(async () => {
  writeFileSync(place('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(known, publicKey.export({ type: 'spki', format: 'pem' }))
  const { out } = await plimsoll('run', 'edge/url-length')
  run = join(out, 'latest')
})

/** What our document comes to, so that one clause more changes no test. */
const inventory: { kind: string; documented: string }[] = JSON.parse(
  readFileSync('scenarios/clauses.json', 'utf8')
)
const whole = inventory.length
const numbers = inventory.filter(
  ({ kind, documented }) => kind === 'limit' && /\d/.test(documented)
).length

const all = 'limits,markdown,badge,openapi,well-known,api-commons,sla4oai'

test('what a run verified is published, signed, and verified by who reads it', async () => {
  const to = place('docs')
  const signed = ['--to', to, '--key', place('key.pem')]
  const { code, stdout } = await plimsoll('publish', run, '--format', all, ...signed)
  expect(stdout).toContain(`limits.json: ${whole} clauses\n`)
  expect(stdout).toContain(
    `limits.md: ${numbers} limits; left out: ${whole - numbers} × clause that is no number\n`
  )
  expect(stdout).toMatch(
    /sla4oai\.json: 0 of its limits, the rates; left out: 2 × rate that was not/
  )
  expect(code).toBe(0)
  expect(readdirSync(to).toSorted()).toEqual([
    ...['limits.json', 'limits.json.sig', 'limits.md', 'limits.overlay.json', 'limits.svg'],
    ...['rate-limits.json', 'sla4oai.json', 'well-known-limits.json']
  ])
  expect(readFileSync(join(to, 'limits.md'), 'utf8')).toMatch(
    /`limits\.request\.url-length` \|.* 16 KB \| ✔ pass \| 16384 bytes accepted, 16385 refused/
  )
  expect(create(readFileSync(join(to, 'limits.svg'), 'utf8')).root().node.nodeName).toBe('svg')
  const overlay = JSON.parse(readFileSync(join(to, 'limits.overlay.json'), 'utf8'))
  expect(overlay.actions[0].update['x-limits']).toHaveLength(numbers)

  const file = join(to, 'limits.json')
  const assured = await plimsoll('verify', file, '--key', known, '--run', run)
  expect(assured.stdout).toContain(
    `✔ ${whole} clauses, signed by this key, and what the run found: `
  )
  expect(assured.code).toBe(0)

  const other = readFileSync(file, 'utf8').replace('"accepted": 16384', '"accepted": 16383')
  writeFileSync(file, other)
  const changed = await plimsoll('verify', file, '--key', known, '--run', run)
  expect(changed.stdout.split('\n')).toEqual([
    `✘ ${file}.sig is not of this file by this key: one of the three was changed`,
    '✘ limits.request.url-length: verified is not what the run found',
    ''
  ])
  expect(changed.code).toBe(1)
})

test('its own format is what its schema says, and gives the clauses back', async () => {
  await plimsoll('publish', run, '--to', place('own'))
  const file = join(place('own'), 'limits.json')
  execFileSync(process.execPath, ['src/cli/json-schemas.ts', folder])
  const schema = JSON.parse(readFileSync(place('limits.schema.json'), 'utf8'))
  const isRight = new Ajv({ formats: { 'date-time': true } }).compile(schema)
  expect([isRight(JSON.parse(readFileSync(file, 'utf8'))), isRight.errors]).toEqual([true, null])

  const scenarios = place('scenarios')
  const taken = await plimsoll('clauses', '--from', file, '--scenarios', scenarios)
  expect(taken).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`: ${whole} clauses of platform`)
  })
  const again = await plimsoll('clauses', '--from', file, '--scenarios', scenarios)
  expect(again).toMatchObject({ code: 64, stderr: expect.stringMatching(/is there already/) })
})

test('each form is read back to clauses that can be run, and what is lost is told', async () => {
  const to = place('forms')
  await plimsoll('publish', run, '--format', all, '--to', to)
  const forms: [string, number][] = [
    ['limits.json', whole],
    ['limits.overlay.json', numbers],
    ['limits.md', numbers]
  ]
  for (const [file, count] of forms) {
    const folder = place(`from-${file}`)
    const taken = await plimsoll('clauses', '--from', join(to, file), '--scenarios', folder)
    expect([file, taken.stderr, taken.code]).toEqual([file, '', 0])
    expect(taken.stdout).toContain(`: ${count} clauses of platform\n`)
    const written = readFileSync(join(folder, 'clauses.json'), 'utf8')
    expect(JSON.parse(written)).toHaveLength(count)
    if (!/"quote"/.test(written)) continue
    const { json, code } = await plimsollJson('clauses', '--check', '--scenarios', folder)
    expect([file, code, json.faults]).toEqual([file, 0, []])
  }
  const none = await plimsoll(
    'clauses',
    '--from',
    join(to, 'limits.svg'),
    '--scenarios',
    place('x')
  )
  expect(none).toMatchObject({ code: 64, stderr: expect.stringMatching(/is none of what is pub/) })
})

/** What others may do to a file that was signed, or a reader to its own. */
const verified = { verdict: 'pass', scenarios: [] }
const again = JSON.stringify({ id: 'a', kind: 'rule', documented: '', verified })
const clearing = '\\u001b[2J'
test.each<[string, (text: string) => string | Buffer, RegExp]>([
  ['another subject', (text) => text.replace('"subject": "', '"subject": "x'), /✘ subject is not/],
  ['more that pass', (text) => text.replace(/"pass": \d+/, '"pass": 999'), /✘ verified is not/],
  [
    'another day',
    (text) => text.replace(/"at": "20/, '"at": "19'),
    /✘ verified is not what the run/
  ],
  ['a field beside', (text) => text.replace('{', '{"sold": true,'), /✘ sold is not what the run/],
  [
    'a clause twice',
    (text) => text.replace('"clauses": [', `$&${again},${again},`),
    /✘ a is listed twice/
  ],
  [
    'what speaks to a terminal',
    (text) => text.replace('"by": "', `"by": "${clearing}`),
    /✘ verified/
  ],
  [
    'bytes that are no text',
    (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff])]),
    /is not text in UTF-8/
  ],
  [
    'a key twice',
    (text) => text.replace('"subject": ', '"subject": "x",\n  $&'),
    /limits\.json:\d+: "subject" comes twice in one object: keep one/
  ],
  ['half of it', (text) => text.slice(0, text.length / 2), /is not JSON/],
  ['nothing', () => '', /is not JSON/],
  [
    'a file that goes deep',
    (text) => text.replace('{', `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)},`),
    /✘ x is not|call stack/
  ]
])('%s is seen', async (_, change, message) => {
  const to = place('attacked')
  await plimsoll('publish', run, '--to', to, '--key', place('key.pem'))
  const file = join(to, 'limits.json')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  const { code, stdout, stderr } = await plimsoll('verify', file, '--run', run)
  expect(stdout + stderr).toMatch(message)
  expect([1, 64]).toContain(code)
  expect(stdout + stderr).not.toContain('\u001b')
  expect(stdout + stderr).not.toMatch(/^ {4}at /m)
  const signed = await plimsoll('verify', file, '--key', known)
  expect(signed.stdout + signed.stderr).toMatch(
    /is not of this file by this key|is not text in UTF-8|is not JSON|comes twice/
  )
  expect([1, 64]).toContain(signed.code)
})

test.each<[string[], RegExp]>([
  [['publish', 'nowhere'], /there is no run at/],
  [['publish', 'RUN', '--format', 'pdf'], /--format pdf is not known; there are limits, markdown/],
  [['publish', 'RUN', '--key', known], /public\.pem is no private key in PEM/],
  [['publish', 'RUN', '--format', 'badge', '--key', place('key.pem')], /has to name limits/],
  [['verify', place('none.json'), '--key', known], /cannot be read: there is none/],
  [['verify', place('none.json')], /name what to hold it against: --key FILE, --run RUN/],
  [['verify', known, '--key', known], /public\.pem is not JSON/]
])('%j is wrong usage', async (words, message) => {
  const given = words.map((word) => (word === 'RUN' ? run : word))
  const { code, stderr } = await refused(...given)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
})
