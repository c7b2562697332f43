import { expect, test } from 'vitest'
import type { Reply } from '../../src/client/reply.ts'
import { attend } from '../../src/engine/attend.ts'
import { Blocked, type Context } from '../../src/scenario/context.ts'
import { check } from '../../src/scenario/scenario.ts'

const reply = {
  ...{ kind: 'answered', status: 200, headers: {}, body: '', received: 0, sent: 0 },
  ...{ phase: 'end', ms: 1, because: 'HTTP 200', request: { method: 'GET', url: '', bodyBytes: 0 } }
} as unknown as Reply

/** What each attempt saw of a clause, of which it may come to an end for a reason of its own. */
async function attempts(run: (attempt: number) => boolean) {
  let attempt = 0
  const scenario = check({
    title: 'A clause',
    clauses: ['a'],
    run: async ({ verify }) => verify('a', run(attempt++), reply)
  })
  const [found] = await attend({
    scenario,
    fresh: () => ({}) as Context,
    stopped: () => false
  })
  const { evidence } = found!
  if (evidence.kind !== 'observations') throw new Error(evidence.kind)
  return evidence.attempts.map((seen) => seen.map(({ holds }) => holds))
}

function blocked(): never {
  throw new Blocked('used up')
}

test('what holds is looked at once, what does not two times more', async () => {
  expect(await attempts(() => true)).toEqual([[true]])
  expect(await attempts(() => false)).toEqual([[false], [false], [false]])
  expect(await attempts((attempt) => attempt > 0)).toEqual([[false], [true], [true]])
})

test('what cannot be looked at again was still seen once', async () => {
  expect(await attempts((attempt) => (attempt === 0 ? false : blocked()))).toEqual([[false]])
  await expect(attempts(blocked)).rejects.toThrow('used up')
})
