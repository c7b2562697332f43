import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

const keys = `import { check } from 'plimsoll'
export default check({
  title: 'A key that was derived from another expires', clauses: ['keys.expire'],
  needs: ['service'],
  async run({ service, verify }) {
    const reply = await service.get('/')
    verify('keys.expire', reply.status === 401, reply)
  }
})
`
const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-advice-'))
let common: string[]

beforeAll(async () => {
  if (!server.listening) await once(server, 'listening')
  writeFileSync(join(folder, 'keys.ts'), keys)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  common = ['--scenarios', folder, '--target', url]
})
afterAll(() => void server.close())

/** A document of one clause that the service does not keep to. */
function documented(more: object = {}): void {
  const documented = 'derived keys expire after a day'
  const clauses = [{ id: 'keys.expire', kind: 'rule', documented, ...more }]
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify(clauses))
}

test('a sentence that begins with "derived" fails as any other does', async () => {
  documented()
  const { code, json } = await plimsollJson('run', ...common)
  expect(json.verdicts).toMatchObject([{ clause: 'keys.expire', outcome: 'fail' }])
  expect(code).toBe(1)
})

test('advice that is not followed is a warning; a saved run is judged alike', async () => {
  documented({ derived: true })
  const strict = await plimsoll('run', ...common)
  expect(strict.stdout).toMatch(/▲ warning +keys\.expire/)
  expect(strict.stdout).toMatch(/▲ 1 clause goes against advice/)
  expect(strict.code).toBe(1)
  const again = await plimsoll('report', '--out', strict.out)
  expect(again.stdout).toMatch(/▲ 1 clause goes against advice/)
  expect(again.code).toBe(1)
  expect(readFileSync(join(strict.out, 'latest/junit.xml'), 'utf8')).toContain('failures="1"')
  const mild = await plimsoll('report', '--out', strict.out, '--advice', 'warn')
  expect(mild.code).toBe(0)
  expect(readFileSync(join(strict.out, 'latest/junit.xml'), 'utf8')).toContain('failures="0"')
})

test('with --advice warn it is told, and exits 0; so does its report', async () => {
  documented({ derived: true })
  const { code, stdout, out } = await plimsoll('run', ...common, '--advice', 'warn')
  expect(stdout).toMatch(/again +plimsoll run keys .*--advice warn/)
  expect(code).toBe(0)
  expect((await plimsoll('report', '--out', out)).code).toBe(0)
  expect((await plimsoll('report', '--out', out, '--advice', 'fail')).code).toBe(1)
})

test('it is accepted until a day as a failure is, and only that is a deviation', async () => {
  documented({ derived: true })
  const known = join(folder, 'known.json')
  const entry = { clause: 'keys.expire', reason: 'with the next release', until: '2999-12-31' }
  writeFileSync(
    known,
    JSON.stringify({ schema: 'plimsoll-expectations/1', deviations: [entry], observations: [] })
  )
  const { code, json } = await plimsollJson('run', ...common, '--expect', known)
  expect(json.verdicts).toMatchObject([{ outcome: 'deviation' }])
  expect(code).toBe(0)
})

test('a kind of clause that there is not names the nearest', async () => {
  documented({ kind: 'rul' })
  const { code, stderr } = await refused('run', ...common)
  expect(stderr).toMatch(/clauses\.json: 0\.kind: must be one of .*; nearest: rule/)
  expect(code).toBe(64)
})

test('a break that turns another clause besides its own is not exact: exit 1', async () => {
  const place = mkdtempSync(join(tmpdir(), 'plimsoll-inexact-'))
  const own = 'auth.missing-credential-refused'
  const clauses = [own, 'another'].map((id) => ({ id, kind: 'rule', documented: 'it is' }))
  writeFileSync(join(place, 'clauses.json'), JSON.stringify(clauses))
  const scenario = (others: string) => `import { check } from 'plimsoll'
export default check({
  title: 'Both', clauses: ['${own}', 'another'], needs: ['management'],
  async run({ management, verify }) {
    const reply = await management.get('/')
    verify('${own}', false, reply)
    verify('another', ${others}, reply)
  }
})
`
  writeFileSync(join(place, 'both.ts'), scenario('true'))
  const mutant = ['mutants', 'missing-credential-served', '--scenarios', place]
  expect((await plimsollJson(...mutant)).code).toBe(0)
  writeFileSync(join(place, 'both.ts'), scenario('false'))
  const { code, json } = await plimsollJson(...mutant)
  const inexact = [{ mutant: 'missing-credential-served', also: ['another'] }]
  expect(json).toMatchObject({ killed: 1, inexact })
  expect(code).toBe(1)
}, 60_000)

test('a break that only a longer tier could show is left to it, and did not survive', async () => {
  const place = mkdtempSync(join(tmpdir(), 'plimsoll-longer-'))
  const own = 'auth.missing-credential-refused'
  const clauses = [{ id: own, kind: 'rule', documented: 'it is' }]
  writeFileSync(join(place, 'clauses.json'), JSON.stringify(clauses))
  const scenario = (tier: string) => `import { check } from 'plimsoll'
export default check({
  title: 'Looks at ${tier}', tier: '${tier}', clauses: ['${own}'], needs: ['management'],
  async run({ management, verify }) { verify('${own}', true, await management.get('/')) }
})
`
  writeFileSync(join(place, 'quick.ts'), scenario('quick'))
  const known = await plimsollJson('mutants', '--list', '--scenarios', place)
  const names = known.json.filter((one: { clause: string }) => one.clause === own)
  const hunt = async () => (await plimsollJson('mutants', '--scenarios', place)).json
  const alone = await hunt()
  expect(names.length).toBeGreaterThan(0)
  for (const { name } of names) expect(alone.survived).toContain(name)
  writeFileSync(join(place, 'full.ts'), scenario('full'))
  const { survived, left } = await hunt()
  expect(left.toSorted()).toEqual(names.map(({ name }: { name: string }) => name).toSorted())
  for (const { name } of names) expect(survived).not.toContain(name)
}, 60_000)
