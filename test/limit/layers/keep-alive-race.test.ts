import { describe, expect, test } from 'vitest'
import { createLineMaker } from '../../../src/client/line.ts'
import { clock } from '../../../src/clock.ts'
import { raceKeepAlive } from '../../../src/limit/layers/keep-alive-race.ts'
import { hasNginx } from '../../end-to-end/nginx.ts'
import { startFront, startOrigin } from './front.ts'

const ordinary = { method: 'GET', path: '/', headers: [] }
const asking = { ordinary, clock, stopped: () => false, leftMs: () => 20_000, upToMs: 5_000 }

async function race(front: string, origin: string) {
  const [one, other] = [front, origin].map((url) => createLineMaker({ endpoint: { url }, clock }))
  return raceKeepAlive({ ...asking, front: one!, origin: other! })
}

describe.skipIf(!hasNginx())('nginx in front of Node', () => {
  test('whose connections it keeps for longer: requests are lost', async () => {
    const origin = await startOrigin({ keptMs: 1_000 })
    const found = await race(await startFront({ origin }), origin)
    expect(found).toMatchObject({
      verdict: 'reproduced',
      because: expect.stringMatching(/POST requests .* failed \(502\), and none at half that age$/)
    })
    expect(found.failed).toBeGreaterThan(1)
    expect(found.failures).toHaveLength(found.failed)
  })

  test('what is refused for want of room is not taken for one', async () => {
    const origin = await startOrigin({ keptMs: 1_000, bears: 100 })
    const found = await race(await startFront({ origin }), origin)
    expect(found.sent).toBeGreaterThan(0)
    expect(found.failures).not.toContain('503')
    // A smaller crowd may meet the race seldom, or never, and that is said.
    expect(found.because).not.toContain('503')
  })

  test('whose connections it closes first: none is', async () => {
    const origin = await startOrigin({ keptMs: 600 })
    const found = await race(await startFront({ origin, kept: '200ms' }), origin)
    expect(found).toMatchObject({ verdict: 'absent', failed: 0 })
    expect(found.rounds).toBeGreaterThanOrEqual(16)
    const rare = Math.floor(found.rounds / 3)
    expect(found.because).toMatch(new RegExp(`: at 95 %, fewer than 1 time in ${rare}$`))
  })
})

test('an origin that closes none in that time is no evidence', async () => {
  const origin = await startOrigin({ keptMs: 60_000 })
  const maker = createLineMaker({ endpoint: { url: origin }, clock })
  const found = await raceKeepAlive({ ...asking, front: maker, origin: maker, upToMs: 700 })
  const because = 'the origin closes no connection within 0.70 s'
  expect(found).toMatchObject({ verdict: 'unclear', because, sent: 0 })
})

test('nobody there is said', async () => {
  const found = await race('http://127.0.0.1:1/', 'http://127.0.0.1:1/')
  expect(found).toMatchObject({ verdict: 'unclear', because: expect.stringContaining('refused') })
})

test('where there is no time for as many rounds as it takes, that is said in time', async () => {
  const origin = await startOrigin({ keptMs: 600 })
  const maker = createLineMaker({ endpoint: { url: origin }, clock })
  const until = clock.now() + 6_000
  const leftMs = () => until - clock.now()
  const found = await raceKeepAlive({ ...asking, front: maker, origin: maker, leftMs })
  expect(found.because).toMatch(/too few to tell(, for want of time \(--time\))?$/)
  expect(found.verdict).toBe('unclear')
  expect(found.rounds).toBeLessThan(6)
})
