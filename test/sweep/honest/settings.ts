// Settings of other makes: what an update takes, and whether it changes anything.
import { invalid } from '../../../src/platform/kernel/api/failure.ts'
import {
  readSettings,
  type Settings,
  settingsOperations
} from '../../../src/platform/page-protection/settings.ts'
import type { Variant } from './variant.ts'

const update = settingsOperations['page-protection.settings.update']

/** An update of settings to what they are, which leaves them as they are. */
const run: (typeof update)['run'] = (call) => {
  const { enabled, updated_at } = readSettings(call.store, call.zone.id)
  return call.body.enabled === enabled ? { result: { enabled, updated_at } } : update.run(call)
}

/** An update of settings that may carry the flag, and nothing else. */
const strict: (typeof update)['run'] = (call) => {
  const other = Object.keys(call.body).find((name) => name !== 'enabled')
  if (other !== undefined) throw invalid(`${other}: nothing but enabled can be changed`)
  return update.run(call)
}

/** When a time of update was first met at the edge, by that. */
const metAt = new Map<string, number>()

/** Whether pages are watched: for a second after the feature is off they still are. */
const isWatchedStill = ({ enabled, updated_at }: Settings) => {
  const now = performance.now()
  const began = metAt.get(updated_at) ?? now
  metAt.set(updated_at, began)
  return enabled || now - began < 1_000
}

/** Platforms whose settings are others. */
export const settingsVariants: readonly Variant[] = [
  {
    name: 'no-update-where-nothing-changes',
    allowed: 'that the time is set is said of the flag going on or off',
    areas: ['settings', 'detections', 'policies', 'authentication', 'envelope'],
    rules: { pageProtection: { operations: { 'page-protection.settings.update': { run } } } }
  },
  {
    name: 'feature-off-a-second-later',
    allowed: 'how soon the feature is off at the edge is not said',
    areas: ['detections'],
    rules: { pageProtection: { isWatched: isWatchedStill } }
  },
  {
    name: 'settings-take-the-flag-alone',
    allowed: 'what an update of settings accepts beyond enabled is not shown (Page protection, 3)',
    areas: ['settings', 'detections', 'envelope', 'authentication'],
    rules: {
      pageProtection: { operations: { 'page-protection.settings.update': { run: strict } } }
    }
  }
]
