// Scenarios against a target that gives one answer, whatever it is asked: no clause may pass but
// those that this answer shows, and none fail where nobody can read it. Prints what was judged;
// exit code 1 when something was judged wrongly, 64 for wrong usage.
//
//   npm run sweep:one-answer [-- FLAGS] [SCENARIOS]
//
//   --answers A,B  those of these names, not all
//   --seed N       seed of all chance (1)
//   --workers N    worker threads (2)
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDocument } from '../../src/cli/document.ts'
import { seedFlag } from '../../src/cli/flags/load-flags.ts'
import { whole } from '../../src/cli/flags/numbers.ts'
import { adapterIn, allowEgress, targetOf } from '../../src/cli/targets/embedded.ts'
import { createPool } from '../../src/engine/pool.ts'
import { run } from '../../src/engine/run.ts'
import { createStop } from '../../src/engine/stop.ts'
import { startPlatform } from '../../src/platform/platform.ts'
import type { Outcome } from '../../src/verdict/outcome.ts'
import { flagsOf, oneOf, orRefused } from '../usage.ts'

/** Listeners in whose place it answers; the control listener is the harness's own way in. */
const replaced = ['management', 'gateway', 'edge']

const info = { page: 1, per_page: 15, count: 0, total_count: 0, total_pages: 0 }
const success = { success: true, errors: [], messages: [] }
const refusal = JSON.stringify({
  ...{ success: false, errors: [{ code: 1, message: 'no' }], messages: [], result: null }
})
const envelope = /^envelope\.(?!result-info\.consistent)/
const failure = /^error\.management-envelope /
const isResponse = /^gateway\.json-rpc-call /
/** The scenario that asks how a list of nothing looks. */
const isEmpty = /^page-protection\.\w+\.list lists\/empty$/
const isTaken = /^logpush\.job\.(create |filter-optional |field\.)/

/** An answer that is given to all, and the clauses that it does show to hold. */
type Answer = { status?: number; body: string; shows: RegExp[]; isRead?: false }

export const answers: Readonly<Record<string, Answer>> = {
  // What the creation of a job brings is not shown, so that a success is all there is to see.
  'empty-list': {
    body: JSON.stringify({ ...success, result: [], result_info: info }),
    shows: [envelope, isTaken, isEmpty]
  },
  'empty-object': { body: JSON.stringify({ ...success, result: {} }), shows: [envelope, isTaken] },
  'no-result': { body: JSON.stringify({ ...success, result: null }), shows: [envelope, isTaken] },
  refusal: { body: refusal, shows: [envelope, failure] },
  forbidden: { status: 403, body: refusal, shows: [envelope, failure] },
  'not-found': { status: 404, body: refusal, shows: [envelope, failure] },
  'empty-response': {
    body: '{"jsonrpc":"2.0","id":1,"result":{}}',
    shows: [envelope, isTaken, isResponse]
  },
  'no-block': {
    body: '{"jsonrpc":"2.0","id":1,"result":null}',
    shows: [envelope, isTaken, isResponse]
  },
  object: { body: '{}', shows: [] },
  'half-a-json': { body: '{"result":{"id":"ab","enab', shows: [], isRead: false },
  'half-an-envelope': { body: '{"success":true,"errors":[],"mess', shows: [], isRead: false },
  page: {
    body: '<!doctype html><title>Welcome</title><h1>It works!</h1>',
    shows: [],
    isRead: false
  }
}

/** The one clause about whether an answer can be read. */
const readable = 'envelope.all-bodies-json'

async function startAnswering({ status = 200, body, isRead }: Answer): Promise<Server> {
  const type = isRead === false && body.startsWith('<') ? 'text/html' : 'application/json'
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** What came of the scenarios where all is answered alike, and what of that was not earned. */
export async function sweepOneAnswer(options: {
  name: string
  ids?: readonly string[]
  seed: number
  workers?: number
}): Promise<{ counts: Partial<Record<Outcome, number>>; wrong: string[] }> {
  const { name, ids = [], seed, workers = 2 } = options
  const answer = answers[name]
  if (answer === undefined) throw new Error(`no answer is named ${name}`)
  const document = await openDocument({ ids: [...ids], tier: 'quick' })
  const platform = await startPlatform({ port: 0, allowEgress })
  const server = await startAnswering(answer)
  const target = targetOf(platform.announcement, { name, adapter: adapterIn(document.folder) })
  for (const listener of replaced) {
    const endpoint = target.endpoints[listener]!
    const { port } = server.address() as AddressInfo
    endpoint.url = endpoint.url.replace(new URL(endpoint.url).host, `127.0.0.1:${port}`)
  }
  const pool = createPool({ workers, onQuestion() {} })
  try {
    const { plan, inventory } = document
    const common = { target, pool, seed, stop: createStop(), onProgress() {} }
    const verdicts = await run({ ...common, inventory, units: plan.units })
    const isEarned = ({ outcome, clause, scenario }: (typeof verdicts)[number]) => {
      if (outcome === 'pass')
        return answer.shows.some((shown) => shown.test(`${clause} ${scenario}`))
      if (outcome === 'fail' || outcome === 'warning')
        return answer.isRead !== false || clause === readable
      return outcome !== 'error'
    }
    const counts = Map.groupBy(verdicts, ({ outcome }) => outcome)
    return {
      counts: Object.fromEntries([...counts].map(([outcome, { length }]) => [outcome, length])),
      wrong: verdicts
        .filter((verdict) => !isEarned(verdict))
        .map((one) => `${one.outcome} ${one.clause} (${one.scenario}): ${one.observed}`)
    }
  } finally {
    await pool.close()
    server.close()
    server.closeAllConnections()
    await platform.close()
  }
}

/** The sweep as a command. */
async function main(): Promise<void> {
  const { values, positionals: ids } = flagsOf(import.meta.url, {
    allowPositionals: true,
    options: {
      answers: { type: 'string', default: Object.keys(answers).join(',') },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: '2' }
    }
  })
  const asked = await orRefused(async () => {
    await openDocument({ ids, tier: 'quick' })
    const names = values.answers.split(',')
    return {
      names: names.map((one) => oneOf(Object.keys(answers), { flag: 'answers', asked: one })),
      seed: seedFlag.coerce(Number(values.seed)),
      workers: whole('workers')(Number(values.workers))
    }
  })
  const { names, ...common } = asked
  let wrong = 0
  for (const name of names) {
    const swept = await sweepOneAnswer({ name, ids, ...common })
    wrong += swept.wrong.length
    console.log(`${name}: ${JSON.stringify(swept.counts)}, ${swept.wrong.length} wrong`)
    for (const one of swept.wrong) console.log(`  ${one}`)
  }
  console.log(wrong === 0 ? '\nNothing was judged wrongly.' : `\n${wrong} judged wrongly.`)
  process.exitCode = wrong === 0 ? 0 : 1
}

if (import.meta.main) await main()
