import type { StatedLimiter } from '../scenario/limiter.ts'
import { code, quoted } from './code.ts'
import { type FoundTime, timeClause, timeFile } from './found-times.ts'
import { clausesFile, type Files, targetFile } from './project.ts'

/** A line that was found: up to how much is accepted, and what the next is answered. */
export type FoundLine = {
  /** What is limited: one of the sizes that `plimsoll probe` looks for. */
  limit: 'url' | 'header' | 'headers' | 'header-count' | 'body'
  unit: string
  accepted: number
  /** Status of what is accepted. */
  usual: number
  /** Null where the connection is closed without an answer. */
  status: number | null
}

/** A limit on the rate that was found. */
export type FoundRate = StatedLimiter & { perSecond: number; status: number | null }

/** A queue that was found: what comes too fast waits, and is refused where too many do. */
export type FoundQueue = {
  /** How many are let through at once after a rest, and how many more wait. */
  burst: number
  queue: number
  perSecond: number
  status: number | null
}

/** What was found of one endpoint, and how it was asked. */
export type FoundLimits = {
  url: string
  method: string
  /** Path and query. */
  path: string
  /** Names of headers that requests need, each with the environment variable of its value. */
  headers: Record<string, string>
  /** Status of the usual answer. */
  usual: number
  lines: readonly FoundLine[]
  rate?: FoundRate
  queue?: FoundQueue
  times?: readonly FoundTime[]
}

/** How a question of so many is put, as TypeScript. */
const questions: Record<FoundLine['limit'], string> = {
  url: `{ ...asked, path: \`\${path}\${path.includes('?') ? '&' : '?'}\`.padEnd(n, 'a') }`,
  header: `{ ...asked, headers: [['x-plimsoll', 'a'.repeat(n)]] }`,
  headers: `{ ...asked, headers: fields(n) }`,
  'header-count': `{ ...asked, headers: Array.from({ length: n }, (_, i) => [\`x-\${i}\`, 'a']) }`,
  body: `{ ...asked, method: filled, body: { bytes: n, framing: 'length' } }`
}

/** As many bytes of names and values as `plimsoll probe` asks in few fields. */
const fields = `
/** Fields with so many bytes of names and values in all. */
function fields(bytes: number): [string, string][] {
  const count = Math.max(1, Math.ceil((bytes - 32) / 4_000))
  return Array.from({ length: count }, (_, index) => {
    const name = \`x-plimsoll-\${index}\`
    const length = index === count - 1 ? bytes - index * 4_000 : 4_000
    return [name, 'a'.repeat(length - name.length)]
  })
}
`

const said = (status: number | null) => (status === null ? 'closed' : String(status))

/** What says of which type a body is, as `plimsoll probe` does where nobody else has. */
const typed = "const headers: [string, string][] = [['content-type', 'application/octet-stream']]\n"

function lineFile(line: FoundLine, { method, path, headers }: FoundLimits): string {
  const { limit, unit, accepted, usual, status } = line
  const filled = method === 'GET' || method === 'HEAD' ? 'POST' : method
  const least = { url: path.length + 2, headers: 64 }[limit as 'url'] ?? 1
  const smallest = least === 1 ? '' : `  smallest: ${least},\n`
  const isBody = limit === 'body'
  const more = limit === 'headers' ? fields : ''
  const isUntyped = isBody && !('content-type' in headers)
  const question = questions[limit].replace(' body:', isUntyped ? ' headers, body:' : ' body:')
  return `import { accepted, improper, isAnswered, limit, rejected, unclear } from 'plimsoll'

const path = ${quoted(path)}
const asked = { method: ${quoted(method)}, path }
${isBody ? `const filled = ${quoted(filled)}\n` : ''}${isUntyped ? typed : ''}${more}
export default limit({
  title: ${quoted(`${limit}: ${accepted} ${unit} are accepted, one more is refused`)},
  clause: ${quoted(`found.${limit}`)},
  max: ${accepted},
  unit: ${quoted(unit)},
${smallest}  ceiling: 2,
  expectedReplies: [${status === null ? quoted('closed') : status}],
  needs: ['service'],
  async probe(n, { service }) {
    const reply = await service.send(${question})
    if (reply.kind === 'closed') return ${status === null ? 'rejected' : 'improper'}(reply)
    if (!isAnswered(reply)) return unclear(reply)
    if (reply.status === ${usual}) return accepted(reply)
    return reply.status === ${status ?? 0} ? rejected(reply) : improper(reply)
  }
})
`
}

function rateFile(rate: FoundRate, { path, method, usual }: FoundLimits): string {
  const { algorithm, burst, windowMs, status } = rate
  const numbers = { algorithm, burst, windowMs: Number(windowMs.toPrecision(5)) }
  return `import { check, judgeLimiter } from 'plimsoll'

/** How many are accepted at once after a rest, and within how many ms all of them are back. */
const limiter = ${code(numbers)}

export default check({
  title: ${quoted(rateText(rate))},
  clauses: ['found.rate'],
  alone: ['everything'],
  expectedReplies: [${status ?? quoted('closed')}],
  needs: ['service'],
  async run(context) {
    const ask = () => context.service.${method.toLowerCase()}(${quoted(path)})
    const statuses = { accepted: ${usual}, refused: ${status ?? 0} }
    await judgeLimiter({ clause: 'found.rate', ...limiter, ask, ...statuses }, context)
  }
})
`
}

/** The limiter in words, and what it is verified to do. */
function rateText({ algorithm, burst, perSecond, windowMs }: FoundRate): string {
  const many = `${algorithm.replace('-', ' ')}: ${burst} requests at once`
  if (algorithm === 'token-bucket') {
    return `${many}, then ${Number(perSecond.toPrecision(3))} a second`
  }
  const ms = Math.round(Number(windowMs.toPrecision(3))).toLocaleString('en')
  const all = { 'fixed-window': 'all', 'sliding-log': 'each', 'sliding-counter': 'gradually' }
  return `${many}, ${all[algorithm]} again after ${ms} ms`
}

/** By what part of it the pace of a queue may be off, for what happens on the way. */
const offPace = 0.05

function queueFile({ burst, queue, perSecond, status }: FoundQueue, found: FoundLimits): string {
  const { path, method, usual } = found
  const restMs = Math.ceil((1_200 * (burst + queue)) / perSecond) + 500
  const numbers = { burst, waiting: queue, perSecond: Number(perSecond.toPrecision(4)), restMs }
  const title = `${burst + queue} requests are taken at once, one more is refused, ${queue} wait`
  return `import { check } from 'plimsoll'
import { setTimeout as pause } from 'node:timers/promises'

/** How many are let through at once after a rest, how many more wait, and how fast those go on. */
const queue = ${code(numbers)}
const most = queue.burst + queue.waiting

export default check({
  title: ${quoted(title)},
  clauses: ['found.queue', 'found.queue-pace'],
  alone: ['everything'],
  expectedReplies: [${status ?? quoted('closed')}],
  needs: ['service'],
  async run({ service, verify }) {
    const rounds = []
    let reply = await service.${method.toLowerCase()}(${quoted(path)})
    const isExact = () => rounds.some(({ room }) => room === 0)
    for (let round = 0; round < 3 || (round < 8 && !isExact()); round++) {
      await pause(queue.restMs)
      const began = performance.now()
      const answers = await Promise.all(
        Array.from({ length: most + 2 }, async () => {
          const answer = await service.${method.toLowerCase()}(${quoted(path)})
          return { answer, ms: performance.now() - began }
        })
      )
      const refused = answers.filter(({ answer }) => answer.status !== ${usual})
      const taken = answers.filter(({ answer }) => answer.status === ${usual})
      reply = refused[0]?.answer ?? reply
      // What is let through while the last are still being sent makes room for as many.
      const sentMs = Math.max(0, ...refused.map(({ ms }) => ms))
      const room = Math.floor((queue.perSecond * sentMs) / 1_000)
      const lastMs = Math.max(0, ...taken.map(({ ms }) => ms))
      rounds.push({ taken: taken.length, room, least: taken.length - room, lastMs })
    }
    // Each round leaves a few numbers open, and all of them have to allow it.
    const fewest = Math.min(...rounds.map(({ taken }) => taken))
    const least = Math.max(...rounds.map(({ least }) => least))
    const told = rounds.map(({ taken }) => taken).join(', ')
    const saw = \`\${told} of \${most + 2} were taken at once\`
    // The last of those taken waits for all before it; what makes it later is on the way.
    const lastMs = Math.min(...rounds.map(({ lastMs }) => lastMs))
    const paceMs = lastMs / Math.max(1, fewest - queue.burst)
    const pace = \`one every \${Math.round(paceMs)} ms of those that waited\`
    await pause(queue.restMs)
    verify('found.queue', { holds: fewest >= most && least <= most, saw }, reply)
    const isOff = Math.abs((paceMs * queue.perSecond) / 1_000 - 1) > ${offPace}
    verify('found.queue-pace', { holds: !isOff, saw: pace }, reply)
  }
})
`
}

/**
 * Clauses and scenarios that verify from then on what was found: observed, not documented. Paths
 * are those below the folder.
 */
export function foundFiles(found: FoundLimits): Files {
  const { lines, rate, queue, times = [], url, headers } = found
  const clauses = lines.map(({ limit, unit, accepted, status }) => ({
    id: `found.${limit}`,
    kind: 'limit',
    documented: String(accepted),
    unit,
    notes: `observed, not documented; one more: ${said(status)}`
  }))
  const ofRate = rate && {
    id: 'found.rate',
    kind: 'rule',
    documented: rateText(rate),
    notes: `observed, not documented; one more: ${said(rate.status)}`
  }
  const ofQueue = queue && [
    {
      ...{ id: 'found.queue', kind: 'rule' },
      documented: `${queue.burst} requests at once, and ${queue.queue} more wait`,
      notes: `observed, not documented; one more: ${said(queue.status)}`
    },
    {
      ...{ id: 'found.queue-pace', kind: 'rule' },
      documented: `${Number(queue.perSecond.toPrecision(3))} a second of those that wait`,
      notes: 'observed, not documented'
    }
  ]
  const files = lines.map((line) => [`${line.limit}.ts`, lineFile(line, found)])
  const timed = times.map((time) => [`${time.limit}.ts`, timeFile(time, found)])
  return {
    'target.json': targetFile({ scenarios: '.', url, headers }),
    'clauses.json': clausesFile('.', [
      ...[...clauses, ...(ofRate ? [ofRate] : []), ...(ofQueue ?? []), ...times.map(timeClause)]
    ]),
    ...Object.fromEntries([...files, ...timed]),
    ...(rate && { 'rate.ts': rateFile(rate, found) }),
    ...(queue && { 'queue.ts': queueFile(queue, found) })
  }
}
