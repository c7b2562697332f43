import { check, type Reply } from 'plimsoll'
import { contents, isBesideThePoint, isServed } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

/** A check that every migration call is served when it carries `phase_two=1`. */
export function phaseTwoCheck(clause: string) {
  return check({
    title: 'Every migration call is served with phase_two=1',
    clauses: [clause],
    needs: ['management', 'disposableZone'],
    async run(context) {
      const { management, verify } = context
      const on = await stage(context, 'pro')
      const config = await on.config()
      const asked: Record<string, Reply> = {
        check: await on.check(),
        config,
        status: await management.get(`${on.path}/waf_migration/status?phase_two=1`)
      }
      const configuration = configurationIn(config)
      if (configuration) asked.update = await on.update('pending', configuration)
      for (const [call, reply] of Object.entries(asked)) {
        // What the update brings is not shown; reads that bring nothing were not served.
        const isEmpty = call !== 'update' && contents(reply) === 0
        if (isBesideThePoint(reply) || (isServed(reply) && isEmpty)) continue
        verify(clause, { holds: isServed(reply), saw: `${call}: ${reply.because}` }, reply)
      }
    }
  })
}
