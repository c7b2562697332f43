import { expect, test } from 'vitest'
import { readSoakLine, type SoakRecord, soakLine } from '../../src/report/soak-record.ts'
import { header, minutes } from './soaks.ts'

const at = '2026-11-21T10:01:00.000Z'

test.each<[string, SoakRecord]>([
  ['a header', header],
  ['a header with agents', { ...header, agents: [{ id: 'vm-1', threads: 2, clockErrorMs: 0.1 }] }],
  ['a stretch', { t: 'stretch', at, reasons: ['late'], ...minutes(() => 100)[0]! }],
  ['a resumption', { t: 'resumed', at, seconds: 7_200 }],
  ['a verdict', { t: 'verdict', at, verdict: 'stable', because: 'all is well', exit: 0 }]
])('%s is read as it was written', (_, record) => {
  const line = soakLine(record)
  expect(line.endsWith('\n')).toBe(true)
  expect(readSoakLine(line.trimEnd())).toEqual(record)
})

test.each([
  ['{"t":"stretch"', /^not JSON/],
  ['{"t":"verse"}', /^"t" is "verse"/],
  ['null', /^"t" is undefined/],
  ['{"t":"resumed","at":5,"seconds":1}', /^resumed\.at/],
  ['{"t":"resumed","at":"","seconds":1,"agents":5}', /^resumed\.agents/],
  [JSON.stringify({ ...header, agents: [{ id: 5 }] }), /^soak\.agents\.0\.id/],
  ['{"t":"stretch","at":"","reasons":[],"seconds":-1}', /^stretch\./]
])('%s is refused, with what is wrong with it', (line, message) => {
  expect(() => readSoakLine(line)).toThrow(message)
})
