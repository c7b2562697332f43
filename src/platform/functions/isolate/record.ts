import type { Clock } from '../../../clock.ts'
import type { FunctionSpec, Invocation, InvocationRecord, Outcome } from './contract.ts'
import type { UsageMessage } from './message.ts'
import type { createTranscript, Transcript } from './transcript.ts'

/** Takes down what becomes of an invocation. */
export type Recorder = {
  transcript: Transcript
  /** It is over. */
  end(outcome: Outcome): void
  isEnded(): boolean
  /** What it used in total; without it, that is not known. The record is complete with it. */
  account(usage?: UsageMessage): void
  record: Promise<InvocationRecord>
}

/** Begins a record, with the metadata of the request in it. */
export function createRecorder(options: {
  spec: FunctionSpec
  invocation: Invocation
  clock: Clock
  begin: typeof createTranscript
}): Recorder {
  const { spec, invocation, clock, begin } = options
  const { id, kind } = invocation
  const startedMs = clock.now()
  const record = Promise.withResolvers<InvocationRecord>()
  const transcript = begin(spec.limits.consoleBytes)
  const identity = { functionId: spec.id, version: spec.version, id, kind }
  let ended: { outcome: Outcome; wallMs: number } | undefined
  if (invocation.kind === 'fetch') transcript.request(invocation)
  return {
    transcript,
    end(outcome) {
      ended = { outcome, wallMs: clock.now() - startedMs }
    },
    isEnded: () => ended !== undefined,
    account(usage) {
      if (!ended) return
      const used = usageOf(usage)
      const recorded = { ...ended, startedMs, ...transcript.recorded() }
      record.resolve({ ...identity, ...used, ...recorded })
    },
    record: record.promise
  }
}

function usageOf(usage?: UsageMessage) {
  const { cpuUs = 0, peakMemoryBytes = 0, subrequests = 0, internalSubrequests = 0 } = usage ?? {}
  return { cpuUs, peakMemoryBytes, subrequests, internalSubrequests }
}
