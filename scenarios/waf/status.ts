import { check } from 'plimsoll'
import { isBesideThePoint, isServed, item, quoted } from '../_reply.ts'
import { calls } from './_stage.ts'

const clause = 'waf-migration.status'

/** How many things a value tells, however they are put together. */
function told(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, part) => sum + told(part), 0)
}

export default check({
  title: 'The status of both WAFs can be read, and where the migration is',
  clauses: [clause],
  needs: ['management'],
  async run({ management, zones, verify }) {
    for (const [name, zone] of Object.entries(zones)) {
      const reply = await calls(management, zone).status()
      if (isBesideThePoint(reply)) continue
      // The names are not shown, but there are three things to tell.
      const isTold = told(item(reply)) >= 3
      const saw = `${name}: ${reply.because}, result ${quoted(reply.json?.result)}`
      verify(clause, { holds: isServed(reply) && isTold, saw }, reply)
    }
  }
})
