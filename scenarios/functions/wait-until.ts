import { check } from 'plimsoll'
import { judgeWaitUntil, waitUntil30s } from './_wait-until.ts'

export default check({
  title: 'A promise handed to wait-until delays the end of a request by 30 seconds at most',
  clauses: [waitUntil30s],
  needs: ['edge', 'probe', 'reach', 'clock'],
  alone: ['clock'],
  async run(context) {
    // Where the clock is moved before the client is missed, 30 seconds begin only then.
    const pass = (ms: number) => context.adapter.clock(ms)
    await judgeWaitUntil(context, { pass, stayMs: 40_000, restMs: 35_000 })
  }
})
