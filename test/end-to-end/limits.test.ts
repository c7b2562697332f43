import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { hasNginx, startNginx } from './nginx.ts'
import { plimsoll, plimsollJson } from './plimsoll.ts'

const numbers = { firstBuffer: '1k', buffers: '4 8k', bodies: { any: '3m' } }

let nginx: Awaited<ReturnType<typeof startNginx>> | undefined
afterEach(async () => {
  await nginx?.stop()
  nginx = undefined
})

describe.skipIf(!hasNginx())('nginx, of which nothing is known', () => {
  test('its numbers are found, to the byte, and what it counts', async () => {
    nginx = await startNginx({ ...numbers, atOnce: 23 })
    const out = mkdtempSync(join(tmpdir(), 'plimsoll-limits-'))
    const limits = 'url,header,body,concurrency'
    const { code, json } = await plimsollJson('probe', nginx.url, '--limits', limits, '--out', out)
    expect(json.limits).toMatchObject([
      {
        limit: 'url',
        ...{ accepted: 8_177, rejected: 8_178, status: 414, repeats: '3/3' },
        reading: 'the request line and its end, up to 8 KiB'
      },
      {
        limit: 'header',
        ...{ accepted: 8_178, rejected: 8_179, status: 400, repeats: '3/3' },
        reading: 'the longest header line and its end, up to 8 KiB'
      },
      {
        limit: 'body',
        ...{ accepted: 3_145_728, rejected: 3_145_729, status: 413, repeats: '3/3' },
        reading: 'the body, up to 3 MiB'
      },
      {
        limit: 'concurrency',
        ...{ accepted: 23, rejected: 24, status: 503, repeats: '3/3' }
      }
    ])
    expect(code).toBe(0)
    expect(JSON.parse(readFileSync(join(out, 'limits.json'), 'utf8'))).toEqual(json)
    const again = await plimsoll('report', out)
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('4 of 4 limits')])
    const page = readFileSync(join(out, 'report.html'), 'utf8')
    expect(page).toContain('8,178 bytes accepted, 8,179 refused')
  })

  // On a machine that is busy enough nothing can be said of a rate.
  const given = { retry: 2, timeout: 150_000 }
  test('its leaky bucket is told by what it lets through', given, async () => {
    nginx = await startNginx({ ...numbers, rate: { perSecond: 4, burst: 4 } })
    const { code, json } = await plimsollJson('probe', nginx.url, '--limits', 'rate')
    const [rate] = json.limits
    expect(rate).toMatchObject({ limit: 'rate', algorithm: 'token-bucket', burst: 5, status: 429 })
    expect(rate.perSecond).toBeCloseTo(4, 0)
    expect(code).toBe(0)
  })

  test('people read the same', async () => {
    nginx = await startNginx(numbers)
    const { code, stdout, stderr } = await plimsoll('probe', nginx.url, '--limits', 'body,url')
    expect(stdout.split('\n').map((line) => line.trim())).toEqual([
      'url           8,177 bytes accepted, 8,178 refused (414)',
      'counted: the request line and its end, up to 8 KiB',
      'body          3,145,728 bytes accepted, 3,145,729 refused (413)',
      'counted: the body, up to 3 MiB',
      ''
    ])
    expect(stderr).toContain(`GET ${nginx.url} is answered 200.`)
    expect(code).toBe(0)
  })
})

test('nobody there is blocked, with the reason', async () => {
  const { code, json } = await plimsollJson('probe', 'http://127.0.0.1:1/')
  expect(json).toMatchObject({ limits: [], because: expect.stringContaining('refused') })
  expect(code).toBe(2)
})

/** A server that answers everything with one status, however much there is of it. */
async function answeringAll(status: number, maxHeaderSize = 1_048_576): Promise<string> {
  const server = createServer({ maxHeaderSize }, (_, response) => {
    response.writeHead(status, status === 302 ? { location: '/login' } : {}).end()
  })
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('headers asked alone are read as they are among all', async () => {
  const url = await answeringAll(200, 10_001)
  for (const limits of ['headers', 'header-count']) {
    const { stdout } = await plimsoll('probe', url, '--limits', limits)
    const what = 'the request target and all names and values of headers, up to 10,000'
    expect(stdout).toContain(`counted: ${what}\n`)
    expect(stdout).not.toContain('  url ')
  }
})

describe('of a service that never answers well nothing is found out', () => {
  test.each([
    [500, /nothing shows that the service works/],
    [503, /nothing shows that the service works/],
    [429, /nothing shows that the service works/],
    [302, /leads elsewhere: probe where it leads/]
  ])('%i to everything is blocked', async (status, told) => {
    const url = await answeringAll(status)
    const { code, stdout, stderr } = await plimsoll('probe', url, '--limits', 'url,body')
    expect(stderr).toMatch(told)
    expect(stdout).toBe('')
    expect(code).toBe(2)
    const { json } = await plimsollJson('probe', url, '--limits', 'url')
    expect(json).toMatchObject({ limits: [], because: expect.stringMatching(told) })
  })

  test.each([404, 401, 400])('%i to everything is inconclusive', async (status) => {
    const url = await answeringAll(status)
    const asked = ['--limits', 'url,rate', '--up-to', 'url=20KiB', '--requests', '500']
    const { code, stdout, stderr } = await plimsoll('probe', url, ...asked)
    expect(stdout).toContain(`no limit up to 20,480 bytes, but all is answered ${status}`)
    expect(stderr).toMatch(new RegExp(`^inconclusive: .* ${status}, which is no success`, 'm'))
    expect(code).toBe(2)
  })
})
