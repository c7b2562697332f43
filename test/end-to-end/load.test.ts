import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

let asked = 0
let server: Server
let url: string
beforeAll(async () => {
  server = createServer((request, response) => {
    asked++
    response.statusCode = request.url === '/broken' ? 500 : 200
    response.end(JSON.stringify({ cart: 7 }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

test.each([1, 2, 4])(
  '%i workers ask exactly the requests asked for',
  async (workers) => {
    const before = asked
    const options = ['-n', '1001', '-c', '8', '-w', `${workers}`, '--json']
    const { stdout } = await plimsoll('load', url, ...options)
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ requests: 1001, errors: {}, timeouts: 0, dropped: 0 })
    expect(asked - before).toBe(1001)
  },
  60_000
)

test.each(['wire', 'uring', 'undici', 'autocannon'])(
  'engine %s counts every answer',
  async (engine) => {
    const options = ['-n', '300', '-c', '4', '--engine', engine, '--json']
    const { stdout } = await plimsoll('load', url, ...options)
    expect(JSON.parse(stdout)).toMatchObject({ requests: 300, statuses: { 200: 300 } })
  },
  60_000
)

test('what is asked while it warms up is not measured', async () => {
  const before = asked
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-load-'))
  const kept = ['--out', out, '--reporter', 'html,csv']
  const options = ['-r', '100', '-d', '1s', '--warm-up', '2s', '--json', ...kept]
  const { stdout } = await plimsoll('load', url, ...options)
  expect(JSON.parse(stdout)).toMatchObject({ requests: 100, begun: 300 })
  expect(asked - before).toBe(300)
  const [page, numbers] = ['report.html', 'metrics.csv'].map((file) =>
    readFileSync(join(out, 'latest', file), 'utf8')
  )
  expect(page).toContain('the shaded beginning was not measured')
  expect(numbers).toMatch(/,in_flight,requests,\d+,\d+,\d+\r\n/)
}, 60_000)

test('failures are counted by class', async () => {
  const { stdout } = await plimsoll('load', `${url}/broken`, '-n', '50', '-c', '2', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ requests: 50, errors: { '5xx': 50 } })
}, 60_000)

test.each([
  ['no URL', ['load', 'nowhere'], 64, /"nowhere" is not a URL/],
  ['no duration', ['load', 'http://127.0.0.1:9', '-d', 'soon'], 64, /"soon" is no duration/],
  ['no warm-up', ['load', 'http://127.0.0.1:9', '--warm-up', '-1'], 64, /"-1" is no duration/],
  ['no header', ['load', 'http://127.0.0.1:9', '-H', 'x'], 64, /--header "x"/],
  ['no connection', ['load', 'http://127.0.0.1:9', '-c', '0'], 64, /--connections must be/],
  [
    'no engine for it',
    ['load', 'http://127.0.0.1:9', '-r', '5', '--engine', 'autocannon'],
    64,
    /cannot keep an arrival rate/
  ],
  ['a target beyond loopback', ['load', 'http://192.0.2.1/'], 77, /192\.0\.2\.1/]
])('%s', async (_, args, code, message) => {
  const ended = await refused(...args)
  expect(ended.stderr).toMatch(message)
  expect(ended.code).toBe(code)
})

test('nothing listening is inconclusive', async () => {
  const { code } = await plimsoll('load', 'http://127.0.0.1:9/', '-d', '1s', '-c', '2', '--json')
  expect(code).toBe(2)
}, 60_000)

const journey = `import { closed, load } from 'plimsoll'
export default load({
  title: 'A cart can be opened and read',
  needs: ['service'],
  load: closed({ users: 2, iterations: 20 }),
  objectives: { errorRatio: 0 },
  request: ({ service }) => async ({ send, check }) => {
    const opened = await send(service.post('/carts', { json: {} }))
    const { cart } = opened.json as { cart: number }
    const read = await send(service.get(\`/carts/\${cart}\`, { route: '/carts/:id' }))
    check('is the cart', read.status === 200)
  }
})
`

test('a scenario chains requests in plain TypeScript', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-load-'))
  writeFileSync(join(folder, 'clauses.json'), '[]')
  writeFileSync(join(folder, 'carts.ts'), journey)
  const before = asked
  const { stdout } = await plimsoll('run', '--scenarios', folder, '--target', url, '--json')
  const report = JSON.parse(stdout)
  expect(asked - before).toBe(2 + 40) // a look at first, one before it, and twenty times two
  expect(report.verdicts).toMatchObject([{ scenario: 'carts', evidence: { kind: 'load' } }])
  expect(report.verdicts[0].evidence.summary.statuses).toEqual({ 200: 40 })
}, 60_000)

const kinds = {
  load: 'load: closed({ users: 1, iterations: 5 }), objectives: { errorRatio: 0 },',
  capacity: 'perSecond: 5, p99Ms: 50, seconds: 5,',
  soak: 'load: closed({ users: 1, seconds: 2 }), budgets: { errors: 1 },'
}

test('no load of any kind is sent to a target whose canary is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-canary-'))
  const canaries = `export const canaries = { service: { async ask({ service }) {
  const reply = await service.get('/canary')
  return { works: reply.status === 200, reply }
} } }`
  writeFileSync(join(folder, 'clauses.json'), '[]')
  writeFileSync(join(folder, '_canaries.ts'), canaries)
  for (const [kind, own] of Object.entries(kinds)) {
    const text = `import { closed, ${kind} } from 'plimsoll'
export default ${kind}({ title: 'It holds', needs: ['service'], ${own}
  request: ({ service }) => service.get('/asked') })
void closed`
    writeFileSync(join(folder, `${kind}.ts`), text)
  }
  const paths: string[] = []
  const refusing = createServer((request, response) => {
    paths.push(request.url!)
    response.writeHead(request.url === '/canary' ? 403 : 200).end('{}')
  })
  onTestFinished(() => void refusing.close().closeAllConnections())
  await once(refusing.listen(0, '127.0.0.1'), 'listening')
  const target = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`
  const args = ['run', '--scenarios', folder, '--target', target, '--tier', 'long']
  const { json, code } = await plimsollJson(...args)
  expect(json.verdicts).toHaveLength(3)
  for (const { scenario, outcome, because } of json.verdicts) {
    expect([scenario, outcome]).toEqual([scenario, 'blocked'])
    expect(because).toMatch(/the canary of service does not work: HTTP 403/)
  }
  expect(paths).toContain('/canary')
  expect(paths).not.toContain('/asked')
  expect(code).toBe(2)
}, 60_000)
