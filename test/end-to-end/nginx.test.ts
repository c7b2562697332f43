import { afterEach, describe, expect, test } from 'vitest'
import { hasNginx, startNginx } from './nginx.ts'
import { plimsollJson } from './plimsoll.ts'

const documented = {
  firstBuffer: '1k',
  buffers: '2 16k',
  bodies: { free: '100m', pro: '100m', business: '200m', enterprise: '500m' }
}
const others = {
  firstBuffer: '1k',
  buffers: '4 8k',
  // Of plans that may send much it takes little, so that little has to be sent.
  bodies: { free: '10m', pro: '101m', business: '1k', enterprise: '2k' }
}

let nginx: Awaited<ReturnType<typeof startNginx>>
afterEach(() => nginx?.stop())

/** Verdicts by clause, of every scenario that asks about the size of a request. */
async function verdictsOf(allowance: typeof documented) {
  nginx = await startNginx(allowance)
  const { code, json } = await plimsollJson('run', 'edge', '--target', nginx.target)
  const verdicts = json.verdicts as { clause: string; outcome: string; observed: string }[]
  return { code, verdicts }
}

describe.skipIf(!hasNginx())('nginx, a server nobody here wrote', () => {
  test('told the document’s numbers, it passes', { timeout: 120_000 }, async () => {
    const { code, verdicts } = await verdictsOf(documented)
    const outcomes = verdicts.map(({ clause, outcome }) => [clause, outcome])
    expect(outcomes.filter(([, outcome]) => !['pass', 'observed'].includes(outcome!))).toEqual([])
    expect(outcomes.length).toBeGreaterThanOrEqual(10)
    expect(code).toBe(0)
  })

  test('told others, exactly those fail, at the byte', { timeout: 120_000 }, async () => {
    const { code, verdicts } = await verdictsOf(others)
    const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
    const boundary = (observed: string) => /^(\d+) bytes accepted/.exec(observed)?.[1]
    const observed: Record<string, string | undefined> = {}
    // A body that is announced is refused as well, without a boundary.
    for (const one of failed) observed[one.clause] ??= boundary(one.observed)
    expect(observed).toEqual({
      // A request line and a header line must each fit one buffer of 8 KiB, ends of lines included.
      'limits.request.url-length': `${8 * 1024 - 'GET  HTTP/1.1\r\n'.length}`,
      'limits.request.header-single': `${8 * 1024 - ': \r\n'.length}`,
      'limits.request.body.free': `${10 * 1024 * 1024}`,
      'limits.request.body.pro': `${101 * 1024 * 1024}`,
      'limits.request.body.business': `${1024}`,
      'limits.request.body.enterprise': `${2 * 1024}`,
      // One byte more than the document's maximum, which this nginx takes on the pro plan.
      'error.body-413.post': undefined,
      'error.body-413.put': undefined,
      'error.body-413.patch': undefined
    })
    expect(code).toBe(1)
  })
})
