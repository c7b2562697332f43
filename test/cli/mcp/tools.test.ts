import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { tools, wordsOf } from '../../../src/cli/mcp/tools.ts'

let project: string
beforeAll(() => {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-mcp-'))
  project = join(home, 'project')
  mkdirSync(join(project, 'limits'), { recursive: true })
  mkdirSync(join(home, 'project-of-another'))
  writeFileSync(join(project, 'staging.json'), '{}')
  symlinkSync(tmpdir(), join(project, 'elsewhere'))
  mkdirSync(join(project, 'reports'))
  symlinkSync(tmpdir(), join(project, 'reports', 'of-another'))
})

const words = (name: string, input: unknown) =>
  wordsOf(tools.find((tool) => tool.name === name)!, input, project)

const url = 'http://127.0.0.1:3000/'

describe('what is asked becomes the words of a command line', () => {
  test.each<[string, object, string[]]>([
    ['list', { ids: ['edge/url-length'] }, ['list', 'edge/url-length']],
    ['clauses', { scenarios: './limits' }, ['clauses', '--scenarios=limits']],
    ['run', { target: 'staging.json' }, ['run', '--target=staging.json']],
    ['run', { target: 'platform' }, ['run', '--target=platform']],
    [
      'load',
      { url, rate: 5, seconds: 2, p99: 20, headers: ['a: b', 'c: --json'], body: '--x' },
      [
        ...['load', url, '--header=a: b', '--header=c: --json', '--body=--x'],
        ...['--rate=5', '--duration=2s', '--p99=20']
      ]
    ],
    ['probe', { url, limits: ['url', 'rate'] }, ['probe', url, '--limits=url,rate']],
    ['compare', { a: url, b: url }, ['compare', `--a=${url}`, `--b=${url}`, '--time=60s']],
    ['report', {}, ['report', 'latest']]
  ])('%s %j', (name, input, expected) => {
    expect(words(name, input)).toEqual(expected)
  })
})

describe('what is hostile is refused', () => {
  test.each<[string, unknown]>([
    ['list', { ids: ['--scenarios=/'] }],
    ['list', { ids: ['../../etc'] }],
    ['list', { ids: ['edge\n--json'] }],
    ['list', { ids: 'edge' }],
    ['clauses', { write: 'x' }],
    ['clauses', { scenarios: '..' }],
    ['clauses', { scenarios: '../project-of-another' }],
    ['clauses', { scenarios: '/etc' }],
    ['clauses', { scenarios: 'elsewhere' }],
    ['clauses', { scenarios: 'limits/none' }],
    ['run', { target: '--insecure' }],
    ['run', { target: '/etc/passwd' }],
    ['run', { target: 'elsewhere/target.json' }],
    ['run', { authorisation: 'mine.json' }],
    ['run', { otlp: 'http://192.0.2.1' }],
    ['load', {}],
    ['load', { url: '--har=/etc/passwd' }],
    ['load', { url: 'file:///etc/passwd' }],
    ['load', { url: 'http://' }],
    ['load', { url: `${url} --insecure\n` }],
    ['load', { url, body: '@/etc/passwd' }],
    ['load', { url, body: 'x'.repeat(200_000) }],
    ['load', { url, body: 'é'.repeat(100_000) }],
    ['load', { url, body: 'a\0b' }],
    ['load', { url, headers: ['a: b\r\nc: d'] }],
    ['load', { url, headers: ['--insecure'] }],
    ['load', { url, method: '--insecure' }],
    ['load', { url, seconds: 601 }],
    ['load', { url, seconds: '10s' }],
    ['load', { url, rate: 1e9 }],
    ['load', { url, connections: 1e6 }],
    ['load', { url, insecure: true }],
    ['load', { url, authorisation: 'mine.json' }],
    ['load', { url, curl: 'curl -d @/etc/passwd' }],
    ['probe', { url, limits: ['--claims'] }],
    ['compare', { a: url, b: url, 'a-cmd': 'rm -rf /' }],
    ['compare', { a: url, b: url, aCmd: 'rm -rf /' }],
    ['compare', { a: url, b: '--a-cmd=true' }],
    ['compare', { a: url, b: url, metric: 'p50 --a-cmd=x' }],
    ['report', { run: '/etc' }],
    ['report', { run: '--out=/etc' }],
    ['report', { run: '../other' }],
    ['report', { run: 'elsewhere' }],
    ['report', { run: 'of-another' }],
    ['report', { out: '/etc' }],
    ['report', []],
    ['report', 'latest'],
    ['report', JSON.parse('{"__proto__":{"run":"x"},"run":"a..b"}')]
  ])('%s %j', (name, input) => {
    expect(() => words(name, input)).toThrow()
  })
})

test('whoever asks wrongly is told where', () => {
  expect(() => words('load', { url, insecure: true })).toThrow(/load: .*insecure/)
})

test('what is refused is named, with what is allowed in its place', () => {
  expect(() => words('load', { url, frob: 1 })).toThrow(/^load: frob: not taken; it takes url, /)
  expect(() => words('load', { url: 'x' })).toThrow(/^load: url: .* Allowed: of the form \^https/)
  expect(() => words('load', { url, errors: 101 })).toThrow(/at least 0; at most 100$/)
  expect(() => words('load', {})).toThrow(/^load: what was given: .*"url"/)
})
