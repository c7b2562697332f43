import type { Plan } from '../../../src/platform/kernel/plan.ts'

// What a zone should be like, told from the document and not from the platform: where its tables
// are silent, it says what the platform's README does.

/** How far a migration is. */
export type State = 'start' | 'validation' | 'pending' | 'complete'

/** A zone as it should be; its previous WAF is turned on from the beginning. */
export type Model = {
  plan: Plan
  completionMs: number
  now: number
  overrides: number
  firewallRules: number
  state: Exclude<State, 'complete'>
  completesAt: number
  /** Whether the rules of the entry point do something; undefined while there is none. */
  entrypoint?: 'active' | 'idle'
}

/** What can be done to a zone. */
export type Act =
  | { kind: 'update'; value: string | undefined; body: 'active' | 'idle' | 'empty' | 'malformed' }
  | { kind: 'add override' }
  | { kind: 'delete override' }
  | { kind: 'firewall rules'; count: number }
  | { kind: 'wait'; ms: number }

/** A zone nobody has done anything to, but for turning its previous WAF on. */
export function fresh(given: Pick<Model, 'plan' | 'completionMs'>): Model {
  const nothing = { now: 0, overrides: 0, firewallRules: 0, completesAt: 0 }
  return { ...given, ...nothing, state: 'start' }
}

/** How far the migration of a zone is by now. */
export function stateOf({ state, completesAt, now }: Model): State {
  return state === 'pending' && now >= completesAt ? 'complete' : state
}

/** Which WAFs look at requests. */
export function inForce(model: Model): { previous: boolean; new: boolean } {
  const state = stateOf(model)
  return { previous: state !== 'complete', new: state !== 'start' }
}

/** Whether an attack is stopped. */
export function isProtected(model: Model): boolean {
  const { previous, new: isNew } = inForce(model)
  return previous || (isNew && model.entrypoint === 'active')
}

const modes: Record<string, 'pending' | 'validation'> = {
  ...{ pending: 'pending', 1: 'pending' },
  ...{ validation: 'validation', 2: 'validation' }
}

/** The status that an act is answered with, and the zone afterwards. */
export function after(model: Model, act: Act): [status: number, model: Model] {
  const isOver = stateOf(model) === 'complete'
  const { overrides } = model
  switch (act.kind) {
    case 'wait':
      return [200, { ...model, now: model.now + act.ms }]
    case 'firewall rules':
      return [200, { ...model, firewallRules: act.count }]
    case 'add override':
      return isOver ? [410, model] : [200, { ...model, overrides: overrides + 1 }]
    case 'delete override':
      if (isOver) return [410, model]
      return overrides === 0 ? [404, model] : [200, { ...model, overrides: overrides - 1 }]
    case 'update':
      return afterUpdate(model, act)
  }
}

function afterUpdate(model: Model, { value, body }: Act & { kind: 'update' }): [number, Model] {
  const state = stateOf(model)
  const mode = value === undefined ? undefined : modes[value]
  const refused = (status: number): [number, Model] => [status, model]
  if (value === undefined && state === 'start') return refused(400)
  if (value !== undefined && mode === undefined) return refused(400)
  if (mode === 'validation' && model.plan !== 'enterprise') return refused(400)
  const isBack = mode === 'validation' && (state === 'pending' || state === 'complete')
  if (isBack) return refused(409)
  const isNext =
    (mode === 'pending' && (state === 'start' || state === 'validation')) ||
    (mode === 'validation' && state === 'start')
  if (isNext && (model.overrides > 0 || model.firewallRules > 200)) return refused(400)
  if (body === 'malformed') return refused(400)
  if (body === 'empty' && mode !== undefined) return refused(400)
  const entrypoint = body === 'active' ? 'active' : 'idle'
  if (!isNext) return [200, { ...model, entrypoint }]
  if (mode === 'validation') return [200, { ...model, entrypoint, state: 'validation' }]
  const completesAt = model.now + model.completionMs
  return [200, { ...model, entrypoint, state: 'pending', completesAt }]
}
