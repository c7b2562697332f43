/** Takes the value at a place out of a request, where it is the value that is set there. */
export const absent = Symbol('absent')

/**
 * Parts of a request by name: `path.petId`, `query.limit`, `header.x-trace`, `cookie.session`,
 * `body`, `body.tags[0].name`, `body["a.b"]`.
 */
export type RequestParts = {
  path: Record<string, unknown>
  query: Record<string, unknown>
  header: Record<string, unknown>
  cookie: Record<string, unknown>
  body?: unknown
}

const token = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g

/** The keys that lead to a place, from its part of the request on. */
export function keysOf(place: string): (string | number)[] {
  return [...place.matchAll(token)].map(([, quoted, index, plain]) => {
    if (quoted !== undefined) return JSON.parse(`"${quoted}"`) as string
    return index === undefined ? plain! : Number(index)
  })
}

/** A place below another, as `keysOf` takes it apart again. */
export function placeBelow(place: string, key: string | number): string {
  if (typeof key === 'number') return `${place}[${key}]`
  return /^[^.[\]"\\]+$/.test(key) ? `${place}.${key}` : `${place}[${JSON.stringify(key)}]`
}

/** All places that a place is in, the outermost first, and last it itself. */
export function placesTo(place: string): string[] {
  const [part, ...keys] = keysOf(place)
  const places = [String(part)]
  for (const key of keys) places.push(placeBelow(places.at(-1)!, key))
  return places
}

/** What stands at a place; undefined where nothing does. */
export function valueAt(parts: object, place: string): unknown {
  let value: any = parts
  for (const key of keysOf(place)) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** Sets the value at a place, or takes it out; what it stands in has to be there. */
export function setAt(parts: object, place: string, value: unknown): void {
  const keys = keysOf(place)
  const last = keys.pop()!
  let holder: any = parts
  for (const key of keys) holder = holder?.[key]
  if (holder === null || typeof holder !== 'object') {
    throw new TypeError(`nothing can stand at ${place}: what it is in is no object and no list`)
  }
  if (value !== absent) {
    Object.defineProperty(holder, last, {
      ...{ value, enumerable: true, configurable: true, writable: true }
    })
  } else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
}
