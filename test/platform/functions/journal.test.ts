import { expect, test } from 'vitest'
import type {
  Invocation,
  InvocationRecord
} from '../../../src/platform/functions/isolate/contract.ts'
import { openJournal } from '../../../src/platform/functions/journal.ts'
import { functionRules } from '../../../src/platform/functions/rules.ts'
import { fieldsOf } from '../../../src/platform/logpush/dataset.ts'

function journal() {
  const logged: unknown[][] = []
  const logs = { record: async (...given: unknown[]) => void logged.push(given) }
  const { add, list } = openJournal({ statuses: functionRules.statuses, most: 3, logs })
  const note = (given: Partial<InvocationRecord>, context = {}) => {
    const usual = { functionId: 'f', id: '1', kind: 'fetch', outcome: 'ok', logs: [] } as const
    const times = { startedMs: 1_000.5, wallMs: 2.4, cpuUs: 1_600 }
    add({ ...usual, ...times, ...given } as InvocationRecord, { context } as Invocation)
  }
  return { note, list, logged }
}

test('keeps the latest of each function, oldest first', () => {
  const { note, list } = journal()
  for (const id of ['1', '2', '3', '4']) note({ id })
  note({ id: '5', functionId: 'g' })
  expect(list('f').map(({ id }) => id)).toEqual(['2', '3', '4'])
  expect(list('g').map(({ id }) => id)).toEqual(['5'])
  expect(list('nobody')).toEqual([])
})

test('says how they ended in the document’s words', () => {
  const { note, list } = journal()
  note({ outcome: 'exceededMemory' })
  note({ outcome: 'ok' })
  expect(list('f').map(({ status }) => status)).toEqual(['Exceeded Memory', 'Success'])
})

test('tells the jobs of its zone, in fields they know', () => {
  const { note, logged } = journal()
  note({})
  const exception = { name: 'Error', message: 'no' }
  const logs = [{ atMs: 1_001.5, level: 'log', text: 'hi' }]
  note({ outcome: 'exception', exception, logs }, { zoneId: 'z', name: 'fn' })
  expect(logged.length).toBe(1)
  const [dataset, zone, fields] = logged[0] as [string, string, Record<string, any>]
  expect([dataset, zone]).toEqual(['workers_trace_events', 'z'])
  expect(Object.keys(fieldsOf.workers_trace_events)).toEqual(
    expect.arrayContaining(Object.keys(fields))
  )
  expect(fields).toMatchObject({
    ...{ ScriptName: 'fn', Outcome: 'exception', CPUTimeMs: 2, EventTimestampMs: 1_000 },
    Logs: [{ TimestampMs: 1_001, Level: 'log', Message: ['hi'] }],
    Exceptions: [{ Name: 'Error', Message: 'no' }]
  })
})
