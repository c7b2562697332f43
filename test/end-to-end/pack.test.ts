import { execFile } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pets, rules, startPets } from '../import/pets.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'plimsoll-packed-'))

type Ended = { code?: number; stdout: string; stderr: string }

/** The installed command, as `npx plimsoll` finds it; resolves to what it wrote. */
async function plimsoll(...args: string[]): Promise<Ended> {
  const file = join(project, 'node_modules', '.bin', 'plimsoll')
  return run(file, args, { cwd: project }).catch((ended: Ended) => ended)
}

const install = (...names: string[]) =>
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...names], { cwd: project })

/** When the last of the files and folders of these patterns was changed, in milliseconds. */
const changed = (...patterns: string[]) =>
  Math.max(...globSync(patterns, { cwd: root }).map((name) => statSync(join(root, name)).mtimeMs))

beforeAll(async () => {
  // What is built last being newer than all it is built of, it need not be built once more.
  const isBuilt =
    changed('dist/schemas/*') > changed('src/**', 'scenarios/**', 'package.json', 'tsconfig*.json')
  const options = ['--pack-destination', project, '--json', `--ignore-scripts=${isBuilt}`]
  const packed = await run('npm', ['pack', ...options], { cwd: root })
  // What the build prints comes before it.
  const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')))
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }')
  await install(join(project, filename))
}, 180_000)
afterAll(() => rmSync(project, { recursive: true }))

/** Bytes on a disk with blocks of 4 KiB, which is what a small file takes there. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
    .reduce((sum, size) => sum + Math.ceil(size / 4_096) * 4_096, 0)
}

test('it takes no more than 30 MB, with all that it needs', () => {
  expect(bytesOf(join(project, 'node_modules'))).toBeLessThan(30_000_000)
})

test('the schemas that files name are there', () => {
  const folder = join(project, 'node_modules', 'plimsoll', 'dist', 'schemas')
  const names = ['authorisation', 'clauses', 'expectations', 'limits', 'target']
  expect(readdirSync(folder)).toEqual(names.map((name) => `${name}.schema.json`))
})

test('what its READMEs link to is there', () => {
  const home = join(project, 'node_modules', 'plimsoll')
  const pages = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(home, name))
  expect(pages.length).toBeGreaterThan(5)
  const dead = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(dirname(page), link)))
      .map((link) => `${page.slice(home.length + 1)}: ${link}`)
  )
  expect(dead).toEqual([])
})

test('without a target, it tells what the reference platform needs that is not there', async () => {
  const shipped = join('node_modules', 'plimsoll', 'dist', 'scenarios')
  const ours = ['run', '--scenarios', shipped]
  for (const args of [ours, ['platform'], ['mutants']]) {
    const { code, stderr } = await plimsoll(...args)
    expect(stderr).toMatch(/npm install --save-dev hono@\d.* aws4fetch@\d/)
    expect(stderr).not.toContain(' at ')
    expect(code).toBe(64)
  }
  const { stderr } = await plimsoll(...ours)
  expect(stderr).toContain('no --target is named')
  expect((await plimsoll('list')).stderr).toContain('npx plimsoll init')
  const agent = await plimsoll('agent', '--redis', 'redis://127.0.0.1:1')
  expect(agent.stderr).toMatch(
    /an agent needs .*\n {2}npm install --save-dev bullmq@\d.* ioredis@\d/
  )
  expect(agent.code).toBe(64)
  const told = await plimsoll('load', 'http://127.0.0.1:9/', '--otlp', 'http://127.0.0.1:4318')
  expect(told.stderr).toMatch(/--otlp needs .*\n {2}npm install --save-dev @opentelemetry\/api@\d/)
  expect(told.code).toBe(64)
}, 60_000)

test('it runs a project’s own TypeScript scenarios, in threads, without a build', async () => {
  const folder = join(project, 'scenarios')
  mkdirSync(folder)
  const clauses = [{ id: 'answers', kind: 'rule', documented: 'it answers' }]
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify(clauses))
  const scenario = `import { check, type Reply } from 'plimsoll'
export default check({
  title: 'It answers', clauses: ['answers'], needs: ['service'],
  async run({ service, verify }) {
    const reply: Reply = await service.get('/')
    verify('answers', (reply.status as number) === 204, reply)
  }
})`
  writeFileSync(join(folder, 'answers.ts'), scenario)
  const server = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { stdout } = await plimsoll('run', '--target', target, '--json')
  const load = await plimsoll('load', target, '-c', '2', '-n', '10', '--json')
  server.close()
  expect(JSON.parse(stdout).counts).toEqual({ pass: 1 })
  expect(JSON.parse(load.stdout).requests).toBe(10)
}, 60_000)

test('from an OpenAPI file to the verdicts in a minute, in an empty project', async () => {
  const cwd = join(project, 'petstore')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'petstore.yaml'), pets)
  const { url, server } = await startPets({ ...rules })
  const env = { ...process.env, AUTHORIZATION: 'Bearer secret' }
  const npx = (...words: string[]) => run('npx', ['plimsoll', ...words], { cwd, env })
  const shown = ['--header', 'Authorization: -']
  const written = await npx('init', 'petstore.yaml', '--target', url, ...shown)
  const { stdout } = await npx('run', '--json')
  server.close().closeAllConnections()
  const [, count] = /limits: (\d+) clauses of 5 operations/.exec(written.stdout)!
  const { counts, coverage } = JSON.parse(stdout)
  expect(Object.keys(counts)).toEqual(['pass'])
  // A rate takes a longer tier.
  expect(coverage).toMatchObject({ judged: Number(count) - 1, untested: 1 })
}, 60_000)

test('scenarios are typed: the door has declarations', async () => {
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const options = ['--noEmit', '--module', 'nodenext', '--strict', '--skipLibCheck', '--types', '']
  await run(tsc, [...options, join(project, 'scenarios', 'answers.ts')], { cwd: project })
}, 60_000)

test('a declaration is there when the doors lead to it, and only then', async () => {
  const file = join(project, 'doors.ts')
  writeFileSync(file, "import 'plimsoll'\nimport 'plimsoll/vitest'\n")
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const options = ['--ignoreConfig', '--module', 'nodenext', '--types', '', '--listFilesOnly']
  const { stdout } = await run(tsc, [...options, file], { cwd: project })
  const ours = stdout.split('\n').filter((name) => name.includes('/plimsoll/dist/'))
  const there = globSync(join(project, 'node_modules/plimsoll/dist/**/*.d.ts'))
  expect(there.length).toBeGreaterThan(50)
  expect(there.toSorted()).toEqual(ours.toSorted())
}, 60_000)

test('the matchers are there, with their types, in a project that has Vitest', async () => {
  symlinkSync(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'))
  const file = join(project, 'limits.test.ts')
  const text = `import { KiB } from 'plimsoll/vitest'
import { expect, test } from 'vitest'
const app = async (request: Request) => {
  const isLarge = (await request.arrayBuffer()).byteLength > 64 * KiB
  return new Response('', { status: isLarge ? 413 : 200 })
}
test('sizes', () => expect(app).toAcceptUpTo(64 * KiB, { status: 413 }))
// @ts-expect-error: there is no such claim
export const never = () => expect(app).toLimit({ bursts: 20 })`
  writeFileSync(file, text)
  const bin = join(root, 'node_modules/.bin')
  const options = ['--noEmit', '--module', 'nodenext', '--strict', '--skipLibCheck', '--types', '']
  await run(join(bin, 'tsc'), ['--ignoreConfig', '--target', 'es2024', ...options, file], {
    cwd: project
  })
  const { stdout } = await run(join(bin, 'vitest'), ['run', '--root', project], { cwd: project })
  expect(stdout).toMatch(/1 passed/)
}, 60_000)

test('a config file is found, and typed by the same door', async () => {
  const folder = join(project, 'configured')
  mkdirSync(folder)
  const config = (tier: string) => `import { defineConfig } from 'plimsoll'
export default defineConfig({ scenarios: '../scenarios', tier: '${tier}' })
`
  const file = join(folder, 'plimsoll.config.ts')
  writeFileSync(file, config('full'))
  const command = join(project, 'node_modules', '.bin', 'plimsoll')
  const { stdout } = await run(command, ['list', '--json'], { cwd: folder })
  expect(JSON.parse(stdout).scenarios).toMatchObject([{ scenario: 'answers' }])
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', '--types', '']
  await run(tsc, [...options, file], { cwd: folder })
  writeFileSync(file, config('fast'))
  const refused = run(tsc, [...options, file], { cwd: folder })
  await expect(refused).rejects.toMatchObject({ stdout: expect.stringContaining('"fast"') })
}, 60_000)

test('with what it asks for, it runs the shipped scenarios against the platform', async () => {
  const { stderr } = await plimsoll('platform')
  const [, names] = /npm install --save-dev (.*)/.exec(stderr)!
  // The chain is 43 MB, and a platform is one without.
  await install(...names!.split(' ').filter((name) => !name.includes('anvil')))
  const shipped = join('node_modules', 'plimsoll', 'dist', 'scenarios')
  const chosen = ['--scenarios', shipped, 'edge/url-length', 'policies']
  const { stdout } = await plimsoll('run', '--json', ...chosen)
  const report = JSON.parse(stdout)
  expect(report.counts.fail).toBeUndefined()
  expect(report.counts.pass).toBeGreaterThan(5)
  expect(report.exit).toBe(0)
}, 180_000)

test('its TypeScript, which Node does not load there, is listed without a warning', async () => {
  const typed = join('node_modules', 'plimsoll', 'scenarios')
  const { stdout, stderr } = await plimsoll('list', 'policies', '--scenarios', typed)
  expect(stdout).toContain('policies/')
  expect(stderr).toBe('')
}, 60_000)

test('without its development chain, the clauses about it name what is missing', async () => {
  const shipped = join('node_modules', 'plimsoll', 'dist', 'scenarios')
  const { stdout } = await plimsoll('run', 'gateway', '--json', '--scenarios', shipped)
  const { verdicts } = JSON.parse(stdout) as { verdicts: { outcome: string; because: string }[] }
  const undecided = verdicts.filter(({ outcome }) => outcome !== 'pass')
  expect(undecided.length).toBeGreaterThan(5)
  for (const { outcome, because } of undecided) {
    expect(outcome).toBe('blocked')
    expect(because).toContain('npm install @foundry-rs/anvil')
  }
}, 180_000)

test.each(['hono', '@hono/node-server', 'aws4fetch', 're2js'])(
  'without %s alone, it says that this is missing',
  async (name) => {
    const home = join(project, 'node_modules', name)
    renameSync(home, `${home}.away`)
    const ended = await plimsoll('platform').finally(() => renameSync(`${home}.away`, home))
    expect(ended.stderr).toContain(`  npm install --save-dev ${name}@`)
    expect(ended.stderr).not.toContain(' at ')
    expect(ended.code).toBe(64)
  },
  60_000
)

test('the image holds this package, is built of what is here, and runs without rights', () => {
  const steps = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const [, last] = steps.split(/^FROM node:24-slim$/m)
  expect(last).toMatch(/npm install --global --omit=dev .*plimsoll\.tgz/)
  expect(last).not.toMatch(/^COPY (?!--from=build)/m)
  expect(last!.indexOf('USER node')).toBeGreaterThan(last!.lastIndexOf('RUN '))
  expect(last).toContain('ENTRYPOINT ["plimsoll"]')
})
