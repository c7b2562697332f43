import { describe, expect, test } from 'vitest'
import { createMeterMemory } from '../../src/caps.ts'
import {
  type Addresses,
  type Authorisation,
  authorise,
  hostsOf,
  parseAuthorisations
} from '../../src/target/authorise.ts'
import type { Target } from '../../src/target/target.ts'

const target = (...urls: string[]): Target => ({
  name: 'target',
  endpoints: Object.fromEntries(urls.map((url, n) => [`endpoint${n}`, { url }])),
  zones: {},
  hosts: {},
  credentials: {}
})

const entry: Authorisation = {
  host: 'staging.example.com',
  authorisedBy: 'Ada',
  until: '2026-12-31',
  requestsPerSecond: 50,
  seconds: 600
}
const now = Date.parse('2026-06-01T12:00:00Z')
const until = Date.parse('2027-01-01T00:00:00Z')

/** What names lead to; hosts that are addresses lead to themselves. */
const names: Addresses = {
  localhost: ['127.0.0.1', '::1'],
  'zone.localhost': ['127.0.0.7'],
  'moved.localhost': ['127.0.0.1', '10.0.0.9'],
  'here.example.com': ['127.0.0.2'],
  'staging.example.com': ['192.0.2.1', '2001:db8::1'],
  'a.staging.example.com': ['192.0.2.1'],
  'b.example.com': ['192.0.2.2']
}

const meter = createMeterMemory()
const asked = (given: Target, authorisations: readonly Authorisation[], at = now) => {
  const own = hostsOf(given).map((host) => [host, [host.replace(/[[\]]/g, '')]] as const)
  const addresses = {
    ...Object.fromEntries(own.filter(([host]) => /^[\d.]+$|:/.test(host))),
    ...names
  }
  return authorise(given, { authorisations, addresses, meterOf: () => meter }, at)
}

describe('loopback needs no leave', () => {
  test.each([
    'http://127.0.0.1:8080',
    'http://127.255.3.4/',
    'http://127.1/',
    'https://[::1]:8443/v4',
    'http://localhost:3000',
    'http://LOCALHOST',
    'http://zone.localhost',
    'http://[::ffff:127.0.0.1]',
    'http://here.example.com'
  ])('%s', (url) => {
    expect(asked(target(url), [])).toMatchObject({ allowed: true, caps: undefined })
  })

  test('and leads to the addresses it had then, and to no others', () => {
    const permission = asked(target('http://zone.localhost:81/v4', 'http://[::1]'), [])
    expect(permission).toMatchObject({
      routes: {
        'http://zone.localhost:81': { addresses: ['127.0.0.7'] },
        'http://[::1]': { addresses: ['::1'] }
      }
    })
  })

  test('all of them at once, and none at all', () => {
    expect(asked(target('http://127.0.0.1', 'http://[::1]'), []).allowed).toBe(true)
    expect(asked(target(), []).allowed).toBe(true)
  })
})

describe('everything else does', () => {
  test.each([
    'http://128.0.0.1',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:10.0.0.1]',
    'http://moved.localhost',
    'http://unknown.localhost',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://notlocalhost',
    'https://staging.example.com'
  ])('%s', (url) => {
    const permission = asked(target('http://127.0.0.1', url), [])
    expect(permission.allowed).toBe(false)
    expect(permission).toMatchObject({ because: expect.stringContaining(new URL(url).hostname) })
  })

  test.each([
    [
      'moved.localhost',
      /^nobody has authorised tests of moved\.localhost:80, which is 10\.0\.0\.9:/
    ],
    ['unknown.localhost', /unknown\.localhost:80, and no address is known for it: only loopback/],
    ['10.0.0.1', /^nobody has authorised tests of 10\.0\.0\.1:80: only loopback is free/]
  ])('and it is told where %s leads', (host, because) => {
    expect(asked(target(`http://${host}`), [])).toMatchObject({
      because: expect.stringMatching(because)
    })
  })
})

describe('an entry counts for exactly its host', () => {
  const permitted = (host: string, url: string) => asked(target(url), [{ ...entry, host }]).allowed
  test.each([
    { host: 'staging.example.com', url: 'https://staging.example.com/v4', allowed: true },
    { host: 'Staging.Example.COM', url: 'https://staging.example.com/v4', allowed: true },
    { host: 'staging.example.com', url: 'https://staging.example.com:8443', allowed: true },
    { host: 'staging.example.com:8443', url: 'https://staging.example.com:8443', allowed: true },
    { host: 'staging.example.com:443', url: 'https://staging.example.com', allowed: true },
    { host: 'staging.example.com:80', url: 'https://staging.example.com', allowed: false },
    { host: 'staging.example.com:8443', url: 'https://staging.example.com', allowed: false },
    { host: 'example.com', url: 'https://staging.example.com', allowed: false },
    { host: 'staging.example.com', url: 'https://a.staging.example.com', allowed: false },
    { host: '[2001:db8::1]', url: 'http://[2001:db8::1]/', allowed: true }
  ])('$host for $url: $allowed', ({ host, url, allowed }) => {
    expect(permitted(host, url)).toBe(allowed)
  })
})

test('an entry holds to the end of its last day, in UTC', () => {
  const at = (time: string) => asked(target(`http://${entry.host}`), [entry], Date.parse(time))
  expect(at('2026-12-31T23:59:59.999Z').allowed).toBe(true)
  expect(at('2027-01-01T00:00:00Z')).toEqual({
    allowed: false,
    because: 'the authorisation of staging.example.com:80 by Ada ended with 2026-12-31'
  })
})

test('an expired entry does not hide one that holds', () => {
  const expired = { ...entry, until: '2020-01-01' }
  const url = `http://${entry.host}`
  expect(asked(target(url), [expired, entry]).allowed).toBe(true)
})

test('every endpoint is checked, and the tightest caps of all hold', () => {
  const other = { ...entry, host: 'b.example.com', requestsPerSecond: 5, seconds: 900 }
  const both = target('http://127.0.0.1', `http://${entry.host}`, 'http://b.example.com')
  const own = { requestsPerSecond: 50, seconds: 600, untilMs: until, meter }
  expect(asked(both, [entry, other])).toEqual({
    allowed: true,
    routes: {
      'http://127.0.0.1': { addresses: ['127.0.0.1'] },
      'http://staging.example.com': { addresses: ['192.0.2.1', '2001:db8::1'], caps: own },
      'http://b.example.com': {
        addresses: ['192.0.2.2'],
        caps: { ...own, requestsPerSecond: 5, seconds: 900 }
      }
    },
    caps: { requestsPerSecond: 5, seconds: 600, untilMs: until }
  })
  expect(asked(both, [entry])).toMatchObject({
    allowed: false,
    because: expect.stringContaining('b.example.com')
  })
})

describe('the file', () => {
  const parse = (json: unknown) => parseAuthorisations(JSON.stringify(json), 'leave.json')

  test('a good one', () => {
    expect(parse({ targets: [entry] })).toEqual([entry])
    expect(parse({ targets: [] })).toEqual([])
  })

  test.each([
    { json: [], complaint: 'targets is missing: add a list of hosts that may be tested' },
    { json: null, complaint: 'it must be an object with a list named "targets"' },
    { json: { targets: 3 }, complaint: 'targets must be a list of hosts that may be tested' },
    { json: { targets: [], more: 1 }, complaint: 'more is not a known field: remove it' },
    {
      json: { targets: [7] },
      complaint: 'targets.0 must be an object with the fields of an entry'
    },
    {
      json: { targets: [entry, { ...entry, port: 1 }] },
      complaint: 'targets.1.port is not a known field: remove it'
    },
    {
      json: { targets: [{ ...entry, host: 'https://h/' }] },
      complaint: 'targets.0.host must be a host name, or host:port, without scheme and path'
    },
    {
      json: { targets: [{ ...entry, authorisedBy: ' ' }] },
      complaint: 'targets.0.authorisedBy must be the name of who allows it'
    },
    {
      json: { targets: [{ ...entry, until: '2026-02-30' }] },
      complaint: 'targets.0.until must be its last day, such as 2026-12-31'
    },
    {
      json: { targets: [{ ...entry, until: '31.12.2026' }] },
      complaint: 'targets.0.until must be its last day, such as 2026-12-31'
    },
    {
      json: { targets: [{ ...entry, requestsPerSecond: 0 }] },
      complaint: 'targets.0.requestsPerSecond must be a number above 0'
    },
    {
      json: { targets: [{ ...entry, seconds: '600' }] },
      complaint: 'targets.0.seconds must be a number above 0'
    }
  ])('$complaint', ({ json, complaint }) => {
    expect(() => parse(json)).toThrow(new Error(`leave.json: ${complaint}`))
  })

  test.each(Object.keys(entry))('%s is required', (field) => {
    const { [field as keyof Authorisation]: _, ...rest } = entry
    expect(() => parse({ targets: [rest] })).toThrow(
      `leave.json: targets.0.${field} is missing: add `
    )
  })

  test('what is not JSON', () => {
    expect(() => parseAuthorisations('{', 'leave.json')).toThrow(/^leave.json is not JSON: /)
  })
})
