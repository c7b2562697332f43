import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  createSoakJournal,
  readSoak,
  resumeSoakJournal,
  type SoakJournal,
  soakFile
} from '../../../src/cli/saved/soak-journal.ts'
import { soakLine } from '../../../src/report/soak-record.ts'
import { judgeDrift } from '../../../src/verdict/judge-drift.ts'
import type { Stretch } from '../../../src/verdict/stretch.ts'
import { header, minutes } from '../../report/soaks.ts'

const at = '2026-11-21T10:01:00.000Z'
const out = () => mkdtempSync(join(tmpdir(), 'plimsoll-soak-'))
const leaking = minutes((share) => 100 + 10 * share + Math.sin(40 * share))

function keep(journal: SoakJournal, stretches: readonly Stretch[]): void {
  for (const stretch of stretches) journal.write({ t: 'stretch', at, reasons: [], ...stretch })
  journal.close()
}

/** A soak without a break, as its journal tells it. */
async function whole() {
  const journal = createSoakJournal(out(), header)
  keep(journal, leaking)
  return readSoak(journal.folder)
}

test('what was written is read back, with how much there is', async () => {
  const { header: first, stretches, seconds, count } = await whole()
  expect(first).toEqual(header)
  expect(stretches).toHaveLength(60)
  expect({ seconds, count }).toEqual({ seconds: 3_600, count: 60 })
})

test.each([
  ['between two lines', ''],
  ['in the middle of a line', '{"t":"stretch","at":"2026-11-21T10:0'],
  ['before the end of a line was written', '{"t":"resumed","at":"now","seconds":1}']
])('a soak killed %s and resumed says what one without a break does', async (_, torn) => {
  const journal = createSoakJournal(out(), header)
  keep(journal, leaking.slice(0, 23))
  const file = join(journal.folder, soakFile)
  appendFileSync(file, torn)
  expect((await readSoak(journal.folder)).count).toBe(23)

  const resumed = resumeSoakJournal(journal.folder)
  resumed.write({ t: 'resumed', at, seconds: 3_600 })
  keep(resumed, leaking.slice(23))
  const again = await readSoak(journal.folder)
  const once = await whole()
  expect(again.seconds).toBe(once.seconds)
  expect(judgeDrift(again.stretches, header.terms)).toEqual(
    judgeDrift(once.stretches, header.terms)
  )
  expect(judgeDrift(again.stretches, header.terms).verdict).toBe('drift')
  expect(readFileSync(file, 'utf8')).not.toContain('10:0\n')
})

test('an empty journal, and one of something else, are told from a soak', async () => {
  const folder = out()
  await expect(readSoak(folder)).rejects.toThrow('there is no soak')
  writeFileSync(join(folder, soakFile), '')
  await expect(readSoak(folder)).rejects.toThrow('does not begin')
  writeFileSync(join(folder, soakFile), '{"t":"header"}\n')
  await expect(readSoak(folder)).rejects.toThrow(/soak\.ndjson:1: "t" is "header"/)
  const later = soakLine({ t: 'resumed', at, seconds: 60 })
  writeFileSync(join(folder, soakFile), later + soakLine(header))
  await expect(readSoak(folder)).rejects.toThrow('does not begin')
})

test('one soak after another is none: whose stretches they are would be a guess', async () => {
  const journal = createSoakJournal(out(), header)
  keep(journal, leaking.slice(0, 2))
  appendFileSync(join(journal.folder, soakFile), soakLine({ ...header, seconds: 60 }))
  await expect(readSoak(journal.folder)).rejects.toThrow(/soak\.ndjson:4: a second soak/)
})

test('a stretch that is none costs itself, and is named with its line and field', async () => {
  const response = { encoded: 'SGlzdG9ncmFt', count: 1, minUs: 1, maxUs: 1, sumUs: 1 }
  const load = { seconds: 1, requests: 1, failures: 0, response }
  const journal = createSoakJournal(out(), header)
  keep(journal, [...leaking.slice(0, 2), { ...leaking[2]!, load }, leaking[3]!])
  const { count, seconds, lost } = await readSoak(journal.folder)
  expect({ count, seconds }).toEqual({ count: 3, seconds: 180 })
  expect(lost).toEqual({
    count: 1,
    first: [
      { line: 4, because: expect.stringMatching(/^stretch\.load\.response\.encoded: must be/) }
    ]
  })
})

test.each([
  ['half of one, gone on with by another process', '{"t":"stretch","at":"2026-11-21T10:0'],
  ['zeros, as a loss of power leaves them', '\0'.repeat(4_096)],
  ['nothing', ''],
  ['something else', '{"t":"header"}']
])('a line in the middle that is %s costs that line', async (_, bad) => {
  const journal = createSoakJournal(out(), header)
  keep(journal, leaking.slice(0, 30))
  appendFileSync(join(journal.folder, soakFile), `${bad}\n`)
  keep(resumeSoakJournal(journal.folder), leaking.slice(30))
  const { stretches, count, lost } = await readSoak(journal.folder)
  expect([count, lost?.count, lost?.first[0]?.line]).toEqual([60, 1, 32])
  const once = await whole()
  expect(judgeDrift(stretches, header.terms)).toEqual(judgeDrift(once.stretches, header.terms))
})

test('however many stretches there are, few are held', async () => {
  const journal = createSoakJournal(out(), header)
  keep(
    journal,
    minutes((share) => 100 + share, 500)
  )
  const { stretches, count } = await readSoak(journal.folder)
  expect(count).toBe(500)
  expect(stretches.length).toBeLessThan(80)
})

test('who went on with a soak is named beside those who began it, each once', async () => {
  const agent = (id: string) => ({ id, threads: 1, clockErrorMs: 0.1 })
  const journal = createSoakJournal(out(), { ...header, agents: [agent('vm-1'), agent('vm-2')] })
  journal.write({ t: 'resumed', at, seconds: 3_600, agents: [agent('vm-2'), agent('vm-3')] })
  journal.close()
  const { agents } = (await readSoak(journal.folder)).header
  expect(agents?.map(({ id }) => id)).toEqual(['vm-1', 'vm-2', 'vm-3'])
})
