import { type Destination, Refused, type Source } from '../../engine/load-worker.ts'
import { readScenarios } from '../../engine/reader.ts'
import { fileDigest } from '../../file-digest.ts'
import type { Adopted } from '../../fleet/agent-thread.ts'
import type { OrderTo } from '../../fleet/order.ts'
import { durationMs } from '../../load/load.ts'
import { originOf } from '../../load/requests/request.ts'
import { find } from '../../scenario/find.ts'
import { withTables } from '../../target/target.ts'
import { Failure } from '../failure.ts'
import {
  type AuthorisedUrl,
  authoriseUrl,
  insistOnCaps,
  insistOnTime
} from '../targets/authorised-url.ts'
import type { Budgets } from './budgets.ts'

type Own = { folder: string; authorisation: string; budgets: Budgets }

type Foreign = OrderTo<'open'>['destinations'][number]
type ForeignScenario = Extract<Foreign['source'], { scenario: string }>

/**
 * A scenario's load as it is here: of this machine's own file, which has to be the same one, and to
 * the endpoints that this file needs, whatever else the sender knows.
 */
async function ownSource(
  { scenario, target, digest }: ForeignScenario,
  folder: string
): Promise<Extract<Source, { unit: object }>> {
  const found = find(folder).find(({ id }) => id === scenario)
  if (found === undefined) throw new Error(`there is no scenario ${scenario} in ${folder}`)
  if (fileDigest(found.file) !== digest) {
    throw new Error(`${found.file} is not what whoever sends the load has`)
  }
  const { planned, faults } = await readScenarios([found], new Map())
  const unit = planned[0]?.units[0]
  const fault = faults[0] ?? unit?.fault
  if (fault) throw new Error(`${found.file} does not load: ${fault.message}`)
  if (unit?.kind !== 'load') throw new Error(`${found.file} is no load`)
  const endpoints = unit.needs.map((name) => {
    const endpoint = target.endpoints[name]
    if (endpoint === undefined) throw new Error(`${target.name} offers no ${name}`)
    return [name, endpoint] as const
  })
  const { name, tables } = target
  return { unit, target: withTables({ name, endpoints: Object.fromEntries(endpoints) }, tables) }
}

/** Whom a load goes to. */
function places(source: Source): string[] {
  if ('requests' in source) return [...new Set(source.requests.map(originOf))]
  return Object.values(source.target.endpoints).map(({ url }) => url)
}

async function ownDestination(
  { source: given, ...connecting }: Foreign,
  { folder, authorisation }: Own
): Promise<{ destination: Destination; allowed: AuthorisedUrl[] }> {
  const source = 'requests' in given ? given : await ownSource(given, folder)
  const allowed: AuthorisedUrl[] = []
  for (const place of places(source)) allowed.push(await authoriseUrl(place, { authorisation }))
  const routes = Object.fromEntries(allowed.map(({ origin, route }) => [origin, route]))
  return { destination: { ...connecting, source, routes }, allowed }
}

/** What there is no leave for ends a command here, and is no more than refused to whoever asks. */
function refuse(cause: unknown): never {
  throw cause instanceof Failure ? new Refused(cause.message) : cause
}

/**
 * Destinations as this machine's own: with its own copy of a scenario, by its own authorisation,
 * and within what that allows to all that it sends at once. Throws `Refused` where it has no leave,
 * an Error when a scenario is not the same here.
 */
export async function acceptPart(
  { destinations, share }: Pick<OrderTo<'open'>, 'destinations' | 'share'>,
  own: Own
): Promise<Adopted> {
  const adopting = Promise.all(destinations.map((one) => ownDestination(one, own)))
  const adopted = await adopting.catch(refuse)
  const routes = Object.assign({}, ...adopted.map(({ destination }) => destination.routes))
  const stay = own.budgets.enter(routes)
  return {
    destinations: adopted.map(({ destination }) => destination),
    admit({ to, load, startAt }) {
      try {
        for (const url of to.flatMap((one) => adopted[one]?.allowed ?? [])) {
          insistOnTime(durationMs(load.phases) / 1_000, url)
          insistOnCaps(load, url)
        }
      } catch (cause) {
        refuse(cause)
      }
      return stay.admit({ load, share, startAt })
    },
    leave: stay.leave
  }
}

/** What is sent, and which part of it, in words. */
export function partText({
  destinations,
  share
}: Pick<OrderTo<'open'>, 'destinations' | 'share'>): string {
  const named = destinations.map(({ source }) => {
    return 'requests' in source ? source.requests[0]!.url : source.scenario
  })
  return `part ${share.index + 1} of ${share.count}: ${named.join(', ')}`
}
