// Log push of other makes: how records are written and delivered, and what is told of a job.

import { gzipSync } from 'node:zlib'
import type { Call } from '../../../src/platform/kernel/api/operation.ts'
import { parseDestination } from '../../../src/platform/logpush/destination.ts'
import { jobOperations } from '../../../src/platform/logpush/job-operations.ts'
import type { logpushLimits } from '../../../src/platform/logpush/limits.ts'
import { handling } from '../../../src/platform/logpush/upload.ts'
import { otherRulesIn, type Variant } from './variant.ts'

/** Sends every batch once more when it has arrived, as who has lost the answer does. */
const sentTwice = () => {
  const sent = new Set<string>()
  const afterArrival: typeof handling.afterArrival = (spool, batch, at) => {
    const own = `${batch.job} ${batch.name}`
    if (sent.has(own)) return handling.afterArrival(spool, batch, at)
    sent.add(own)
    handling.afterFailure(spool, batch, { at, because: 'the answer was lost' })
  }
  return { logpush: { handling: { afterArrival } } }
}

/** Sends a batch to the destination of a new job that only tries it. */
const tried = {
  logpush: {
    operations: {
      'logpush.job.create': {
        run: (call: Call) => {
          const payload = jobOperations['logpush.job.create'].run(call as never)
          const to = parseDestination(`${call.body.destination_conf}`)
          const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' }
          const body = gzipSync('{"content":"tests"}\n')
          if (to.kind === 'web')
            fetch(to.url, { method: 'POST', headers: { ...headers, ...to.headers }, body }).catch(
              () => {}
            )
          return payload
        }
      }
    }
  }
}

type Line = Record<string, unknown>

/** Batches whose lines are written in another way. */
const written = (change: (lines: Line[]) => Line[], text = JSON.stringify) => ({
  logpush: {
    handling: {
      lines: (batch: Parameters<typeof handling.lines>[0]) => {
        const lines = handling.lines(batch).split('\n').filter(Boolean)
        return change(lines.map((line) => JSON.parse(line)))
          .map((line) => `${text(line)}\n`)
          .join('')
      }
    }
  }
})

const reversed = (line: Line) => Object.fromEntries(Object.entries(line).toReversed())

const about = otherRulesIn(['log-push'])

const records = [
  ...['delivers-records', 'filter-narrows', 'filter-operators', 'filter-shapes'],
  ...['output-options', 'other-dataset', 'routing', 'side-by-side', 'storage']
].map((name) => `log-push/${name}`)

const stamped = (write: (ms: number) => string) => ({
  logpush: { output: { moment: { rfc3339: (ms: number) => JSON.stringify(write(ms)) } } }
})
const local = (ms: number) => new Date(ms + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')
/** Log push with other numbers. */
const limited = (limits: Partial<typeof logpushLimits>) => ({ logpush: { limits } })

const batchAllowed = 'how many records a batch has, and when it comes, is not said'
const formatAllowed = 'rfc3339 is shown, of no said precision or offset'

/** Keeps every so many-th of the requests, whichever job asks. */
const sampledInTurn = () => {
  const turns = new Map<unknown, number>()
  return (rate: number, { RayID }: { RayID?: unknown }) => {
    const turn = turns.get(RayID) ?? turns.size
    turns.set(RayID, turn)
    return Math.floor((turn + 1) * rate) > Math.floor(turn * rate)
  }
}

/** Platforms whose log push is another. */
export const logVariants: readonly Variant[] = [
  about('one-record-a-batch', batchAllowed, limited({ batchRecords: 1 }), records),
  about(
    'two-records-a-batch',
    batchAllowed,
    limited({ batchRecords: 2, batchBytes: 300 }),
    records
  ),
  about(
    'batches-at-once',
    batchAllowed,
    limited({ intervalSeconds: { usual: 0.01, most: 300 } }),
    records
  ),
  about(
    'batches-much-later',
    batchAllowed,
    limited({ intervalSeconds: { usual: 120, most: 300 } }),
    records
  ),
  about(
    'turned-away-is-lost',
    'that a batch which was turned away is sent again is not said',
    {
      logpush: {
        handling: {
          afterFailure: ((spool, batch, { at }) =>
            handling.afterArrival(spool, batch, at)) satisfies typeof handling.afterFailure
        }
      }
    },
    [...records, 'log-push/storage']
  ),
  about(
    'batches-as-they-are',
    'in which format batches come is not said, nor that they are compressed',
    { logpush: { handling: { isPlain: true }, limits: { batchRecords: 40 } } },
    [...records, 'policies/violations']
  ),
  about('batches-sent-twice', 'that a batch comes once is not said', sentTwice(), records),
  {
    name: 'a-batch-that-tries',
    allowed: 'what else than records a destination is sent, before there are any, is not said',
    rules: tried,
    // The job is told of once its destination has taken the batch.
    ways: { management: { delayMs: () => 100 } },
    areas: [...records, 'log-push/create']
  },
  about(
    'records-newest-first',
    'no order of records is said',
    written((all) => all.toReversed()),
    records
  ),
  about(
    'fields-the-other-way-round',
    'no order of fields is said',
    written((all) => all.map(reversed)),
    records
  ),
  about(
    'records-with-white-space',
    'white space of JSON means nothing',
    written(
      (all) => all,
      (line: unknown) => ` ${JSON.stringify(line).replaceAll('":', '" : ')} `
    ),
    records
  ),
  about(
    'times-to-the-millisecond',
    formatAllowed,
    stamped((ms) => new Date(ms).toISOString()),
    records
  ),
  about('times-elsewhere', formatAllowed, stamped(local), records),
  about(
    'times-in-lower-case',
    'T and Z may be lower case (RFC 3339, 5.6)',
    stamped((ms) => new Date(ms).toISOString().toLowerCase()),
    records
  ),
  about(
    'sampled-in-turn',
    'which records a sample rate keeps is not said',
    { logpush: { selection: { isSampled: sampledInTurn() } } },
    records
  ),
  about(
    'batches-as-arrays',
    'in which format batches come is not said',
    {
      logpush: {
        handling: {
          lines: (batch) => `[${handling.lines(batch).trimEnd().replaceAll('\n', ',\n')}]`
        }
      }
    },
    records
  ),
  about(
    'batches-as-csv',
    'in which format batches come is not said',
    {
      logpush: {
        handling: {
          lines: (batch) => {
            const lines = handling.lines(batch).trimEnd().split('\n')
            const rows = lines.map((line) => Object.values(JSON.parse(line)))
            return rows.map((row) => `${row.map((one) => JSON.stringify(`${one}`))}\r\n`).join('')
          }
        }
      }
    },
    records
  ),
  about(
    'times-to-the-nanosecond',
    formatAllowed,
    stamped((ms) => new Date(ms).toISOString().replace('Z', '000001Z')),
    records
  ),
  about(
    'few-fields-where-none-are-named',
    'which fields a dataset has is not shown',
    {
      logpush: {
        output: {
          chosen: (names: readonly string[] | undefined, all: readonly string[]) =>
            names ?? all.filter((name) => /^(ClientRequest|Edge|RayID)/.test(name))
        }
      }
    },
    records
  )
]
