import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { createExchangeLog } from '../../src/client/exchange-log.ts'
import type { ExpectedReply, Reply } from '../../src/client/reply.ts'
import type { Precondition } from '../../src/engine/precondition.ts'
import { runCheck } from '../../src/engine/run-check.ts'
import { Blocked } from '../../src/scenario/blocked.ts'
import type { Context } from '../../src/scenario/context.ts'
import { check } from '../../src/scenario/define.ts'
import type { Judge } from '../../src/scenario/scenario.ts'
import { judgeCheck } from '../../src/verdict/judge-check.ts'
import { startServer } from './answering.ts'

let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const nothing = async () => undefined
const working: Precondition = { missing: nothing, vouch: nothing, stranger: nothing }

type Ask = (path: string) => Promise<Reply>

/** Runs a check whose requests are answered with the status that is their path. */
async function outcomeOf(options: {
  /** Says whether the clause holds, and on which reply that rests. */
  run: (ask: Ask, attempt: number) => Promise<{ holds: boolean; reply: Reply; because?: string }>
  precondition?: Partial<Precondition>
  expected?: ExpectedReply[]
}) {
  let attempt = 0
  const { run, precondition, expected } = options
  const scenario = check({
    title: 'A clause',
    clauses: ['a'],
    run: async ({ service, verify, leave }) => {
      const { holds, reply, because } = await run((path) => service.get(path), attempt++)
      if (because === undefined) verify('a', holds, reply)
      else leave('a', because, reply)
    }
  })
  const isOwn = { service: ({ body }: Reply) => !body.includes('<html>') }
  const ledger = createExchangeLog({ expected, isOwn })
  const client = createClient({ endpoint: { url: server.url } })
  const { findings } = await runCheck({
    scenario,
    ledger,
    precondition: { ...working, ...precondition },
    fresh: () => ({ service: ledger.keep('service', client) }) as unknown as Context,
    stopped: () => false
  }).finally(() => client.close())
  const { evidence } = findings[0]!
  if (evidence.kind !== 'observations') throw new Error(evidence.kind)
  const { outcome, because } = judgeCheck('a', evidence.attempts)
  return { outcome, because, attempts: evidence.attempts.length }
}

/** A check that judges by one reply, which has the status of its attempt. */
function byStatus(statuses: number[], holds: (status: number) => boolean) {
  return async (ask: Ask, attempt: number) => {
    const reply = await ask(`/${statuses[Math.min(attempt, statuses.length - 1)]}`)
    return { holds: holds(reply.status), reply }
  }
}

const isOk = (status: number) => status === 200

test('what holds is looked at once, and what does not three times', async () => {
  const of = (statuses: number[]) => outcomeOf({ run: byStatus(statuses, isOk) })
  expect(await of([200])).toMatchObject({ outcome: 'pass', attempts: 1 })
  expect(await of([404])).toMatchObject({ outcome: 'fail', attempts: 3 })
  expect(await of([404, 200])).toMatchObject({ outcome: 'inconclusive', attempts: 2 })
  expect(await of([404, 404, 200])).toMatchObject({ outcome: 'inconclusive', attempts: 3 })
})

const beside = [407, 408, 421, 425, 429, 502, 503, 504, 511, 520, 522, 530, 301, 302, 307]

test.each(beside)(
  'HTTP %i is neither for nor against a target, unless it is asked about',
  async (status) => {
    for (const holds of [true, false]) {
      const run = byStatus([status], () => holds)
      expect(await outcomeOf({ run })).toMatchObject({ outcome: 'inconclusive', attempts: 3 })
      const asked = await outcomeOf({ run, expected: [status] })
      expect(asked.outcome).toBe(holds ? 'pass' : 'fail')
    }
  }
)

test('a scenario that says nothing is told with how it was answered at first', async () => {
  const ledger = createExchangeLog({})
  const client = createClient({ endpoint: { url: server.url } })
  const run = async ({ service }: Context) => {
    for (const path of ['/404', '/200']) await service.get(path)
  }
  const { findings } = await runCheck({
    scenario: check({ title: 'A clause', clauses: ['a'], run: run as never }),
    ledger,
    precondition: working,
    fresh: () => ({ service: ledger.keep('service', client) }) as unknown as Context,
    stopped: () => false
  }).finally(() => client.close())
  const { evidence } = findings[0]!
  if (evidence.kind !== 'observations') throw new Error(evidence.kind)
  expect(evidence.attempts).toHaveLength(1)
  const { outcome, because } = judgeCheck('a', evidence.attempts)
  expect(outcome).toBe('inconclusive')
  expect(because).toMatch(/came to no conclusion; the first answer was HTTP 404/)
})

test('an outage that passes is looked past', async () => {
  const run = byStatus([503, 200], isOk)
  expect(await outcomeOf({ run })).toMatchObject({ outcome: 'pass', attempts: 2 })
  const broken = byStatus([503, 404], isOk)
  expect(await outcomeOf({ run: broken })).toMatchObject({ outcome: 'fail', attempts: 4 })
})

test('a request that was lost on the way is not forgotten by what rests on another', async () => {
  const found = await outcomeOf({
    async run(ask) {
      await ask('/close')
      return { holds: false, reply: await ask('/200') }
    }
  })
  expect(found).toMatchObject({ outcome: 'inconclusive', attempts: 3 })
  expect(found.because).toContain('which is no evidence')
})

test('a scenario that stumbles over an outage is not at fault', async () => {
  const run = async (ask: Ask) => {
    const reply = await ask('/503')
    return { holds: reply.json.result.id === 1, reply }
  }
  expect(await outcomeOf({ run })).toMatchObject({ outcome: 'inconclusive' })
  const own = async (ask: Ask) => {
    const reply = await ask('/404')
    return { holds: reply.json.result.id === 1, reply }
  }
  await expect(outcomeOf({ run: own })).rejects.toThrow(TypeError)
})

test('an answer that is not the service’s own speaks for nobody', async () => {
  const run = async (ask: Ask) => ({ holds: true, reply: await ask('/html') })
  expect(await outcomeOf({ run })).toMatchObject({
    outcome: 'inconclusive',
    because: 'no answer to judge by: HTTP 200, which is no answer of service’s own'
  })
})

test('what accuses a target counts only while its canaries work', async () => {
  const vouch = async () => 'the canary of service does not work: HTTP 200'
  const found = await outcomeOf({ run: byStatus([404], isOk), precondition: { vouch } })
  expect(found).toMatchObject({ outcome: 'inconclusive', attempts: 3 })
  const missing = async () => 'the canary of service does not work: HTTP 200'
  const ended = await outcomeOf({ run: byStatus([404], isOk), precondition: { missing } })
  expect(ended).toMatchObject({ outcome: 'inconclusive', attempts: 1 })
})

test('nothing is concluded where something else answers in the target’s place', async () => {
  const stranger = async () => 'something else answers in place of service at times: HTTP 200'
  for (const status of [200, 404]) {
    const found = await outcomeOf({ run: byStatus([status], isOk), precondition: { stranger } })
    expect(found).toMatchObject({ outcome: 'inconclusive' })
    expect(found.because).toContain('something else answers')
  }
})

test('what cannot be looked at again was still seen once', async () => {
  const once = async (ask: Ask, attempt: number) => {
    if (attempt > 0) throw new Blocked('used up')
    return { holds: false, reply: await ask('/404') }
  }
  expect(await outcomeOf({ run: once })).toMatchObject({ outcome: 'inconclusive', attempts: 1 })
  const never = () => Promise.reject(new Blocked('used up'))
  await expect(outcomeOf({ run: never })).rejects.toThrow('used up')
})

test('an answer by which a clause cannot be judged is told, and not the first one', async () => {
  const run = async (ask: Ask) => {
    await ask('/201')
    const reply = await ask('/404')
    return { holds: false, reply, because: `for x it was ${reply.because}` }
  }
  const { outcome, because } = await outcomeOf({ run })
  expect([outcome, because]).toEqual([
    'inconclusive',
    expect.stringMatching(/came to no conclusion; for x it was HTTP 404/)
  ])
})

test('an attempt without an end leaves what came before, and what it saw amiss', async () => {
  const ledger = createExchangeLog({})
  const client = createClient({ endpoint: { url: server.url } })
  const clauses = ['held', 'amiss', 'at first', 'never']
  let [attempt, now] = [0, 0]
  const look = async ({ service, verify }: Context & Judge) => {
    const reply = await service.get('/200')
    verify('amiss', false, reply)
    verify('held', true, reply)
    verify('at first', attempt > 0, reply)
    if (++attempt === 3) {
      now = 5_000
      await new Promise(() => {})
    }
  }
  const checked = await runCheck({
    scenario: check({ title: 'Clauses', clauses, run: look as never }),
    ledger,
    precondition: working,
    fresh: () => ({ service: ledger.keep('service', client) }) as unknown as Context,
    stopped: () => false,
    mostMs: 5_000,
    clock: {
      now: () => now,
      async until(time, signal) {
        while (now < time && !signal?.aborted) await new Promise(setImmediate)
      }
    }
  }).finally(() => client.close())
  expect(checked.isBusy).toBe(true)
  const told = checked.findings.map(({ clause, evidence }) =>
    evidence.kind === 'observations' ? judgeCheck(clause, evidence.attempts).outcome : evidence
  )
  const because = 'did not end within 5 s; its thread was ended'
  const error = { kind: 'none', outcome: 'error', because }
  expect(told).toEqual(['pass', 'fail', 'inconclusive', error])
})

test('an attempt that has answers yet goes on, three times as long as others at most', async () => {
  /** A check that needs so many answers, each of which takes a second. */
  const needing = async (count: number) => {
    let now = 0
    const ledger = createExchangeLog({})
    const client = createClient({ endpoint: { url: server.url } })
    const run = async ({ service, verify }: Context & Judge) => {
      let reply = await service.get('/200')
      for (let come = 1; come < count; come++) {
        reply = await service.get('/200')
        now += 1_000
        // Whoever waits for this moment is told of it before the next.
        await new Promise(setImmediate)
        await new Promise(setImmediate)
      }
      verify('a', true, reply)
    }
    const { findings } = await runCheck({
      scenario: check({ title: 'Slow', clauses: ['a'], run: run as never }),
      ledger,
      precondition: working,
      fresh: () => ({ service: ledger.keep('service', client) }) as unknown as Context,
      stopped: () => false,
      mostMs: 4_000,
      clock: {
        now: () => now,
        async until(time, signal) {
          while (now < time && !signal?.aborted) await new Promise(setImmediate)
        }
      }
    }).finally(() => client.close())
    return findings[0]!.evidence
  }
  expect(await needing(9)).toMatchObject({ kind: 'observations' })
  const because = 'did not end within 12 s; its thread was ended'
  expect(await needing(40)).toEqual({ kind: 'none', outcome: 'error', because })
})
