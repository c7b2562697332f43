import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { against } from '../../../src/limit/baseline.ts'
import { race } from '../../../src/limit/claims/race.ts'
import { serve } from '../../client/servers.ts'

const limit = 8

test.each([
  [true, 'false', /^8 allowed, \d+ let through; more in \d+ of 20 bursts/],
  [false, 'true', /^8 allowed, more in none of 20 bursts/]
] as const)('a count that is written back later: %s', async (isLate, verdict, because) => {
  let count = 0
  const url = await serve(async (_, response) => {
    const read = count
    // Who reads and writes in one turn of the loop has nothing come in between.
    if (isLate) await sleep(10)
    count = read + 1
    response.writeHead(read < limit ? 200 : 429).end()
  })
  const client = createClient({ endpoint: { url } })
  onTestFinished(client.close)
  // Each rest brings all back, however long the machine takes for it.
  const clock = {
    now: () => 0,
    async until() {
      count = 0
    }
  }
  const found = await race({
    ...{ client, clock, level: limit, restMs: 1, stopped: () => false },
    question: { method: 'GET', path: '/' },
    judge: (reply) => against(reply, { status: 200, slowestMs: 1 }, { crowding: [] })
  })
  expect(found).toMatchObject({ field: 'race', verdict, because: expect.stringMatching(because) })
})
