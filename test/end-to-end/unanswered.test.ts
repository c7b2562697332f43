import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, createServer as createListener, type Server as Listener } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../free-ports.ts'
import { selfSigned } from '../load/certificate.ts'
import { plimsoll, plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

const open: (Server | Listener)[] = []
const port = async (server: Server | Listener) => {
  open.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

let closedUrl: string
let plainPort: number
let securePort: number
let rudePort: number
let silentPort: number
let erring = 0
beforeAll(async () => {
  closedUrl = `http://127.0.0.1:${await freePorts(1)}`
  plainPort = await port(
    createServer((request, response) => {
      const isBad = request.url === '/404' || (request.url === '/some' && ++erring % 4 === 0)
      response.statusCode = request.url === '/404' ? 404 : isBad ? 503 : 200
      if (request.url === '/302') response.writeHead(302, { location: '/login' })
      response.end('ok')
    })
  )
  securePort = await port(createSecure(selfSigned, (_, response) => response.end('ok')))
  silentPort = await port(createListener((socket) => void socket.resume()))
  rudePort = await port(createListener((socket) => socket.destroy()))
})
afterAll(() => {
  for (const server of open) server.close()
})

const refusal = /nothing connected: connection refused at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/
const short = ['-d', '1s', '-c', '4']

describe('a load that nothing answered is blocked, and the generator is not blamed', () => {
  test.each([
    ['closed', []],
    ['open', ['-r', '200']],
    ['undici', ['--engine', 'undici']],
    ['autocannon', ['--engine', 'autocannon']]
  ])(
    'a closed port, %s',
    async (_, flags) => {
      const { stdout, code } = await plimsoll('load', closedUrl, ...short, ...flags)
      expect(stdout).toMatch(refusal)
      expect(stdout).toMatch(/^ {2}Blocked: /m)
      expect(stdout).not.toMatch(/invalid|the generator, not/)
      expect(code).toBe(2)
      const { json } = await plimsollJson('load', closedUrl, ...short, ...flags)
      expect(json.unanswered).toMatch(refusal)
      expect(json.generator).toMatchObject({ valid: true, reasons: [] })
    },
    60_000
  )

  test.each([
    ['plain HTTP asked for TLS', () => `https://127.0.0.1:${plainPort}/`, /it does not speak TLS/],
    ['a certificate of its own', () => `https://127.0.0.1:${securePort}/`, /its certificate \(/],
    ['a listener that hangs up', () => `http://127.0.0.1:${rudePort}/`, /nothing answered: [a-z]+/],
    ['a port that cannot be', () => 'http://127.0.0.1:1/', /connection refused at 127\.0\.0\.1:1 /]
  ])(
    '%s',
    async (_, url, told) => {
      const { stdout, code } = await plimsoll('load', url(), ...short, '-r', '200')
      expect(stdout).toMatch(told)
      expect(stdout).not.toMatch(/invalid/)
      expect(code).toBe(2)
    },
    60_000
  )

  test('of a comparison, a capacity and a soak too', async () => {
    const good = `http://127.0.0.1:${plainPort}/`
    const compared = await plimsollJson('compare', '--a', good, '--b', closedUrl, '--time', '20s')
    expect(compared.json).toMatchObject({ ended: 'blocked' })
    expect(compared.json.because).toMatch(
      /^B does .* \d+ of \d+ requests failed, nothing connected: /
    )
    expect(compared.code).toBe(2)
    const searched = await plimsollJson('capacity', closedUrl, '--time', '15s')
    expect(searched.json).toMatchObject({
      ended: 'blocked',
      because: expect.stringMatching(refusal)
    })
    expect(searched.code).toBe(2)
    const soaked = await plimsoll('soak', closedUrl, '-d', '5s', '-r', '10')
    expect(soaked.stderr).toMatch(/does not answer: connection refused at 127\.0\.0\.1/)
    expect(soaked.code).toBe(2)
  }, 120_000)

  test('of one that takes requests and is silent, which is named', async () => {
    const [good, silent] = [`http://127.0.0.1:${plainPort}/`, `http://127.0.0.1:${silentPort}/`]
    const sides = ['--a', good, '--b', silent, '--time', '40s', '-t', '1s']
    const { json, code } = await plimsollJson('compare', ...sides)
    expect(json).toMatchObject({
      ended: 'blocked',
      because: expect.stringMatching(/^B hangs, or takes longer /)
    })
    expect(code).toBe(2)
  }, 60_000)

  test('of a scenario whose target was there a moment ago', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-gone-'))
    const text = `import { closed, load } from 'plimsoll'
export default load({ title: 'It holds', needs: ['service'], objectives: { errorRatio: 0 },
  load: closed({ users: 2, seconds: 1 }), request: () => ({ url: '${closedUrl}/' }) })`
    writeFileSync(join(folder, 'clauses.json'), '[]')
    writeFileSync(join(folder, 'gone.ts'), text)
    const target = `http://127.0.0.1:${plainPort}`
    const { json, code } = await plimsollJson('run', '--scenarios', folder, '--target', target)
    expect(json.verdicts).toMatchObject([{ outcome: 'blocked' }])
    expect(json.verdicts[0].because).toMatch(refusal)
    expect(code).toBe(2)
  }, 60_000)
})

test.each([
  ['another scheme', 'ftp://127.0.0.1/', /is of ftp:, and requests are sent to http: and https:/],
  ['a socket', 'ws://127.0.0.1/', /is of ws:|what is sent to ws:.* is named by --message/],
  ['no host', 'http:///path', /names no host/],
  ['a password', 'http://me:secret@127.0.0.1/', /holds a password, which would not be sent/],
  ['nonsense', 'nowhere', /"nowhere" is not a URL/]
])(
  '%s is wrong usage',
  async (_, url, told) => {
    const commands = [
      ['load', url],
      ['capacity', url],
      ['soak', url],
      ['compare', '--a', url, '--b', 'http://127.0.0.1:1/']
    ]
    for (const args of commands) {
      const { stderr, code } = await refused(...args)
      expect([args[0], code]).toEqual([args[0], 64])
      expect(stderr).toMatch(told)
      expect(stderr).not.toMatch(/secret|\n\s+at /)
    }
  },
  60_000
)

test('answers that are errors, or lead elsewhere, are told, and decide nothing alone', async () => {
  const url = `http://127.0.0.1:${plainPort}`
  const all = await plimsoll('load', `${url}/404`, '-n', '20', '-c', '2')
  expect(all.stdout).toMatch(/^ {2}answers {5}20 of 20 answers were 4xx$/m)
  expect(all.code).toBe(0)
  const some = await plimsollJson('load', `${url}/some`, '-n', '2000', '-c', '2')
  expect(some.json.remarks).toEqual(['500 of 2,000 answers were 5xx (25.0 %)'])
  // Others may have the processors; then no time is told, and the answers are told as before.
  expect(some.code).toBe(some.json.generator.valid ? 0 : 3)
  const led = await plimsoll('load', `${url}/302`, '-n', '20', '-c', '2')
  expect(led.stdout).toMatch(/^ {2}answers {5}20 of 20 answers were redirects, 302: they /m)
  expect(led.code).toBe(0)
  const none = await plimsollJson('load', `${url}/`, '-n', '20', '-c', '2')
  expect(none.json.remarks).toEqual([])
}, 60_000)
