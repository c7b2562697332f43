import { addAccount } from '../../../src/platform/functions/account.ts'
import type { Deployment } from '../../../src/platform/functions/deployment.ts'
import { draftOf, putFunction } from '../../../src/platform/functions/function.ts'
import { functionLimits } from '../../../src/platform/functions/limits.ts'
import type { FunctionPlan } from '../../../src/platform/functions/plan.ts'
import { functionRules } from '../../../src/platform/functions/rules.ts'
import { gathered } from '../../../src/platform/kernel/data/files.ts'
import { idOf } from '../../../src/platform/kernel/id.ts'
import type { Plan } from '../../../src/platform/kernel/plan.ts'
import type { Time } from '../../../src/platform/kernel/time.ts'
import { insertZone } from '../../../src/platform/kernel/zone.ts'
import { kernelOn } from '../opened.ts'
import { openStore } from '../store.ts'

/** A time that stands still until it is moved. */
export function stoppedTime(at = Date.UTC(2024, 1, 29, 12)): Time {
  let now = at
  return {
    now: () => now,
    forward(ms) {
      now += ms
      return now
    }
  }
}

/** A deployment of nothing much. */
export function deployment(given: Partial<Deployment> = {}): Deployment {
  const modules = { 'main.js': 'export default {}' }
  const none = { env: {}, secrets: {}, bindings: {}, consumes: [] }
  return { name: 'fn', modules, main: 'main.js', ...none, ...given }
}

/** A store with accounts, zones and functions to be made in it. */
export function stage() {
  const store = openStore()
  const time = stoppedTime()
  return {
    store,
    time,
    rules: functionRules,
    limits: functionLimits,
    account: (plan: FunctionPlan = 'free') => addAccount(kernelOn(store, time), { plan }),
    zone(account: { id: string }, host: string, plan: Plan = 'pro') {
      const zone = { id: idOf(host), account: account.id, plan, host }
      insertZone(store, zone)
      return zone
    },
    deployed(account: ReturnType<typeof addAccount>, given: Partial<Deployment> = {}) {
      const whole = deployment(given)
      return putFunction(store, draftOf(store, account, whole.name), whole)
    }
  }
}

/** All bytes of a body as text. */
export async function textOf(body: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  return String(await gathered(body, Infinity))
}

/** A body in as many chunks as there are texts. */
export async function* bodyOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}
