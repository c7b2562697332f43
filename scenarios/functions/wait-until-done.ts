import { check } from 'plimsoll'
import { type Command, outcomeOf, series, waiting } from './_command.ts'
import { recordsOf } from './_records.ts'
import { anyProbe } from './_stage.ts'
import { waitUntil30s } from './_wait-until.ts'

/** Longer than an answer takes, and far shorter than the 30 seconds there are at most. */
const ms = 200

export default check({
  title: 'Once what was handed to wait-until is done, an invocation ends as any other does',
  clauses: [waitUntil30s],
  needs: ['edge', 'probe', 'invocations', 'clock'],
  // Nobody may let 30 seconds go by meanwhile.
  alone: ['clock'],
  async run(context) {
    const probe = await anyProbe(context)
    const before = (await context.adapter.invocations(probe.function)).length
    const plain = await probe.ask({ do: 'time' })
    // Behind the answer it hands over another, which is done as well.
    const handed = (of: Command) => ({ do: 'waitUntil', of })
    const kept = await probe.ask(handed(series(waiting(ms), handed(waiting(ms)))))
    const [usual, asked] = [plain, kept].map(outcomeOf)
    if (usual?.ok === undefined || asked?.error !== undefined) return
    if (asked === undefined) {
      const saw = `with wait-until a request gets ${kept.because}, and without the probe's answer`
      context.verify(waitUntil30s, { holds: false, saw }, plain, kept)
      return
    }
    const records = await recordsOf(context, { probe, count: before + 2 })
    const [one, other] = records.slice(before)
    if (one === undefined) return
    const fate = other ? `ends as "${other.status}"` : 'is under way for 8 s and more'
    const saw = `with ${2 * ms} ms of wait-until one ${fate}, without as "${one.status}"`
    context.verify(waitUntil30s, { holds: other?.status === one.status, saw }, plain, kept)
  }
})
