import type { Target } from '../target/target.ts'
import type { Found } from './found.ts'
import { blame, ownModule } from './own-module.ts'

/**
 * The listeners that a document speaks of, by name. Which there are depends on the document: its
 * scenarios declare them with `declare module 'plimsoll' { interface Endpoints<Speaker> { … } }`,
 * where a `Speaker` sends requests (the client of a check) or describes them (that of a load).
 */
export interface Endpoints<Speaker> {
  /** The one listener of a target that was given as a plain URL. */
  service: Speaker
}

/** What any speaker can do, whether it sends or describes. */
type AnySpeaker = { as: (host: string) => unknown }

/**
 * What a document's endpoints offer beyond sending, by name, as its `_endpoints.ts` exports them:
 * `endpoints`. Each is handed the endpoint, the target, and a way to get a listener of its own by
 * name, as `edge.free` is of `edge`; it returns what is added.
 */
export type EndpointParts = Readonly<
  Record<string, (speaker: any, target: Readonly<Target>, own: (name: string) => any) => object>
>

/** The parts of endpoints of the document that a scenario belongs to; none without the module. */
export async function endpointPartsOf(found: Found): Promise<EndpointParts> {
  const own = await ownModule(found, '_endpoints')
  if (own === undefined) return {}
  const { endpoints } = own.exported
  const isRight =
    typeof endpoints === 'object' &&
    endpoints !== null &&
    Object.values(endpoints).every((part) => typeof part === 'function')
  if (isRight) return endpoints
  return blame(own, 'write `export const endpoints = { name: (speaker, target) => ({ … }) }`')
}

/**
 * A context with the target's endpoints as further properties. Each is made when it is read, by
 * `speak`, which throws for one that the scenario does not declare; none hides what is there.
 */
export function withEndpoints<Own extends object, Speaker extends AnySpeaker>(
  own: Own,
  given: { target: Target; parts: EndpointParts; speak: (name: string) => Speaker }
): Own & Endpoints<Speaker> {
  const { target, parts, speak } = given
  for (const name of new Set(['service', ...Object.keys(target.endpoints)])) {
    if (name in own) continue
    const get = () => {
      const speaker = speak(name)
      return parts[name] ? { ...speaker, ...parts[name](speaker, target, speak) } : speaker
    }
    // What a check is handed besides, as `verify`, comes after it.
    Object.defineProperty(own, name, { get, enumerable: true, configurable: true })
  }
  return own as Own & Endpoints<Speaker>
}
