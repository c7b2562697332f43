import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { adopt, partText } from '../../src/cli/adopt.ts'
import type { Source } from '../../src/engine/drive.ts'
import { Refused } from '../../src/engine/workforce.ts'
import { fileDigest } from '../../src/fleet/file-digest.ts'
import { closed, hold, type Load, open } from '../../src/load/load.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-adopt-'))
mkdirSync(join(folder, 'load'))
const file = join(folder, 'load', 'list.ts')
writeFileSync(file, 'export default {}')
const authorisation = join(folder, 'authorisation.json')
const entry = { authorisedBy: 'a test', until: '2099-12-31', requestsPerSecond: 100, seconds: 60 }
writeFileSync(authorisation, JSON.stringify({ targets: [{ host: '192.0.2.1', ...entry }] }))

const part = (source: Source, load: Load = open(hold({ rate: 100, seconds: 10 }))) => ({
  ...{ source, load, share: { index: 0, count: 2 }, startAt: 0 },
  ...{ engine: 'wire' as const, seed: 1, verifyTls: true }
})
const asking = (url: string): Source => ({ requests: [{ url }] })
const sent = { scenario: 'load/list', file: '/elsewhere/load/list.ts', needs: ['api'] }
const ofScenario = (url: string, unit: object = sent): Source => ({
  unit: unit as never,
  target: { name: 't', endpoints: { api: { url } }, zones: {}, hosts: {}, credentials: {} }
})
const adopted = (task: ReturnType<typeof part>, digest?: string) =>
  adopt({ task, digest }, { folder, authorisation })

test('requests are sent as they are', () => {
  const task = part(asking('http://127.0.0.1:1/'))
  expect(adopted(task)).toEqual(task)
  expect(partText(task)).toBe('part 1 of 2: http://127.0.0.1:1/, 100/s, 10.0 s')
})

test('a scenario is the copy that is here', () => {
  const { source } = adopted(part(ofScenario('http://127.0.0.1:1')), fileDigest(file))
  expect(source).toMatchObject({ unit: { scenario: 'load/list', file } })
})

test.each([
  ['another file of that name', 'load/list', '0'.repeat(64), /list\.ts is not what whoever sends/],
  ['no such file', 'load/other', fileDigest(file), /there is no scenario load\/other in/]
])('%s is an error', (_, scenario, digest, message) => {
  const source = ofScenario('http://127.0.0.1:1', { ...sent, scenario })
  expect(() => adopted(part(source), digest)).toThrow(message)
})

describe('what this machine has no leave for is refused', () => {
  const faster = open(hold({ rate: 101, seconds: 10 }))
  const longer = open(hold({ rate: 100, seconds: 61 }))
  test.each([
    ['a place nobody has authorised', part(asking('http://192.0.2.2/')), /192\.0\.2\.2/],
    ['a scenario that goes there', part(ofScenario('http://192.0.2.2')), /192\.0\.2\.2/],
    [
      'one of two places',
      part({ requests: [{ url: 'http://127.0.0.1:1' }, { url: 'http://192.0.2.2' }] }),
      /192/
    ],
    ['more than the cap', part(asking('http://192.0.2.1/'), faster), /caps it at 100\/s/],
    ['longer than the cap', part(asking('http://192.0.2.1/'), longer), /caps a run at 60 s/],
    ['what has no rate', part(asking('http://192.0.2.1/'), closed({ seconds: 1 })), /no rate/]
  ])('%s', (_, task, message) => {
    expect(() => adopted(task)).toThrow(Refused)
    expect(() => adopted(task)).toThrow(message)
  })
  test('and what it has leave for is not', () => {
    expect(() => adopted(part(asking('http://192.0.2.1/')))).not.toThrow()
  })
})
