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
  bodies: { free: '50m', pro: '100m', business: '250m', enterprise: '500m' }
}

let nginx: Awaited<ReturnType<typeof startNginx>>
afterEach(() => nginx?.stop())

/** Verdicts by clause, of every scenario that asks about the size of a request. */
async function verdictsOf(allowance: typeof documented) {
  nginx = await startNginx(allowance)
  const { code, json } = await plimsollJson('run', 'edge', '--target', nginx.target)
  const verdicts = json.verdicts as { clause: string; outcome: string; observed: string }[]
  return { code, verdicts: Object.fromEntries(verdicts.map((one) => [one.clause, one])) }
}

describe.skipIf(!hasNginx())('nginx, a server nobody here wrote', () => {
  test('told the document’s numbers, it passes', { timeout: 120_000 }, async () => {
    const { code, verdicts } = await verdictsOf(documented)
    const outcomes = Object.values(verdicts).map(({ clause, outcome }) => [clause, outcome])
    expect(outcomes.filter(([, outcome]) => !['pass', 'observed'].includes(outcome!))).toEqual([])
    expect(outcomes.length).toBeGreaterThanOrEqual(10)
    expect(code).toBe(0)
  })

  test('told others, exactly those fail, at the byte', { timeout: 120_000 }, async () => {
    const { code, verdicts } = await verdictsOf(others)
    const failed = Object.values(verdicts).filter(({ outcome }) => outcome === 'fail')
    expect(failed.map(({ clause, observed }) => [clause, observed])).toEqual([])
    expect(code).toBe(1)
  })
})
