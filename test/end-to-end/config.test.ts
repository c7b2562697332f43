import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start } from './plimsoll.ts'

const server = createServer((_, reply) => void reply.end('ok'))
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close().closeAllConnections())

const check = `import { check } from 'plimsoll'
export default check({ title: 'It answers', clauses: ['a'], needs: ['service'],
  async run({ service, verify }) {
    const reply = await service.get('/')
    verify('a', reply.status === 200, reply)
  } })
`

/** A project with a document, the config file given and a folder to be in. */
function project(config: string): { home: string; within: string } {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-config-'))
  const within = join(home, 'packages', 'one')
  mkdirSync(within, { recursive: true })
  mkdirSync(join(home, 'limits'))
  const clauses = [{ id: 'a', kind: 'rule', documented: '200' }]
  writeFileSync(join(home, 'limits', 'clauses.json'), JSON.stringify(clauses))
  writeFileSync(join(home, 'limits', 'answers.ts'), check)
  writeFileSync(join(home, 'plimsoll.config.ts'), config)
  return { home, within }
}

/** A config file with these fields. */
const saying = (fields: object) => `import { defineConfig } from 'plimsoll'
console.log('who asks?')
export default defineConfig(${JSON.stringify(fields)})
`

const run = (args: string[], cwd: string) => start(args, { cwd }).ended

test('what it says holds from below it, where no flag says otherwise', async () => {
  const places = { own: url, other: 'http://127.0.0.1:9' }
  const common = { scenarios: './limits', targets: places, target: 'own', tier: 'full' }
  const { home, within } = project(saying({ ...common, reporters: ['sarif'], out: 'kept' }))
  const out = join(home, 'kept')
  const { code, stdout } = await run(['run', '--json', '--out', out], within)
  const report = JSON.parse(stdout)
  expect([code, report.target.name]).toEqual([0, url])
  expect(report.flags).toEqual(['--target', url, '--scenarios', '../../limits', '--tier', 'full'])
  expect(readdirSync(join(out, 'latest')).sort()).toEqual(['report.sarif', 'results.ndjson'])
  const other = await run(['run', '--json', '--target', 'other', '--tier', 'quick'], within)
  expect(JSON.parse(other.stdout)).toMatchObject({ target: { name: 'http://127.0.0.1:9' } })
  const list = await run(['list', '--json'], within)
  expect(JSON.parse(list.stdout).scenarios).toMatchObject([{ scenario: 'answers' }])
}, 180_000)

test('a load is none of what it says of runs', async () => {
  const { home, within } = project(saying({ out: 'kept', reporters: ['html'], target: url }))
  const few = ['load', url, '-n', '1', '-c', '1']
  expect((await run(few, within)).code).toBe(0)
  expect(existsSync(join(home, 'kept'))).toBe(false)
}, 180_000)

test('--no-config leaves it out, and help does not need it', async () => {
  const { within } = project('throw new Error("broken")')
  expect((await run(['list'], within)).stderr).toMatch(
    /plimsoll\.config\.ts.*does not load.*broken/
  )
  expect((await run(['list', '--no-config'], within)).stderr).toContain('npx plimsoll init')
  expect((await run(['list', '--help'], within)).code).toBe(0)
}, 180_000)

test('the authorisation file is where it says', async () => {
  const { home, within } = project(saying({ authorisation: 'leave.json' }))
  const { code, stderr } = await run(['load', 'http://192.0.2.1/'], within)
  expect(stderr).toContain('authorisation file: ../../leave.json')
  expect([code, existsSync(join(home, 'leave.json'))]).toEqual([77, false])
}, 180_000)

test.each([
  [saying({ tier: 'fast' }), /config\.ts: tier has to be one of quick, full, long/],
  [saying({ scenario: 'x' }), /config\.ts: "scenario" is no field of it; nearest: scenarios/],
  [saying({ targets: { a: 1 } }), /config\.ts: targets\.a has to be URLs and files by name/],
  [saying({ reporters: ['pdf'] }), /config\.ts: reporters\.0 has to be a list of html, junit/],
  ['const = 1', /config\.ts: does not load/],
  ['export const tier = "full"', /config\.ts: exports no config/],
  ['export default () => 1', /config\.ts: .*could not be cloned/],
  ['process.exit(0)', /config\.ts: ended its thread/]
])(
  'wrong: %s',
  async (config, message) => {
    const { within } = project(config)
    const { code, stderr } = await run(['list'], within)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(code).toBe(64)
  },
  60_000
)

test('what is completed is of the folder that it names', async () => {
  const { within } = project(saying({ scenarios: 'limits' }))
  const words = ['--get-yargs-completions', 'plimsoll', 'run', 'a']
  expect((await run(words, within)).stdout).toBe('answers\n')
}, 60_000)
