import { check } from 'plimsoll'
import { waiting } from './_command.ts'
import { recordsOf } from './_records.ts'
import { anyProbe } from './_stage.ts'

const clause = 'runtime.duration-wall-clock'
const waitMs = 500

export default check({
  title: 'The duration of an invocation is the time from its start to its end',
  clauses: [clause],
  needs: ['edge', 'probe', 'invocations'],
  // A target may tell durations by the clock that others move.
  alone: ['clock'],
  async run(context) {
    const probe = await anyProbe(context)
    const began = performance.now()
    const reply = await probe.ask(waiting(waitMs))
    const [record] = await recordsOf(context, { probe, count: 1 })
    const tookMs = performance.now() - began
    if (record === undefined) return
    const { wallMs, cpuUs } = record
    const told = `${Math.round(wallMs)} ms of duration, ${cpuUs} µs of work`
    const saw = `waiting for ${waitMs} ms: ${told}`
    const holds = wallMs >= waitMs - 5 && wallMs <= tookMs + 5
    context.verify(clause, { holds, saw }, reply)
  }
})
