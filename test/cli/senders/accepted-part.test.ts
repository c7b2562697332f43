import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptPart, partText } from '../../../src/cli/senders/accepted-part.ts'
import { createBudgets } from '../../../src/cli/senders/budgets.ts'
import { Refused } from '../../../src/engine/workforce.ts'
import { fileDigest } from '../../../src/fleet/file-digest.ts'
import type { Part } from '../../../src/fleet/order.ts'
import { closed, hold, type Load, open } from '../../../src/load/load.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-adopt-'))
mkdirSync(join(folder, 'load'))
const file = join(folder, 'load', 'list.ts')
const scenario = (needs: string) => `import { closed, load } from 'plimsoll'
export default load({
  title: 'It lists',
  needs: ${needs},
  load: closed({ users: 1, iterations: 1 }),
  objectives: { errorRatio: 0 },
  request: ({ endpoint }) => endpoint('api').get('/')
})
`
writeFileSync(file, scenario("['api']"))
const needy = join(folder, 'load', 'needy.ts')
writeFileSync(needy, scenario("['api', 'edge']"))
const authorisation = join(folder, 'authorisation.json')
const entry = { authorisedBy: 'a test', until: '2099-12-31', requestsPerSecond: 100, seconds: 60 }
writeFileSync(authorisation, JSON.stringify({ targets: [{ host: '192.0.2.1', ...entry }] }))

const part = (
  source: Part['source'],
  load: Load = open(hold({ rate: 100, seconds: 10 })),
  more: Partial<Part> = {}
): Part => ({
  ...{ source, load, share: { index: 0, count: 1 }, startAt: 1_000_000 },
  ...{ engine: 'wire', seed: 1, verifyTls: true },
  ...more
})
const asking = (url: string): Part['source'] => ({ requests: [{ url }] })
const ofScenario = (
  endpoints: Record<string, string>,
  scenario = 'load/list'
): Extract<Part['source'], { scenario: string }> => ({
  scenario,
  target: {
    name: 't',
    endpoints: Object.fromEntries(Object.entries(endpoints).map(([name, url]) => [name, { url }])),
    ...{ zones: {}, hosts: {}, credentials: {} }
  }
})
let budgets = createBudgets()
beforeEach(() => {
  budgets = createBudgets()
})
const adopted = (task: Part, digest?: string) =>
  acceptPart({ task, digest }, { folder, authorisation, budgets })

test('requests are sent as they are, to where they lead from here', async () => {
  const task = part(asking('http://127.0.0.1:1/'))
  const routes = { 'http://127.0.0.1:1': { addresses: ['127.0.0.1'] } }
  expect((await adopted(task)).task).toEqual({ ...task, routes })
  expect(partText(task)).toBe('part 1 of 1: http://127.0.0.1:1/, 100/s, 10.0 s')
})

test('a scenario is the copy here, with the endpoints it needs, and no others', async () => {
  const there = { api: 'http://127.0.0.1:1', other: 'http://192.0.2.2' }
  const { task } = await adopted(part(ofScenario(there)), fileDigest(file))
  expect(task.source).toMatchObject({
    unit: { scenario: 'load/list', file, needs: ['api'] },
    target: { endpoints: { api: { url: 'http://127.0.0.1:1' } } }
  })
  expect(task.source).not.toHaveProperty('target.endpoints.other')
  expect(Object.keys(task.routes)).toEqual(['http://127.0.0.1:1'])
})

test.each([
  ['another file of that name', 'load/list', '0'.repeat(64), /list\.ts is not what whoever sends/],
  ['no such file', 'load/other', fileDigest(file), /there is no scenario load\/other in/],
  ['one of its endpoints missing', 'load/needy', fileDigest(needy), /t offers no edge/]
])('%s is an error', async (_, scenario, digest, message) => {
  const source = ofScenario({ api: 'http://127.0.0.1:1' }, scenario)
  await expect(adopted(part(source), digest)).rejects.toThrow(message)
})

describe('what this machine has no leave for is refused', () => {
  const faster = open(hold({ rate: 101, seconds: 10 }))
  const longer = open(hold({ rate: 100, seconds: 61 }))
  const endless = open(hold({ rate: 100, seconds: Infinity }))
  test.each([
    ['a place nobody has authorised', part(asking('http://192.0.2.2/')), /192\.0\.2\.2/],
    ['a scenario that goes there', part(ofScenario({ api: 'http://192.0.2.2' })), /192\.0\.2\.2/],
    [
      'one of two places',
      part({ requests: [{ url: 'http://127.0.0.1:1' }, { url: 'http://192.0.2.2' }] }),
      /192/
    ],
    ['more than the cap', part(asking('http://192.0.2.1/'), faster), /caps it at 100\/s/],
    ['longer than the cap', part(asking('http://192.0.2.1/'), longer), /caps a run at 60 s/],
    ['what has no end', part(asking('http://192.0.2.1/'), endless), /caps a run at 60 s/],
    ['what has no rate', part(asking('http://192.0.2.1/'), closed({ seconds: 1 })), /no rate/]
  ])('%s', async (_, task, message) => {
    const adopting = adopted(task, fileDigest(file))
    await expect(adopting).rejects.toThrow(Refused)
    await expect(adopting).rejects.toThrow(message)
  })
  test('and what it has leave for is not', async () => {
    const { task } = await adopted(part(asking('http://192.0.2.1/')))
    expect(task.routes['http://192.0.2.1']).toMatchObject({
      addresses: ['192.0.2.1'],
      caps: { requestsPerSecond: 100, seconds: 60 }
    })
  })
})

describe('what is sent at once counts together', () => {
  const even = open(hold({ rate: 100, seconds: 40 }))
  const of = (index: number, count: number, more: Partial<Part> = {}) =>
    part(asking('http://192.0.2.1/'), even, { share: { index, count }, ...more })

  test('all parts of one load are one load', async () => {
    for (const index of [0, 1, 2, 3]) await adopted(of(index, 4))
    await expect(adopted(of(0, 1))).rejects.toThrow(
      /^with what is under way it would be 200\/s, but the authorisation caps it at 100\/s$/
    )
  })

  test('a second load waits until the first is over', async () => {
    const first = await adopted(of(0, 1))
    await expect(adopted(of(0, 1))).rejects.toThrow(Refused)
    first.over()
    const second = await adopted(of(0, 1))
    second.over()
  })

  test('a load that would go on from another for longer than is allowed is refused', async () => {
    const first = await adopted(of(0, 2))
    const later = of(1, 2, { startAt: 1_030_000 })
    await expect(adopted(later)).rejects.toThrow(/go on for longer than the 60 s/)
    first.over()
    await adopted(later)
  })

  test('loopback has no budget', async () => {
    for (const _ of [1, 2, 3]) await adopted(part(asking('http://127.0.0.1:1/'), even))
  })
})
