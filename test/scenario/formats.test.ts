import { expect, test } from 'vitest'
import { strangers, withFormats } from '../../src/scenario/formats.ts'
import { shapeFinding } from '../../src/scenario/shape.ts'

const found = (format: string, value: unknown) =>
  shapeFinding(value, { type: ['string', 'number', 'null'], format }, {}, 'surely')

const right: [format: string, values: unknown[]][] = [
  ['date-time', ['2026-03-04T05:06:07Z', '2026-03-04t05:06:07.123456+01:00', null]],
  ['date-time', ['2016-12-31T23:59:60Z', '2024-02-29 00:00:00z', '0001-01-01T00:00:00-00:00']],
  ['date', ['2024-02-29', '0001-01-01', '2026-12-31', '2026-06-30']],
  ['time', ['05:06', '05:06:07Z', '23:59:60', '24:00:00', '05:06:07.5+01:00']],
  ['duration', ['P1D', 'PT0.5S', 'P1Y2M10DT2H30M', 'P1W', '-P1D']],
  ['uuid', ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-ffff-4FFF-BFFF-FFFFFFFFFFFF']],
  ['email', ['jo@example.com', '"a b"@x', 'jo+x@[127.0.0.1]', 'ü@example.com', 'a@localhost']],
  ['uri', ['https://example.com/a?b=c#d', 'urn:x:y', 'mailto:a@b', 'data:,x', 'http://[::1]:80/']],
  ['uri', ['HTTP://EXAMPLE.COM/ü', 'about:blank', 'x:']],
  ['uri-reference', ['', '/a/b', '../x', '#y', 'https://example.com']],
  ['hostname', ['localhost', 'a_b.example.com.', 'xn--bcher-kva.example', '1.2.3.4']],
  ['ipv4', ['10.0.0.1', '255.255.255.255', '010.1.1.1']],
  ['ipv6', ['::1', '::', 'fe80::1%eth0', '1:2:3:4:5:6:7:8', '::ffff:192.0.2.1', '2001:db8::']],
  ['json-pointer', ['', '/a~1b/0']],
  ['byte', ['eHh4', '_-==', '']],
  ['int32', [2147483647, -2147483648, 1.5, 'x']],
  ['color', ['anything at all']]
]

test.each(right)('what may be a %s is one: %j', (format, values) => {
  for (const value of values) expect([value, found(format, value)?.holds]).toEqual([value, true])
})

const wrong: [format: string, values: unknown[]][] = [
  ['date-time', ['2026-03-04', '2026-03-04T05:06:07', '2026-13-04T05:06:07Z', '', '1700000000']],
  ['date', ['2026-02-30', '2026-04-31', '2026-3-4', '04/03/2026', '2026-03-04T00:00:00Z']],
  ['time', ['25:00', '5pm']],
  ['duration', ['1 day', 'P']],
  ['uuid', ['7f0c5c5a8a554b1e9a393f2f6d1f7a10', 'x', '7f0c5c5a-8a55-4b1e-9a39-3f2f6d1f7a1']],
  ['email', ['x', 'a@', '@b', 'a b@c']],
  ['uri', ['/a/b', 'example.com', 'https://exa mple.com']],
  ['uri-reference', ['a b']],
  ['hostname', ['a b', '-x-', 'a..b', '']],
  ['ipv4', ['256.0.0.1', '1.2.3', '1.2.3.4/24']],
  ['ipv6', ['1.2.3.4', ':::', '1::2::3', '1:2:3:4:5:6:7:8:9', 'zz::1']],
  ['json-pointer', ['a/b']],
  ['byte', ['§']],
  ['int32', [2147483648]]
]

test.each(wrong)('what is beyond doubt no %s is told: %j', (format, values) => {
  for (const value of values) {
    const saw = `#: ${JSON.stringify(value)} is no ${format}`
    expect([value, found(format, value)]).toEqual([value, { holds: false, saw }])
  }
})

test('what was sent to be refused, and is kept by who takes it, is no fault of an answer', () => {
  for (const [format, text] of Object.entries(strangers)) {
    expect([format, found(format, text)?.holds]).toEqual([format, true])
  }
})

test('the place of what is wrong is told, behind references and in lists', () => {
  const items = { type: 'array', items: { $ref: '#/$defs/Pet' } }
  const Pet = { properties: { born: { anyOf: [{ format: 'date' }, { type: 'null' }] } } }
  const schema = { properties: { pets: items } }
  const look = (born: unknown) =>
    shapeFinding({ pets: [{ born: null }, { born }] }, schema, { Pet }, 'surely')
  expect(look('2026-03-04')?.holds).toBe(true)
  // Of an alternative that is none of its format that is said, and not what another wants.
  expect(look('soon')).toEqual({ holds: false, saw: '#/pets/1/born: "soon" is no date' })
  expect(shapeFinding({ pets: [{ born: 'soon' }] }, schema, { Pet })?.holds).toBe(true)
})

test('a field that is called title is none of ours', () => {
  const schema = { properties: { title: { type: 'string' }, born: { format: 'date' } } }
  const found = shapeFinding({ title: 'x', born: 'soon' }, schema, {}, 'surely')
  expect(found).toEqual({ holds: false, saw: '#/born: "soon" is no date' })
})

test('a field that is called format is a field', () => {
  const schema = { properties: { format: { type: 'string' } }, const: { format: 'date' } }
  expect(withFormats(schema, false)).toEqual(schema)
  expect(withFormats({ format: 'date', type: 'string' }, false)).toEqual({ type: 'string' })
})
