import { createEgress } from '../../../src/platform/kernel/egress/egress.ts'
import { openTime } from '../../../src/platform/kernel/time.ts'
import { allZones } from '../../../src/platform/kernel/zone.ts'
import { mappingRules, proposal } from '../../../src/platform/waf/mapping.ts'
import { migrationOperations } from '../../../src/platform/waf/migration-operations.ts'
import { wafRules } from '../../../src/platform/waf/rules.ts'
import { readWaf } from '../../../src/platform/waf/zone-waf.ts'
import { openStore } from '../store.ts'

// Migrates the one zone of a data folder, and is killed before its n-th write.

const [folder, fatal] = process.argv.slice(2)
const store = openStore(folder)
let writes = 0
const mortal = {
  ...store,
  run(...given: Parameters<typeof store.run>) {
    if (writes++ === Number(fatal)) process.kill(process.pid, 'SIGKILL')
    return store.run(...given)
  }
}
const [zone] = allZones(store)
const { configuration } = readWaf(store, zone!.id)
migrationOperations['waf-migration.update-entrypoint'].run({
  ...{ store: mortal, time: openTime(store), egress: createEgress() },
  ...{ rules: wafRules, options: {}, zone: zone! },
  ...{ id: '', ids: {}, path: '', query: { waf_migration: 'pending', phase_two: '1' } },
  body: proposal(mappingRules, configuration)
})
store.close()
