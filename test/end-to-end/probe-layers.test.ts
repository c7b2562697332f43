import { createServer, request as forward } from 'node:http'
import { describe, expect, test } from 'vitest'
import { listen } from '../client/servers.ts'
import { startFront, startOrigin } from '../limit/layers/front.ts'
import { hasNginx } from './nginx.ts'
import { plimsoll, plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

describe.skipIf(!hasNginx())('a front and what is behind it', () => {
  test('it is told which of the two draws each line', async () => {
    const origin = await startOrigin({ keptMs: 5_000 })
    const front = await startFront({ origin })
    const asked = ['--via', front, '--origin', origin, '--limits', 'url,body']
    const { code, json } = await plimsollJson('probe', ...asked)
    expect(json.limits).toMatchObject([
      {
        ...{ limit: 'url', rejected: 8_178, refusedBy: 'nginx, by its error page' },
        layer: { by: 'front' }
      },
      { limit: 'body', rejected: 20_001, layer: { by: 'origin' } }
    ])
    expect(code).toBe(0)
    const { stdout } = await plimsoll('probe', '--via', front, '--limits', 'url')
    expect(stdout).toContain('                refused by: nginx, by its error page\n')
  })
})

test('by how soon it comes it is told of a refusal that says nothing who refuses', async () => {
  const origin = await startOrigin({ keptMs: 5_000, slowMs: 200 })
  const { port } = new URL(origin)
  const front = createServer((request, response) => {
    if (Number(request.headers['content-length'] ?? 0) > 10_000) {
      response.writeHead(413, { connection: 'close' }).end('too large')
      return
    }
    const { method, headers, url } = request
    const options = { port, method, headers, path: url }
    const passed = forward(options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passed)
  })
  const asked = ['--via', await listen(front), '--limits', 'body', '--up-to', 'body=10001']
  const { json } = await plimsollJson('probe', ...asked)
  expect(json.limits[0]).toMatchObject({
    rejected: 10_001,
    refusedBy: expect.stringMatching(
      /^somebody before whoever answers as usual, by the time: within/
    )
  })
})

test.each([
  [['--limits', 'url'], /which URL\?/],
  [['http://127.0.0.1:1/', '--via', 'http://127.0.0.1:2/'], /--via names the URL/],
  [['http://127.0.0.1:1/', '--limits', 'keep-alive-race'], /needs --origin URL/],
  [['--replicas', 'http://127.0.0.1:1/'], /--replicas needs two at least/],
  [['http://127.0.0.1:1/', '--origin', 'http://127.0.0.1:2/', '--claims'], /leave --origin/]
])('%j does not go together', async (flags, told) => {
  const { code, stderr } = await refused('probe', ...flags)
  expect(stderr).toMatch(told)
  expect(code).toBe(64)
})
