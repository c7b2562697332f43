import { seed } from '../../../src/platform/kernel/seed.ts'
import { openStore } from '../../../src/platform/kernel/store.ts'
import { allZones } from '../../../src/platform/kernel/zone.ts'
import { addJob, checkedJob } from '../../../src/platform/logpush/job.ts'
import { rules } from '../../../src/platform/rules.ts'

/** A seeded store, and a way to add jobs to its first zone. */
export function stocked(folder?: string) {
  const store = openStore(folder)
  if (allZones(store).length === 0) seed(store, rules.zoneId)
  const zone = allZones(store)[0]!
  return {
    store,
    zone,
    addJob(more: object = {}) {
      const plain = { dataset: 'http_requests', destination_conf: 'http://127.0.0.1:1/' }
      return addJob(store, zone.id, checkedJob({ ...plain, ...more }, rules.limits.logpush))
    }
  }
}
