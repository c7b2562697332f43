import { check } from 'plimsoll'
import { judgeWaitUntil, waitUntil30s } from './_wait-until.ts'

export default check({
  title: 'A promise handed to wait-until delays the end of a request by 30 seconds at most',
  clauses: [waitUntil30s],
  needs: ['edge', 'probe', 'reach', 'clock'],
  alone: ['clock'],
  async run(context) {
    await judgeWaitUntil(context, { pass: context.adapter.clock, stayMs: 40_000 })
  }
})
