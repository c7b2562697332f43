import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acceptRun } from '../../../src/cli/commands/accept-run.ts'
import type { Contents } from '../../../src/cli/saved/contents.ts'
import {
  expectationsIn,
  readExpectations,
  writeExpectations
} from '../../../src/cli/saved/expectation-file.ts'
import { schemaName } from '../../../src/verdict/expectation.ts'
import { concluded } from '../../verdict/verdicts.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'plimsoll-expectations-'))
const loose = { strictExpectations: false }
const nothing = { schema: schemaName, deviations: [], observations: [] } as const

const clauses = ['url.length', 'url.status', 'json.valid']
const scenario = (id: string, ...claimed: string[]) => ({
  ...{ t: 'scenario' as const, id },
  clauses: claimed
})
const document: Contents = {
  inventory: clauses.map((id) => ({ t: 'clause', id, kind: 'rule', documented: '' })),
  plan: [
    scenario('edge/url', 'url.length', 'url.status'),
    scenario('json', 'json.valid'),
    scenario('load'),
    { t: 'scenario', id: 'not/loaded' }
  ]
}

function fileOf(value: unknown): string {
  const file = join(folder(), 'e.json')
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

const accepted = { clause: 'url.length', reason: 'r', until: '2027-03-31' }
const seen = { clause: 'url.status', scenario: 'edge/url', observed: '414' }

test('a file is read with its digest, and how strictly it is meant', async () => {
  const file = fileOf({ schema: schemaName, deviations: [accepted], observations: [seen] })
  const flags = { strictExpectations: true, gate: 'observed' as const }
  const held = await readExpectations(file, flags, document)
  expect(held.source).toMatchObject({ strict: true, gate: 'observed' })
  expect(held.source.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(held.expectations.deviations).toEqual([accepted])
})

test.each([
  [
    { ...accepted, clause: 'url.lenght' },
    /deviations\.0\.clause: .*"url\.lenght"; nearest: url\.l/
  ],
  [{ ...accepted, scenario: 'edge/ulr' }, /deviations\.0\.scenario: .*; nearest: edge\/url/],
  [{ ...accepted, scenario: 'json' }, /"json" does not judge url\.length, edge\/url does/]
])('%j names what is not there', async (entry, message) => {
  const file = fileOf({ schema: schemaName, deviations: [entry] })
  await expect(readExpectations(file, loose, document)).rejects.toThrow(message)
  await expect(readExpectations(file, loose, document)).rejects.toMatchObject({ code: 64 })
})

test('a load that claims no clause is known by its own name', async () => {
  const deviations = [{ ...accepted, clause: 'load' }]
  const file = fileOf({ schema: schemaName, deviations })
  await expect(readExpectations(file, loose, document)).resolves.toBeDefined()
})

test('of a scenario that was not loaded nobody knows what it claims', async () => {
  const deviations = [{ ...accepted, scenario: 'not/loaded' }]
  const file = fileOf({ schema: schemaName, deviations })
  await expect(readExpectations(file, loose, document)).resolves.toBeDefined()
})

test('without its document a name can be anything', async () => {
  const file = fileOf({ schema: schemaName, deviations: [{ ...accepted, clause: 'elsewhere' }] })
  await expect(readExpectations(file, loose)).resolves.toBeDefined()
})

test.each([
  ['a file that is not there', join(folder(), 'none.json'), /there is no such file; .*--write-exp/],
  ['a folder', folder(), /it is a folder; name a file/],
  ['what is no JSON', fileOf('{'), /e\.json is not JSON/]
])('%s is refused', async (_, file, message) => {
  await expect(readExpectations(file, loose, document)).rejects.toThrow(message)
})

test('a file is replaced as a whole, through a link too, and nothing is left beside it', () => {
  const place = folder()
  const file = join(place, 'e.json')
  const link = join(place, 'link.json')
  writeExpectations(file, { ...nothing, deviations: [], observations: [] })
  symlinkSync(file, link)
  writeExpectations(link, { schema: schemaName, deviations: [accepted], observations: [] })
  expect(JSON.parse(readFileSync(file, 'utf8')).deviations).toEqual([accepted])
  expect(readdirSync(place).sort()).toEqual(['e.json', 'link.json'])
})

test('what cannot be written is said, and leaves nothing behind', () => {
  const place = folder()
  const empty = { schema: schemaName, deviations: [], observations: [] } as never
  expect(() => writeExpectations(join(place, 'no', 'e.json'), empty)).toThrow(/no folder/)
  const taken = join(place, 'taken')
  mkdirSync(taken)
  expect(() => writeExpectations(taken, empty)).toThrow(/--write-expectations: /)
  expect(readdirSync(place)).toEqual(['taken'])
})

const adding = { update: false, reason: 'until the move', until: '2999-12-31' }

test('a run is taken into a file, and taken into it again changes nothing', async () => {
  const file = join(folder(), 'e.json')
  const said = await acceptRun(file, [concluded()], adding)
  expect(said).toBe(`${file}: added 1 deviation and 0 observations\n`)
  const before = `${readFileSync(file, 'utf8').trimEnd()}   `
  writeFileSync(file, before)
  await acceptRun(file, [concluded()], { update: false })
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('what is kept although the run differs is named', async () => {
  const file = fileOf({ schema: schemaName, deviations: [accepted] })
  const passing = concluded({ outcome: 'pass' })
  expect(await acceptRun(file, [passing], { update: false })).toMatch(
    /see --update\):\n {2}url\.len/
  )
  expect((await expectationsIn(file)).deviations).toHaveLength(1)
  expect(await acceptRun(file, [passing], { update: true })).toMatch(/dropped, 1:\n {2}url\.length/)
  expect((await expectationsIn(file)).deviations).toEqual([])
})

test.each([
  ['no reason', { until: '2999-12-31' }, /url\.length\nSay why with --reason/],
  ['no day', { reason: 'r' }, /how long with --until/],
  ['a day that is none', { reason: 'r', until: 'soon' }, /--until soon is no day/],
  ['a day that is over', { reason: 'r', until: '2020-01-01' }, /--until 2020-01-01 is over/],
  ['a blank reason', { reason: ' ', until: '2999-12-31' }, /--reason says nothing/]
])('with %s nothing is accepted, and nothing written', async (_, flags, message) => {
  const place = folder()
  const file = join(place, 'e.json')
  await expect(acceptRun(file, [concluded()], { ...flags, update: false })).rejects.toThrow(message)
  expect(readdirSync(place)).toEqual([])
})

test('a file that is no expectation file is never written over', async () => {
  const file = fileOf({ name: 'mine' })
  await expect(acceptRun(file, [concluded()], adding)).rejects.toThrow(/schema is missing/)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ name: 'mine' })
})
