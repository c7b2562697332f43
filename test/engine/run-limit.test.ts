import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { createExchangeLog } from '../../src/client/exchange-log.ts'
import { isOk, type Reply } from '../../src/client/reply.ts'
import type { Precondition } from '../../src/engine/precondition.ts'
import { runLimit } from '../../src/engine/run-limit.ts'
import { accepted, rejected } from '../../src/limit/answer.ts'
import type { Context } from '../../src/scenario/context.ts'
import { limit } from '../../src/scenario/define.ts'
import { judgeLimit } from '../../src/verdict/judge-limit.ts'
import { startServer } from './answering.ts'

let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const nothing = async () => undefined
const working: Precondition = { missing: nothing, vouch: nothing, stranger: nothing }

/** What comes of a limit of 10 whose values are answered with the path named for them. */
async function outcomeOf(pathOf: (value: number) => string) {
  const terms = { clause: 'a', max: 10, unit: 'items' }
  const scenario = limit({
    ...{ title: 'A limit', ...terms, repeats: 1 },
    async probe(value, { service }) {
      const reply = await service.get(pathOf(value))
      return isOk(reply) ? accepted(reply) : rejected(reply)
    }
  })
  const isOwn = { service: ({ body }: Reply) => !body.includes('<html>') }
  const ledger = createExchangeLog({ isOwn })
  const client = createClient({ endpoint: { url: server.url } })
  const [found] = await runLimit({
    ...{ scenario, ledger, precondition: working, stopped: () => false, onAsked() {} },
    limit: { ...terms, readings: [10] },
    context: { service: ledger.keep('service', client) } as unknown as Context
  }).finally(() => client.close())
  const { evidence } = found!
  if (evidence.kind !== 'boundary') throw new Error(evidence.kind)
  return judgeLimit(evidence.limit, evidence.boundaries, '10').outcome
}

test('a line where it is drawn, and none at all', async () => {
  expect(await outcomeOf((value) => (value > 10 ? '/422' : '/200'))).toBe('pass')
  expect(await outcomeOf(() => '/200')).toBe('fail')
})

test('a page is no value accepted, where pages are not the endpoint’s own', async () => {
  expect(await outcomeOf((value) => (value > 10 ? '/422' : '/html'))).toBe('inconclusive')
  expect(await outcomeOf((value) => (value > 10 ? '/html' : '/200'))).toBe('inconclusive')
})
