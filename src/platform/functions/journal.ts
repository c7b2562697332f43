import type { Logs } from '../logpush/record.ts'
import type { Invocation, InvocationRecord } from './isolate/contract.ts'

/** An invocation as it is told: its record, and how it ended in the document's words. */
export type Entry = InvocationRecord & { status: string }

/** What became of invocations, for as long as the platform runs. */
export type Journal = {
  add(record: InvocationRecord, invocation: Invocation): void
  /** Those of a function that are kept, oldest first. */
  list(functionId: string): readonly Entry[]
}

/** Keeps the latest invocations of each function, and tells the log-push jobs of their zones. */
export function openJournal({
  statuses,
  most,
  logs
}: {
  statuses: Record<InvocationRecord['outcome'], string>
  most: number
  logs: Logs
}): Journal {
  const entries = new Map<string, Entry[]>()
  return {
    add(record, { context }) {
      const { zoneId, name } = context
      const kept = entries.get(record.functionId) ?? []
      kept.push({ ...record, status: statuses[record.outcome] })
      if (kept.length > most) kept.shift()
      entries.set(record.functionId, kept)
      if (typeof zoneId !== 'string') return
      logs.record('workers_trace_events', zoneId, { ...traced(record), ScriptName: name })
    },
    list: (functionId) => entries.get(functionId) ?? []
  }
}

function traced(record: InvocationRecord): Record<string, unknown> {
  const { id, kind, outcome, startedMs, cpuUs, wallMs, request } = record
  return {
    EventTimestampMs: Math.floor(startedMs),
    EventType: kind,
    Event: { RayID: id, Request: request && { URL: request.url, Method: request.method } },
    Outcome: outcome,
    CPUTimeMs: Math.round(cpuUs / 1_000),
    WallTimeMs: Math.round(wallMs),
    Logs: record.logs.map(({ atMs, level, text }) => ({
      TimestampMs: Math.floor(atMs),
      Level: level,
      Message: [text]
    })),
    Exceptions: record.exception === undefined ? [] : [exceptionOf(record)]
  }
}

function exceptionOf({ exception, startedMs }: InvocationRecord) {
  return {
    Name: exception!.name,
    Message: exception!.message,
    TimestampMs: Math.floor(startedMs)
  }
}
