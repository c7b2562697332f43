import { type ImportedOperation, successes } from './operations.ts'
import { unlessLost } from './references.ts'
import { flat } from './schema.ts'
import { type ImportSource, pointerTo } from './source.ts'

/** What makes a thing, which field of the answer names it, and how it is removed again. */
export type Maker = { by: string; field: string; parameter: string; removal?: string }

/** What makes the things that operations are about, by path: `/pets/{petId}`. */
export function makersAmong(
  source: ImportSource,
  operations: readonly ImportedOperation[]
): Map<string, Maker> {
  const makers = new Map<string, Maker>()
  for (const { path: asked } of operations) {
    // What is done with a thing may be written behind a colon: `/pets/{petId}:sell`.
    const [, path, parent, parameter] = /^((.*)\/\{([^}/]+)\})(?::[^/]+)?$/.exec(asked) ?? []
    if (path === undefined || parent === undefined || parameter === undefined) continue
    const post = operations.find((one) => one.method === 'POST' && one.path === parent)
    const field = post && unlessLost(() => idIn(source, post, parameter))
    if (field === undefined) continue
    const isRemoved = operations.some((one) => one.method === 'DELETE' && one.path === path)
    const removal = isRemoved && !parent.includes('{') ? `DELETE ${parent}/{${field}}` : undefined
    makers.set(path, { by: post!.name, field, parameter, removal })
  }
  return makers
}

/** The field of the answer to a making that names what was made. */
function idIn(
  source: ImportSource,
  post: ImportedOperation,
  parameter: string
): string | undefined {
  const [answer] = successes(post)
  const content = Object.entries<any>(Object(answer?.[1].value.content))
  const json = content.find(([type]) => /[/+]json\b/.test(type))
  if (answer === undefined || json === undefined) return
  const pointer = pointerTo(answer[1].pointer, 'content', json[0], 'schema')
  const { properties } = flat(source, { value: json[1]?.schema ?? {}, pointer })
  return [parameter, 'id', 'uuid'].find((name) => Object.hasOwn(properties, name))
}
