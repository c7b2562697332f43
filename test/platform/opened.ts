import { credentials } from '../../src/platform/kernel/credential.ts'
import { createEgress } from '../../src/platform/kernel/egress/egress.ts'
import { createExtensions } from '../../src/platform/kernel/extension.ts'
import type { Kernel, Part } from '../../src/platform/kernel/part.ts'
import { addZone, seed } from '../../src/platform/kernel/seed.ts'
import type { Store } from '../../src/platform/kernel/store.ts'
import type { Time } from '../../src/platform/kernel/time.ts'
import { parts, rules as promised, type Rules } from '../../src/platform/parts.ts'

/** Seeds a store as the platform does. */
export function seeded(store: Store) {
  seed(store, parts, promised.kernel)
}

/** What parts are given, without anything that listens. */
export function kernelOn(store: Store, time: Time): Kernel {
  return {
    ...{ rules: promised.kernel, store, time, egress: createEgress() },
    credentials: credentials(store),
    extensions: createExtensions(),
    operations: [],
    addZone: (zone) => addZone(store, zone, { parts, now: time.now() }),
    openWithin: () => Promise.reject(new Error('nothing listens here'))
  }
}

/** The parts of a platform with other rules, open but not listening; the service of one of them. */
export function serviceOf(
  key: string,
  { store, time, rules }: { store: Store; time: Time; rules: Rules }
) {
  const kernel = kernelOn(store, time)
  const running = (parts as readonly Part[]).map(({ name, open }) =>
    open(kernel, { rules: rules[name as keyof Rules], options: {} })
  )
  return running.find(({ listener }) => listener?.key === key)!.listener!.service
}
