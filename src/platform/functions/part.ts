import { edgeAccess } from '../edge/part.ts'
import { stages } from '../edge/stage.ts'
import { part } from '../kernel/part.ts'
import { logsAccess } from '../logpush/record.ts'
import { functionControl } from './control.ts'
import { openFunctions } from './functions.ts'
import { functionRules } from './rules.ts'
import { functionData, functionTables, objectTable } from './tables.ts'
import { zoneOrigin } from './zone-origin.ts'

/** Edge functions: accounts, what leads to their functions, and the isolates these run in. */
export const functionsPart = part({
  name: 'functions',
  rules: functionRules,
  migrations: [{ version: 10, sql: functionTables }],
  filed: [objectTable],
  jsonColumns: ['facts', 'address'],
  ownTables: ['account', ...functionData],
  open(kernel, { rules }) {
    const { store, extensions, openWithin } = kernel
    const logs = extensions.one(logsAccess)
    const { cache, throughCache, service } = extensions.one(edgeAccess)
    const functions = openFunctions({ ...kernel, rules, logs, cache })
    extensions.offer(stages, { serve: functions.dispatch })
    return {
      control: functionControl({ rules, kernel, functions }),
      moved: functions.wake,
      reset: functions.reset,
      async start() {
        const inside = await openWithin(zoneOrigin({ store, throughCache }))
        functions.settle({ inside, open: () => openWithin(service) })
      },
      close: functions.close
    }
  },
  breaks: () => import('./mutants/mutants.ts')
})
