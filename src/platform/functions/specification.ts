import type { Store } from '../kernel/store.ts'
import { accountById } from './account.ts'
import { type Deployment, modulesOf } from './deployment.ts'
import { deploymentOf, type EdgeFunction } from './function.ts'
import type { EnvValue, FunctionSpec } from './isolate/contract.ts'
import type { FunctionPlan } from './plan.ts'
import type { FunctionRules } from './rules.ts'

/** Specifications that are kept ready; the oldest make room for others. */
const mostKept = 32

/** All that it takes to run a deployment as a version of a function. */
export function specify(
  target: EdgeFunction,
  { deployment, plan }: { deployment: Deployment; plan: FunctionPlan },
  { limitsOn, limits }: Pick<FunctionRules, 'limitsOn' | 'limits'>
): FunctionSpec {
  const { env, secrets, main, cpuMs } = deployment
  return {
    id: target.id,
    // An instance has the limits of the plan it was begun on.
    version: `${target.version}-${plan}`,
    owner: target.account,
    modules: modulesOf(deployment),
    main,
    env: { ...env, ...secrets, ...bound(target, deployment) },
    limits: limitsOn(plan, limits, cpuMs)
  }
}

/** Finds the specification of functions, which are read anew whenever version or plan change. */
export function specifications(store: Store, rules: Pick<FunctionRules, 'limitsOn' | 'limits'>) {
  const known = new Map<string, FunctionSpec>()
  return (target: EdgeFunction): FunctionSpec => {
    const { plan } = accountById(store, target.account)!
    const key = `${target.version}-${plan}`
    const spec =
      known.get(key) ?? specify(target, { deployment: deploymentOf(store, target), plan }, rules)
    known.set(key, spec)
    if (known.size > mostKept) known.delete(known.keys().next().value!)
    return spec
  }
}

function bound({ id, account }: EdgeFunction, { bindings }: Deployment): Record<string, EnvValue> {
  return Object.fromEntries(
    Object.entries(bindings).map(([name, binding]) => {
      if (binding.kind === 'stateful')
        return [name, { kind: 'stateful', id: `${id}/${binding.className}` }]
      const target = binding.kind === 'service' ? binding.function : binding.name
      return [name, { kind: binding.kind, id: `${account}/${target}` }]
    })
  )
}
