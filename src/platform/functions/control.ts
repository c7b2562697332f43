import { Hono } from 'hono'
import * as v from 'valibot'
import { bytesOf, checked } from '../kernel/api/body.ts'
import { invalid, malformedBody, unknownObject } from '../kernel/api/failure.ts'
import { type ControlCall, type ControlEnv, zoneOf } from '../kernel/control-call.ts'
import type { Kernel } from '../kernel/part.ts'
import type { Store } from '../kernel/store.ts'
import { zoneByHost } from '../kernel/zone.ts'
import { accountById, addAccount, changePlan, listAccounts } from './account.ts'
import { countRequests } from './admission.ts'
import { deployer } from './deploy.ts'
import { deploymentSchema } from './deployment.ts'
import { addDomain, domainsOf } from './domain.ts'
import {
  deleteFunction,
  deploymentOf,
  functionById,
  listBindings,
  listFunctions
} from './function.ts'
import type { Functions } from './functions.ts'
import { classOf, functionPlans } from './plan.ts'
import { addRoute, deleteRoute, listAllRoutes, listRoutes } from './route.ts'
import type { FunctionRules } from './rules.ts'
import { addTrigger, schedulesOf } from './trigger.ts'

type Parts = { rules: FunctionRules; kernel: Kernel; functions: Functions }
type App = Hono<ControlEnv>

const plan = v.picklist(functionPlans, `must be one of ${functionPlans.join(', ')}`)
const label = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits or -'))
const newAccount = v.strictObject({ plan, id: v.optional(label) })
const changedAccount = v.strictObject({ plan })
const preload = v.strictObject({ count: v.pipe(v.number(), v.integer(), v.minValue(0)) })
const newRoute = v.strictObject({
  pattern: v.string(),
  function: v.string(),
  failMode: v.optional(v.picklist(['open', 'closed']), 'closed')
})
const newDomain = v.strictObject({ host: v.pipe(v.string(), v.toLowerCase()) })
const newTrigger = v.strictObject({ cron: v.string() })
const firing = v.strictObject({ cron: v.optional(v.string()) })

/** What adapters can ask about functions: accounts, what is deployed, what leads to it. */
export function functionControl(parts: Parts): App {
  const app: App = new Hono()
  accounts(app, parts)
  deployed(app, parts)
  ways(app, parts)
  return app
}

function accounts(app: App, { rules, kernel, functions }: Parts) {
  const { store, time } = kernel
  const deploy = deployer({
    rules,
    limits: rules.limits,
    store,
    isolates: functions.isolates
  })
  app.get('/accounts', (c) => c.json(listAccounts(store)))
  app.post('/accounts', async (c) => {
    const given = checked(newAccount, await bodyOf(c))
    if (given.id !== undefined && accountById(store, given.id))
      throw invalid('id: there is an account with it')
    const account = addAccount(kernel, given)
    return c.json({ ...account, zone: zoneByHost(store, account.subdomain)!.id })
  })
  app.get('/accounts/:id', (c) => c.json(accountOf(c, store)))
  app.patch('/accounts/:id', async (c) => {
    const { plan } = checked(changedAccount, await bodyOf(c))
    changePlan(store, accountOf(c, store), plan)
    return c.json(accountOf(c, store))
  })
  app.post('/accounts/:id/requests', async (c) => {
    const { count } = checked(preload, await bodyOf(c))
    const { id: account } = accountOf(c, store)
    countRequests(store, { account, scope: account, day: rules.dayOf(time.now()) }, count)
    return c.json({})
  })
  app.get('/accounts/:id/functions', (c) => c.json(listFunctions(store, accountOf(c, store).id)))
  app.post('/accounts/:id/functions', async (c) => {
    const deployment = checked(deploymentSchema, await bodyOf(c))
    const { id, host, version } = await deploy(accountOf(c, store), deployment)
    functions.wake()
    return c.json({ id, host, version })
  })
}

function deployed(app: App, { rules, kernel, functions }: Parts) {
  const { store, time } = kernel
  app.get('/functions', (c) => c.json(listFunctions(store)))
  app.get('/bindings', (c) => c.json(listBindings(store)))
  app.get('/functions/:id', (c) => {
    const target = functionOf(c, store)
    const { modules, secrets, ...rest } = deploymentOf(store, target)
    return c.json({
      ...target,
      ...rest,
      secrets: Object.keys(secrets),
      modules: Object.keys(modules),
      routes: listAllRoutes(store).filter((route) => route.function === target.id),
      domains: domainsOf(store, target),
      triggers: schedulesOf(store, target)
    })
  })
  app.delete('/functions/:id', (c) => {
    const target = functionOf(c, store)
    deleteFunction(store, target)
    functions.isolates.evict(target.id)
    return c.json({})
  })
  app.post('/functions/:id/triggers', async (c) => {
    const target = functionOf(c, store)
    const { cron } = checked(newTrigger, await bodyOf(c))
    const { plan } = accountById(store, target.account)!
    const most = rules.limits.triggers[classOf(plan)]
    const count = () => rules.triggersOf(store, target, plan)
    addTrigger(store, { target, cron, now: time.now() }, { most, count })
    functions.wake()
    return c.json({})
  })
  app.post('/functions/:id/fire', async (c) => {
    const { cron } = checked(firing, await bodyOf(c))
    await functions.fire(functionOf(c, store), cron)
    return c.json({})
  })
  app.get('/functions/:id/invocations', (c) =>
    c.json(functions.journal.list(functionOf(c, store).id))
  )
  app.post('/functions/:id/evict', (c) => {
    functions.isolates.evict(functionOf(c, store).id)
    return c.json({})
  })
}

function ways(app: App, { rules, kernel }: Parts) {
  const { store } = kernel
  app.post('/functions/:id/domains', async (c) => {
    addDomain(store, functionOf(c, store), checked(newDomain, await bodyOf(c)).host)
    return c.json({})
  })
  app.get('/routes', (c) => c.json(listAllRoutes(store)))
  app.get('/zones/:zone/routes', (c) => c.json(listRoutes(store, zoneOf(c, store).id)))
  app.post('/zones/:zone/routes', async (c) => {
    const route = checked(newRoute, await bodyOf(c))
    addRoute(store, { zone: zoneOf(c, store), route }, rules.limits)
    return c.json(route)
  })
  app.delete('/zones/:zone/routes', (c) => {
    const pattern = c.req.query('pattern') ?? ''
    if (deleteRoute(store, zoneOf(c, store).id, pattern)) return c.json({})
    throw unknownObject(c.req.path)
  })
}

/** A deployment can be much larger than what reading every name in it is made for. */
async function bodyOf({ env }: ControlCall): Promise<unknown> {
  const bytes = await bytesOf(env.incoming, Infinity)
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw malformedBody('it does not parse')
  }
}

function accountOf({ req }: ControlCall, store: Store) {
  const account = accountById(store, req.param('id') ?? '')
  if (account === undefined) throw unknownObject(req.path)
  return account
}

function functionOf({ req }: ControlCall, store: Store) {
  const target = functionById(store, req.param('id') ?? '')
  if (target === undefined) throw unknownObject(req.path)
  return target
}
