import { expect, test } from 'vitest'
import { fieldsOf } from '../../../src/platform/logpush/dataset.ts'
import { lineOf, output } from '../../../src/platform/logpush/output.ts'

const at = Date.UTC(2024, 0, 8, 9, 30, 0, 125)
const line = (options: object, fields: Record<string, unknown> = { EdgeStartTimestamp: at }) =>
  lineOf(output, {
    dataset: 'http_requests',
    fields,
    options: { field_names: ['EdgeStartTimestamp'], ...options }
  })

test.each([
  [undefined, '1704706200125000000'],
  ['unixnano', '1704706200125000000'],
  ['unix', '1704706200'],
  ['rfc3339', '"2024-01-08T09:30:00Z"'],
  ['rfc3339ms', '"2024-01-08T09:30:00.125Z"'],
  ['rfc3339ns', '"2024-01-08T09:30:00.125000000Z"']
])('a moment in format %s is %s', (timestamp_format, expected) => {
  expect(line({ timestamp_format })).toBe(`{"EdgeStartTimestamp":${expected}}\n`)
})

test('a line has the fields that were asked for, in that order, and null where it has none', () => {
  const fields = { ClientIP: '127.0.0.1', EdgeResponseStatus: 200, RayID: 'a' }
  const names = ['EdgeResponseStatus', 'ClientRequestReferer', 'EdgeEndTimestamp', 'ClientIP']
  expect(line({ field_names: names }, fields)).toBe(
    '{"EdgeResponseStatus":200,"ClientRequestReferer":null,"EdgeEndTimestamp":null,' +
      '"ClientIP":"127.0.0.1"}\n'
  )
  const all = JSON.parse(line({ field_names: undefined }, fields))
  expect(Object.keys(all)).toEqual(Object.keys(fieldsOf.http_requests))
})

test('a line stays one line, whatever is in it', () => {
  const fields = { ClientRequestURI: 'a\nb\r\u2028"\\' }
  const text = line({ field_names: ['ClientRequestURI'] }, fields)
  expect(text.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(text)).toEqual(fields)
})

/** The instruction is `${`; what looks like a part of it is harmless. */
const harmful = '%{jndi:x} %{%{a} $ {'.replaceAll('%', '$')
const harmless = 'x{jndi:x} x{x{a} $ {'

test.each([
  ['true', harmless],
  [true, harmless],
  ['false', harmful],
  [false, harmful],
  [undefined, harmful]
])('with CVE-2021-44228 %j, an instruction becomes %s', (option, expected) => {
  const options = { field_names: ['ClientRequestURI'], 'CVE-2021-44228': option }
  const text = line(options, { ClientRequestURI: harmful })
  expect(JSON.parse(text).ClientRequestURI).toBe(expected)
})
