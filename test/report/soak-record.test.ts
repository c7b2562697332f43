import { expect, test } from 'vitest'
import { readSoakLine, type SoakRecord, soakLine } from '../../src/report/soak-record.ts'
import { header, minutes } from './soaks.ts'

const at = '2026-11-21T10:01:00.000Z'

test.each<[string, SoakRecord]>([
  ['a header', header],
  ['a stretch', { t: 'stretch', at, reasons: ['late'], ...minutes(() => 100)[0]! }],
  ['a resumption', { t: 'resumed', at, seconds: 7_200 }],
  ['a verdict', { t: 'verdict', at, verdict: 'stable', because: 'all is well', exit: 0 }]
])('%s is read as it was written', (_, record) => {
  const line = soakLine(record)
  expect(line.endsWith('\n')).toBe(true)
  expect(readSoakLine(line.trimEnd(), 'file:1')).toEqual(record)
})

test.each([
  ['{"t":"stretch"', /^file:3: not JSON/],
  ['{"t":"verse"}', /^file:3: "t" is "verse"/],
  ['null', /^file:3: "t" is undefined/],
  ['{"t":"resumed","at":5,"seconds":1}', /^file:3: resumed\.at/],
  ['{"t":"stretch","at":"","reasons":[],"seconds":-1}', /^file:3: stretch\./]
])('%s is refused, and where it stands is said', (line, message) => {
  expect(() => readSoakLine(line, 'file:3')).toThrow(message)
})
