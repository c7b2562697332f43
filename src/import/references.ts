import { type ImportSource, isObject, type Located, located, pointerTo } from './source.ts'

/**
 * A reference that leads to nothing that is known: to what is not there, to itself, or out of the
 * document, where it is never followed.
 */
export class LostReference extends Error {}

/** What is made of a document, unless that takes what a reference does not lead to. */
export function unlessLost<Result>(
  make: () => Result,
  tell?: (why: string) => void
): Result | undefined {
  try {
    return make()
  } catch (cause) {
    if (!(cause instanceof LostReference)) throw cause
    tell?.(cause.message)
    return undefined
  }
}

/** Schemas that are called otherwise than by where they stand. */
type Named = {
  /** By `$anchor`. */
  anchors: Map<string, Located>
  /** By `$id`. */
  ids: Map<string, Located>
}

const found = new WeakMap<ImportSource, Named>()

/** What may stand there says nothing of the document. */
const data = ['example', 'examples', 'default', 'enum', 'const']

function namedIn(source: ImportSource): Named {
  const known = found.get(source)
  if (known !== undefined) return known
  const named: Named = { anchors: new Map(), ids: new Map() }
  found.set(source, named)
  const pending: Located[] = [{ value: source.value, pointer: '' }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, pointer } = next
    if (value === null || typeof value !== 'object') continue
    if (typeof value.$anchor === 'string') named.anchors.set(value.$anchor, next)
    if (typeof value.$id === 'string') named.ids.set(value.$id.replace(/#$/, ''), next)
    for (const [key, inner] of Object.entries<any>(value)) {
      if (!data.includes(key)) pending.push({ value: inner, pointer: pointerTo(pointer, key) })
    }
  }
  return named
}

/** Whether a reference to a file is one to the document itself. */
function isOwn({ file, value }: ImportSource, place: string): boolean {
  return ['', file, `./${file}`, Object(value).$self].includes(place)
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/**
 * What a reference leads to in its document: by a pointer, `#/components/schemas/Pet`, by an
 * `$anchor`, `#pet`, by an `$id`, or by the document's own name, `api.yaml#/components/…`.
 * Undefined where nothing is there, null where it leads out of the document.
 */
export function referred(source: ImportSource, reference: string): Located | undefined | null {
  const [place = '', ...rest] = reference.split('#')
  const fragment = decoded(rest.join('#'))
  const base = isOwn(source, place) ? undefined : namedIn(source).ids.get(place)
  if (base === undefined && !isOwn(source, place)) return null
  if (fragment === '') return base ?? located(source, '')
  if (fragment.startsWith('/')) return located(source, `${base?.pointer ?? ''}${fragment}`)
  return namedIn(source).anchors.get(fragment)
}

/** Follows references; throws a `LostReference` where one leads nowhere. */
export function followed(source: ImportSource, from: Located): Located {
  let at = from
  for (let steps = 0; isObject(at.value) && typeof at.value.$ref === 'string'; steps++) {
    const { $ref } = at.value
    if (steps > 50) throw new LostReference(`#${from.pointer} refers to itself`)
    const next = referred(source, $ref)
    if (next === null) {
      const help = 'put all of it into one file'
      throw new LostReference(`#${at.pointer} refers to ${$ref}, which is not fetched: ${help}`)
    }
    if (next === undefined) throw new LostReference(`there is no ${$ref} (#${at.pointer})`)
    at = next
  }
  return at
}
