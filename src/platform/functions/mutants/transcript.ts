import type { Override } from '../../kernel/override.ts'
import { FunctionFailed } from '../isolate/contract.ts'
import { createTranscript, type Transcript } from '../isolate/transcript.ts'
import type { FunctionRules } from '../rules.ts'
import { wrapped } from './isolates.ts'

/** Transcripts that do otherwise than the honest ones they are made of. */
function transcribing(otherwise: (limit: number) => Transcript): Override<FunctionRules> {
  return wrapped(() => ({}), { transcribe: otherwise })
}

/** Lines are measured in characters, and what else is recorded not at all. */
export const inCharacters = transcribing((limit) => {
  const whole = createTranscript(Infinity)
  let room = limit
  let isTruncated = false
  return {
    ...whole,
    line(line) {
      const text = line.text.slice(0, room)
      isTruncated ||= text.length < line.text.length
      room -= text.length
      whole.line({ ...line, text })
    },
    recorded: () => ({ ...whole.recorded(), isTruncated })
  }
})

/** Of each line the same number of other characters is recorded. */
export const masked = transcribing((limit) => {
  const honest = createTranscript(limit)
  return { ...honest, line: (line) => honest.line({ ...line, text: '*'.repeat(line.text.length) }) }
})

/** What is recorded of the request takes no room. */
export const withoutRequests = transcribing((limit) => {
  const [aside, honest] = [createTranscript(Infinity), createTranscript(limit)]
  const recorded = () => ({ ...honest.recorded(), request: aside.recorded().request })
  return { ...honest, request: aside.request, recorded }
})

/** Exceptions take no room. */
export const withoutExceptions = transcribing((limit) => {
  const [aside, honest] = [createTranscript(Infinity), createTranscript(limit)]
  const recorded = () => ({ ...aside.recorded(), ...honest.recorded() })
  return { ...honest, exception: aside.exception, recorded }
})

/** A request fails of whose output not all is recorded by the time it is answered. */
export const failing: Override<FunctionRules> = {
  openIsolates(options) {
    let latest: Transcript | undefined
    const transcribe = (limit: number) => {
      latest = createTranscript(limit)
      return latest
    }
    const { openIsolates } = wrapped(
      ({ invoke }) => ({
        invoke(spec, invocation) {
          const run = invoke(spec, invocation)
          const own = latest!
          const answer = run.answer.then(async (given) => {
            if (!own.recorded().isTruncated) return given
            await given.body?.[Symbol.asyncIterator]().return?.()
            const outcome = { outcome: 'exception', passesThrough: false } as const
            throw new FunctionFailed('too much was said', outcome)
          })
          answer.catch(() => {})
          return { ...run, answer }
        }
      }),
      { transcribe }
    )
    return openIsolates!(options)
  }
}
