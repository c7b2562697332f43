import { setTimeout as pause } from 'node:timers/promises'
import { check } from 'plimsoll'
import { judgeWaitUntil, waitUntil30s } from './_wait-until.ts'

export default check({
  title: 'A promise handed to wait-until delays the end by 30 seconds of real time at most',
  clauses: [waitUntil30s],
  tier: 'full',
  needs: ['edge', 'probe', 'reach'],
  alone: ['clock'],
  run(context) {
    const pass = async (ms: number) => {
      await pause(ms)
      return performance.now()
    }
    return judgeWaitUntil(context, { pass, stayMs: 8_000 })
  }
})
