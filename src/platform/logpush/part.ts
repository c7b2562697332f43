import { stages } from '../edge/stage.ts'
import { part } from '../kernel/part.ts'
import { logpushControl } from './control.ts'
import { makeRoot } from './folder.ts'
import { openLogs } from './logs.ts'
import type { LogpushOptions } from './outlets.ts'
import { logsAccess } from './record.ts'
import { type LogpushRules, logpushRules } from './rules.ts'
import { logpushTables } from './tables.ts'
import { traffic } from './traffic.ts'

/** Log push: records of what happens in zones, and the jobs that deliver them. */
export const logpushPart = part<'logpush', LogpushRules, LogpushOptions>({
  name: 'logpush',
  rules: logpushRules,
  migrations: [{ version: 7, sql: logpushTables }],
  open({ store, time, egress, extensions }, { rules, options: { logFiles } }) {
    if (logFiles !== undefined) makeRoot(logFiles)
    const logs = openLogs({ rules, store, time, outlets: { egress, files: logFiles } })
    extensions.offer(logsAccess, logs)
    extensions.offer(stages, { observe: traffic({ store, time, logs }) })
    return { control: logpushControl({ store, logs }), close: logs.close }
  },
  breaks: () => import('./mutants/mutants.ts')
})
