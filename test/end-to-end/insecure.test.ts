import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfSigned } from '../load/certificate.ts'
import { often } from './often.ts'
import { plimsoll, start } from './plimsoll.ts'

const server = createServer(selfSigned, (request, reply) => {
  reply.end(request.url === '/metrics' ? 'process_open_fds 21' : '{"name":"Zoe"}')
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close().closeAllConnections())

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-insecure-'))
const clause = { id: 'a', kind: 'rule', documented: '200' }
writeFileSync(join(folder, 'clauses.json'), JSON.stringify([clause]))
const check = `import { check } from 'plimsoll'
export default check({
  title: 'It answers',
  clauses: ['a'],
  needs: ['service'],
  async run({ service, verify }) {
    const reply = await service.get('/')
    verify('a', reply.status === 200, reply)
  }
})
`
writeFileSync(join(folder, 'check.ts'), check)
writeFileSync(join(folder, 'load.ts'), often)

test('scenarios ask a target that nobody vouches for only with --insecure', async () => {
  const asked = ['run', '--scenarios', folder, '--target', url, '--json']
  const refused = JSON.parse((await plimsoll(...asked)).stdout)
  expect(refused.verdicts).toMatchObject([{ outcome: 'blocked' }, { outcome: 'blocked' }])
  expect(refused.verdicts[0].because).toMatch(/self-signed certificate/)
  const { verdicts, flags } = JSON.parse((await plimsoll(...asked, '--insecure')).stdout)
  const byScenario = Object.fromEntries(verdicts.map((one: any) => [one.scenario, one]))
  expect(byScenario.check).toMatchObject({ outcome: 'pass' })
  expect(byScenario.load.evidence.summary.statuses).toEqual({ 200: 20 })
  expect(flags).toContain('--insecure')
}, 60_000)

test('so does probe', async () => {
  const asked = ['probe', url, '--limits', 'url', '--json']
  expect((await plimsoll(...asked)).code).toBe(2)
  const { stdout } = await plimsoll(...asked, '--insecure')
  expect(JSON.parse(stdout).limits).toMatchObject([{ limit: 'url', status: 431 }])
}, 60_000)

test('so does soak, and reads its metrics', async () => {
  const asked = ['soak', url, '-r', '20', '-c', '2', '--metrics-url', `${url}/metrics`]
  const refused = await plimsoll(...asked, '-d', '1h')
  expect(refused.stderr).toMatch(/does not answer: .*self-signed certificate/)
  expect(refused.code).toBe(2)
  const { ended } = start([...asked, '-d', '3s', '--insecure', '--json'])
  const { metrics } = JSON.parse((await ended).stdout)
  expect(metrics.descriptors.level).toBe(21)
}, 60_000)
