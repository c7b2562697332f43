import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptPart, partText } from '../../../src/cli/senders/accepted-part.ts'
import { createBudgets } from '../../../src/cli/senders/budgets.ts'
import { Refused } from '../../../src/engine/load-worker.ts'
import { fileDigest } from '../../../src/file-digest.ts'
import type { OrderTo } from '../../../src/fleet/order.ts'
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

type Foreign = OrderTo<'open'>['destinations'][number]
const to = (source: Foreign['source']): Foreign => ({
  ...{ source, transport: 'wire', connections: 4, pipelining: 1, timeoutMs: 500, verifyTls: true }
})
const asking = (...urls: string[]) => to({ requests: urls.map((url) => ({ url })) })
const ofScenario = (
  endpoints: Record<string, string>,
  { scenario = 'load/list', digest = fileDigest(file) } = {}
) =>
  to({
    ...{ scenario, digest },
    target: {
      name: 't',
      endpoints: Object.fromEntries(
        Object.entries(endpoints).map(([name, url]) => [name, { url }])
      ),
      tables: {}
    }
  })
let budgets = createBudgets()
beforeEach(() => {
  budgets = createBudgets()
})
const share = { index: 0, count: 1 }
const adopted = (destination: Foreign, part = share) =>
  acceptPart({ destinations: [destination], share: part }, { folder, authorisation, budgets })

const even = (seconds: number, rate = 100) => open(hold({ rate, seconds }))
const loaded = (load: Load, startAt = 1_000_000) => ({ to: [0], load, startAt })

test('requests are sent as they are, to where they lead from here', async () => {
  const destination = asking('http://127.0.0.1:1/')
  const routes = { 'http://127.0.0.1:1': { addresses: ['127.0.0.1'] } }
  expect((await adopted(destination)).destinations).toEqual([{ ...destination, routes }])
  const told = partText({ destinations: [destination, destination], share })
  expect(told).toBe('part 1 of 1: http://127.0.0.1:1/, http://127.0.0.1:1/')
})

test('a scenario is the copy here, with the endpoints it needs, and no others', async () => {
  const there = { api: 'http://127.0.0.1:1', other: 'http://192.0.2.2' }
  const [own] = (await adopted(ofScenario(there))).destinations
  expect(own!.source).toMatchObject({
    unit: { scenario: 'load/list', file, needs: ['api'] },
    target: { endpoints: { api: { url: 'http://127.0.0.1:1' } } }
  })
  expect(own!.source).not.toHaveProperty('target.endpoints.other')
  expect(Object.keys(own!.routes!)).toEqual(['http://127.0.0.1:1'])
})

test.each([
  ['another file of that name', 'load/list', '0'.repeat(64), /list\.ts is not what whoever sends/],
  ['no such file', 'load/other', fileDigest(file), /there is no scenario load\/other in/],
  ['one of its endpoints missing', 'load/needy', fileDigest(needy), /t offers no edge/]
])('%s is an error', async (_, scenario, digest, message) => {
  const destination = ofScenario({ api: 'http://127.0.0.1:1' }, { scenario, digest })
  await expect(adopted(destination)).rejects.toThrow(message)
})

describe('what this machine has no leave for is refused', () => {
  const there = asking('http://192.0.2.1/')
  test.each([
    ['a place nobody has authorised', asking('http://192.0.2.2/'), /192\.0\.2\.2/],
    ['a scenario that goes there', ofScenario({ api: 'http://192.0.2.2' }), /192\.0\.2\.2/],
    ['one of two places', asking('http://127.0.0.1:1', 'http://192.0.2.2'), /192/]
  ])('%s', async (_, destination, message) => {
    const adopting = adopted(destination)
    await expect(adopting).rejects.toThrow(Refused)
    await expect(adopting).rejects.toThrow(message)
  })
  test.each<[string, Load, RegExp]>([
    ['more than the cap', even(10, 101), /caps it at 100\/s/],
    ['longer than the cap', even(61), /caps a run at 60 s/],
    ['what has no end', even(Infinity), /caps a run at 60 s/],
    ['what has no rate', closed({ seconds: 1 }), /no rate/]
  ])('%s', async (_, load, message) => {
    const { admit } = await adopted(there)
    expect(() => admit(loaded(load))).toThrow(Refused)
    expect(() => admit(loaded(load))).toThrow(message)
  })
  test('and what it has leave for is not', async () => {
    const { admit, destinations } = await adopted(there)
    admit(loaded(even(10)))
    expect(destinations[0]!.routes!['http://192.0.2.1']).toMatchObject({
      addresses: ['192.0.2.1'],
      caps: { requestsPerSecond: 100, seconds: 60 }
    })
  })
})

describe('what is sent at once counts together', () => {
  const of = (index: number, count: number) =>
    adopted(asking('http://192.0.2.1/'), { index, count })

  test('all parts of one load are one load', async () => {
    for (const index of [0, 1, 2, 3]) (await of(index, 4)).admit(loaded(even(40)))
    const more = await of(0, 1)
    expect(() => more.admit(loaded(even(40)))).toThrow(
      /^with what is under way it would be 200\/s, but the authorisation caps it at 100\/s$/
    )
  })

  test('a second load waits until the first is over', async () => {
    const [first, second] = [await of(0, 1), await of(0, 1)]
    const over = first.admit(loaded(even(20)))
    expect(() => second.admit(loaded(even(20)))).toThrow(Refused)
    over()
    second.admit(loaded(even(20)))
  })

  test('trials that would go on for longer than is allowed are refused', async () => {
    const first = await of(0, 1)
    first.admit(loaded(even(40)))()
    first.admit(loaded(even(20), 1_040_000))()
    expect(() => first.admit(loaded(even(20), 1_060_000))).toThrow(/go on for longer than the 60 s/)
    const second = await of(0, 1)
    expect(() => second.admit(loaded(even(20), 1_060_000))).toThrow(/go on for longer/)
    // Who comes when nobody is left begins anew.
    for (const one of [first, second, second]) one.leave()
    const third = await of(0, 1)
    third.admit(loaded(even(20), 1_060_000))
  })

  test('loopback has no budget', async () => {
    for (const _ of [1, 2, 3]) {
      const { admit } = await adopted(asking('http://127.0.0.1:1/'))
      admit(loaded(even(40)))
    }
  })
})
