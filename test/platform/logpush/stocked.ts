import { allZones } from '../../../src/platform/kernel/zone.ts'
import { addJob, checkedJob } from '../../../src/platform/logpush/job.ts'
import { logpushLimits } from '../../../src/platform/logpush/limits.ts'
import { seeded } from '../opened.ts'
import { openStore } from '../store.ts'

/** A seeded store, and a way to add jobs to its first zone. */
export function stocked(folder?: string) {
  const store = openStore(folder)
  if (allZones(store).length === 0) seeded(store)
  const zone = allZones(store)[0]!
  return {
    store,
    zone,
    addJob(more: object = {}) {
      const plain = { dataset: 'http_requests', destination_conf: 'http://127.0.0.1:1/' }
      return addJob(store, zone.id, checkedJob({ ...plain, ...more }, logpushLimits))
    }
  }
}
