import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { invalid } from '../kernel/api/failure.ts'
import type { Store } from '../kernel/store.ts'
import type { Account } from './account.ts'
import { type Deployment, modulesOf } from './deployment.ts'
import {
  countFunctions,
  deploymentsOf,
  draftOf,
  type EdgeFunction,
  functionByName,
  putFunction
} from './function.ts'
import type { FunctionSpec, Isolates } from './isolate/contract.ts'
import type { FunctionLimits } from './limits.ts'
import { classOf } from './plan.ts'
import { refusal } from './refusal.ts'
import type { FunctionRules } from './rules.ts'
import { specify } from './specification.ts'

const compress = promisify(gzip)

/** Modules that are known to start, by digest; forgotten when there are too many. */
const mostRemembered = 10_000

/**
 * Deploys functions: what is within the limits of the account's plan, and starts. What was started
 * for that is what the next event meets; modules that have started once are not started again for
 * each function they are deployed as.
 */
export function deployer({
  rules,
  limits,
  store,
  isolates
}: {
  rules: FunctionRules
  limits: FunctionLimits
  store: Store
  isolates: Pick<Isolates, 'check' | 'evict'>
}) {
  const started = new Set<string>()

  async function start(spec: FunctionSpec, { modules, main }: Deployment) {
    const digest = hash('sha256', JSON.stringify([modules, main, spec.limits.startupMs]))
    if (started.has(digest)) return
    const error = await isolates.check(spec)
    if (error) throw refusal('startup', error.message)
    if (started.size >= mostRemembered) started.clear()
    started.add(digest)
  }

  /** Writes down what has started, where there may be one more function and it has its queues. */
  function put(account: Account, draft: EdgeFunction, deployment: Deployment): EdgeFunction {
    const isNew = functionByName(store, account.id, deployment.name) === undefined
    const most = limits.functions[classOf(account.plan)]
    if (isNew && countFunctions(store, account.id) >= most)
      throw refusal('functions', `an account has at most ${most} functions on this plan`)
    checkQueues(store, account, deployment)
    return putFunction(store, draft, deployment)
  }

  return async (account: Account, deployment: Deployment): Promise<EdgeFunction> => {
    const others = () => deploymentsOf(store, account.id, deployment.name)
    checkVariables(rules.variables(deployment, others, account), account, limits)
    checkNames(deployment)
    checkCpu(deployment, limits)
    await checkSize(deployment, account, { rules, limits })
    const draft = draftOf(store, account, deployment.name)
    const spec = specify(draft, { deployment, plan: account.plan }, rules)
    const isDraft = (version: string) => version === spec.version
    try {
      await start(spec, deployment)
      const target = put(account, draft, deployment)
      isolates.evict(target.id, (version) => !isDraft(version))
      if (target.id !== draft.id) isolates.evict(draft.id)
      return target
    } catch (cause) {
      // Nobody asks for it again: its process would stay, beside the version that goes on.
      isolates.evict(draft.id, isDraft)
      throw cause
    }
  }
}

function checkVariables(values: string[], { plan }: Account, limits: FunctionLimits) {
  const most = limits.variables[classOf(plan)]
  if (values.length > most)
    throw refusal(
      'variables',
      `${values.length} variables and secrets; at most ${most} are allowed`
    )
  const mostBytes = limits.variableBytes[classOf(plan)]
  if (values.some((value) => Buffer.byteLength(value) > mostBytes))
    throw refusal('variableSize', `a variable has at most ${mostBytes} bytes`)
}

function checkNames({ env, secrets, bindings, modules, main }: Deployment) {
  if (!Object.hasOwn(modules, main)) throw invalid(`main: there is no module ${main}`)
  const names = [env, secrets, bindings].flatMap((members) => Object.keys(members))
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw invalid(`${twice} is the name of two members of env`)
}

/** The document sets no bound to a custom limit: here it is what requests have on any plan. */
function checkCpu({ cpuMs = 0 }: Deployment, limits: FunctionLimits) {
  const most = Math.max(...Object.values(limits.cpuMs).map(({ fetch }) => fetch))
  if (cpuMs > most) throw refusal('cpu', `a limit of processor time is at most ${most} ms`)
}

async function checkSize(
  deployment: Deployment,
  { plan }: Account,
  { rules, limits }: { rules: FunctionRules; limits: FunctionLimits }
) {
  const all = Buffer.concat(
    Object.values(modulesOf(deployment)).map((source) => Buffer.from(source))
  )
  const { length: compressed } = await compress(all)
  const bytes = rules.sizeOf({ compressed, plain: all.length }, plan)
  const most = limits.compressedBytes[classOf(plan)]
  if (bytes > most)
    throw refusal('size', `${bytes} bytes compressed; on this plan a function has at most ${most}`)
}

/** A queue has one consumer. */
function checkQueues(store: Store, account: Account, { name, consumes }: Deployment) {
  for (const queue of consumes) {
    const consumer = store.first<{ name: string }>(
      'SELECT name FROM consumer JOIN function ON function.id = function WHERE queue = ?',
      `${account.id}/${queue}`
    )
    if (consumer && consumer.name !== name)
      throw refusal('taken', `the queue ${queue} is consumed by ${consumer.name}`)
  }
}
