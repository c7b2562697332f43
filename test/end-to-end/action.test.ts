import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { freePorts } from '../free-ports.ts'

const root = resolve(import.meta.dirname, '../..')
const action = readFileSync(join(root, 'action.yml'), 'utf8')

/** What the action says when an input is not given. */
const inputs = Object.fromEntries(
  [
    ...action
      .split('\noutputs:')[0]!
      .matchAll(/^ {2}([\w-]+):\n {4}description: .*\n(?: {4}default: (.*)\n)?/gm)
  ].map(([, name, value = '']) => [name!, value.replace(/^'(.*)'$/, '$1')])
)

/** The steps that are plain shell: what each runs, and its environment as it is written. */
const steps = action
  .split(/^ {4}- /m)
  .filter((step) => /^ {6}run: /m.test(step))
  .map((step) => {
    const [, name] = /^name: (\w+)/.exec(step)!
    const [, block, line] = /^ {6}run: (?:\|\n((?: {8}.*\n?)+)|(.*))/m.exec(step)!
    const env = [...step.matchAll(/^ {8}([A-Z_]+): \$\{\{ inputs\.([\w-]+) \}\}$/gm)]
    return { name: name!, run: block ?? line!, env: env.map(([, key, of]) => [key!, of!] as const) }
  })

/** A service that takes names of so many characters, and what it documents. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-action-'))
  mkdirSync(join(folder, 'limits'))
  const files = {
    'server.mjs': `import { createServer } from 'node:http'
createServer(async (request, response) => {
  const { name = '' } = JSON.parse((await Array.fromAsync(request)).join('') || '{}')
  response.statusCode = name.length > Number(process.env.MOST ?? 40) ? 422 : 200
  await new Promise((answer) => setTimeout(answer, 4))
  response.end(JSON.stringify({ name }))
}).listen(Number(process.env.PORT), '127.0.0.1')
`,
    'limits/clauses.json': JSON.stringify([
      { id: 'name-length', kind: 'limit', documented: '40', unit: 'characters', quote: 'up to 40' },
      { id: 'name-empty', kind: 'unspecified', documented: 'not said: an empty name' }
    ]),
    'limits/document.md': '# Orders\n\nNames have up to 40 characters.\n',
    'limits/name.ts': `import { accepted, check, isOk, limit, rejected, unclear } from 'plimsoll'
export default limit({
  title: 'A name may have 40 characters, and not more',
  max: 40, clause: 'name-length', unit: 'characters', needs: ['service'],
  async probe(length, { service }) {
    const reply = await service.post('/', { json: { name: 'x'.repeat(length) } })
    if (reply.status === 422) return rejected(reply)
    return reply.json?.name?.length === length ? accepted(reply) : unclear(reply)
  }
})
`,
    'limits/empty.ts': `import { check, isOk } from 'plimsoll'
export default check({
  title: 'An empty name', clauses: ['name-empty'], needs: ['service'],
  async run({ service, observe }) {
    const empty = await service.post('/', { json: { name: '' } })
    observe('name-empty', isOk(empty) ? 'taken' : 'refused', empty)
  }
})
`
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  return folder
}

type Ended = { code: number; said: string; summary: string; output: string; folder: string }

/** Does what a forge does: every step, in order, with these inputs. */
async function perform(given: Record<string, string>, folder = project()): Promise<Ended> {
  const files = { GITHUB_STEP_SUMMARY: '.summary', GITHUB_OUTPUT: '.output' }
  const places = Object.entries(files).map(([name, file]) => [name, join(folder, file)] as const)
  for (const [, place] of places) writeFileSync(place, '')
  const forge = { GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: root, GITHUB_SHA: 'head-sha' }
  const ended = { code: 0, said: '' }
  for (const { run, env } of steps) {
    const own = env.map(([key, of]) => [key, given[of] ?? inputs[of]!] as const)
    const environment = { ...process.env, ...forge, ...Object.fromEntries([...places, ...own]) }
    const options = { cwd: folder, env: environment }
    await new Promise<void>((done) => {
      // As GitHub runs `shell: bash`.
      const flags = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run]
      execFile('bash', flags, options, (error, stdout, stderr) => {
        ended.code = Number(error?.code ?? 0)
        ended.said += stdout + stderr
        done()
      })
    })
    if (ended.code !== 0) break
  }
  const [summary, output] = places.map(([, place]) => readFileSync(place, 'utf8'))
  return { ...ended, summary: summary!, output: output!, folder }
}

const at = (port: number) => `http://127.0.0.1:${port}`
const starts = (port: number, most = 40) => `MOST=${most} PORT=${port} exec node server.mjs`

test('every input is handed to the script, and as a variable only', () => {
  const handed = steps.flatMap(({ env }) => env.map(([, of]) => of))
  const rest = ['working-directory']
  expect([...handed, ...rest].sort()).toEqual(Object.keys(inputs).sort())
  for (const { run } of steps) expect(run).not.toContain('${{')
})

test('a service is verified, held against its last run, and the line is annotated', async () => {
  const port = await freePorts(1)
  const verify = { use: 'verify', scenarios: 'limits', target: at(port), url: at(port) }
  const green = await perform({ ...verify, start: starts(port) })
  expect([green.code, green.said]).toEqual([0, expect.stringMatching(/1 clause holds/)])
  expect(green.summary).toMatch(/^## ✔ 1 clause holds/)
  expect(green.output).toBe('exit-code=0\n')
  const expectations = JSON.parse(readFileSync(join(green.folder, '.plimsoll/expect.json'), 'utf8'))
  expect(expectations).toMatchObject({
    deviations: [],
    observations: [{ clause: 'name-empty', observed: 'taken' }]
  })
  const red = await perform({ ...verify, start: starts(port, 30) }, green.folder)
  expect(red.code).toBe(1)
  expect(red.said).toMatch(/^::error file=limits\/document\.md,line=3,title=name-length%3A fail::/m)
  expect(red.summary).toMatch(/^## ✘ 1 clause fails/)
  for (const file of ['report.html', 'junit.xml', 'report.sarif', 'gl-code-quality.json']) {
    expect(existsSync(join(red.folder, 'plimsoll-report/latest', file)), file).toBe(true)
  }
}, 120_000)

test('two builds are compared, and the history is kept', async () => {
  const port = await freePorts(2)
  const sides = { url: at(port), 'base-url': at(port + 1), 'base-name': 'base-sha' }
  const given = { use: 'compare', ...sides, args: '--time 20s --connections 2' }
  const builds = { start: starts(port), 'base-start': starts(port + 1) }
  const ended = await perform({ ...given, ...builds, undecided: 'warn' })
  // On a busy machine it may not tell; whatever it is, it was measured, and shown.
  expect(ended.output).toMatch(/^exit-code=[0123]\n$/)
  expect(ended.summary).toMatch(/^```\n.+```\n$/s)
  expect(existsSync(join(ended.folder, 'plimsoll-report/comparison.json'))).toBe(true)
}, 120_000)

test('a capacity is found, kept, and gated on', async () => {
  const port = await freePorts(1)
  const given = { use: 'capacity', url: at(port), start: starts(port) }
  const ended = await perform({
    ...given,
    args: '--time 12s --p99 5000 --connections 4',
    'at-least': '900000'
  })
  const code = Number(/exit-code=(\d+)/.exec(ended.output)![1])
  expect(existsSync(join(ended.folder, 'plimsoll-report/capacity.json'))).toBe(true)
  // Nobody answers so often: it was found to be too few, or could not be told.
  expect([1, 2, 3]).toContain(code)
  expect(ended.code).not.toBe(0)
}, 120_000)

test('a soak follows the process that was started, unless told otherwise', async () => {
  const port = await freePorts(1)
  const given = { use: 'soak', url: at(port), start: starts(port), undecided: 'warn' }
  const followed = ({ folder }: Ended) => {
    const journal = readFileSync(join(folder, 'plimsoll-report/latest/soak.ndjson'), 'utf8')
    return JSON.parse(journal.split('\n', 1)[0]!).watched?.pid
  }
  const own = await perform({ ...given, args: '-r 20 -d 2s' })
  expect(followed(own)).toBeGreaterThan(1)
  expect(own.summary).toContain('rss')
  const other = await perform({ ...given, args: `-r 20 -d 2s --pid ${process.pid}` })
  expect(followed(other)).toBe(process.pid)
}, 120_000)

test('who answers in place of the service is not measured for it, and errors are red', async () => {
  const other = createServer((_, response) => {
    response.statusCode = 500
    response.end()
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const url = at((other.address() as AddressInfo).port)
  const given = { use: 'load', url, args: '-n 20 -c 1' }
  const taken = await perform({ ...given, start: 'sleep 9' })
  expect([taken.code, taken.said]).toEqual([2, expect.stringMatching(/by somebody else already/)])
  const bare = await perform(given)
  expect([bare.code, bare.said]).toEqual([1, expect.stringMatching(/missed: 100 % errors/)])
  other.close()
}, 60_000)

test('a service that fails as it starts is told from who answers then', async () => {
  const port = await freePorts(1)
  const start = `(${starts(port)}) & sleep 1; exit 3`
  const given = { use: 'load', url: at(port), start, args: '-r 5 -d 4s -c 1' }
  const ended = await perform(given)
  expect([ended.code, ended.said]).toEqual([
    2,
    expect.stringMatching(/the service ended meanwhile/)
  ])
}, 60_000)

test.each([
  ['no use', { use: 'probe' }, 64, /USE "probe" is none of verify, load, compare/],
  ['no URL', { use: 'soak' }, 64, /soak needs URL/],
  ['one side', { use: 'compare', url: 'http://127.0.0.1:9' }, 64, /needs URL and BASE_URL/],
  ['a flag that is none', { use: 'verify', args: '--nonsense' }, 64, /nonsense/],
  ['flags that are none', { use: 'verify', args: "'" }, 64, /ARGS cannot be read/],
  [
    'a service that ends',
    { use: 'load', url: 'http://127.0.0.1:9', start: 'echo no database; exit 1', wait: '1' },
    2,
    /nothing answers at http:\/\/127\.0\.0\.1:9 after 1 s.*no database/s
  ]
])(
  'wrong: %s',
  async (_, given, code, message) => {
    const ended = await perform(given)
    expect(ended.said).toMatch(message)
    expect(ended.code).toBe(code)
  },
  60_000
)
