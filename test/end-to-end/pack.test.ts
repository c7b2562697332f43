import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'plimsoll-packed-'))

/** The installed command, as `npx plimsoll` finds it; resolves to what it wrote. */
async function plimsoll(...args: string[]) {
  const file = join(project, 'node_modules', '.bin', 'plimsoll')
  return run(file, args, { cwd: project }).catch((ended: { code: number; stdout: string }) => ended)
}

beforeAll(async () => {
  const options = ['--pack-destination', project, '--json']
  const packed = await run('npm', ['pack', ...options], { cwd: root })
  const tarball = join(project, JSON.parse(packed.stdout)[0].filename)
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }')
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball]
  await run('npm', install, { cwd: project })
}, 180_000)
afterAll(() => rmSync(project, { recursive: true }))

test('the packed command runs the shipped scenarios against the embedded platform', async () => {
  const { stdout } = await plimsoll('run', 'edge/url-length', 'policies', '--json')
  const report = JSON.parse(stdout)
  expect(report.counts.fail).toBeUndefined()
  expect(report.counts.pass).toBeGreaterThan(5)
  expect(report.exit).toBe(0)
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
  server.close()
  expect(JSON.parse(stdout).counts).toEqual({ pass: 1 })
}, 60_000)

test('scenarios are typed: the door has declarations', async () => {
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const options = ['--noEmit', '--module', 'nodenext', '--strict', '--skipLibCheck', '--types', '']
  await run(tsc, [...options, join(project, 'scenarios', 'answers.ts')], { cwd: project })
}, 60_000)
