import * as v from 'valibot'

const variableName = v.pipe(
  v.string(),
  v.regex(/^(?!__proto__$)[A-Za-z_$][\w$]*$/, 'must be an identifier')
)
const name = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a label: a-z, 0-9 and -, at most 63')
)
const storeName = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, ., _ or -')
)

const binding = v.variant('kind', [
  v.strictObject({ kind: v.picklist(['kv', 'objects', 'queue']), name: storeName }),
  v.strictObject({ kind: v.literal('stateful'), className: variableName }),
  v.strictObject({ kind: v.literal('service'), function: name })
])

/** A pattern for it runs out of stack where a module is some megabytes large. */
const base64 = v.pipe(
  v.string(),
  v.check((text) => Buffer.from(text, 'base64').toString('base64') === text, 'must be base64')
)

const module = v.union([v.string(), v.strictObject({ base64 })], 'must be text, or {"base64": …}')

/** What a deployment says: modules by path, of which `main` exports the handlers, and the rest. */
export const deploymentSchema = v.strictObject({
  name,
  modules: v.record(v.string(), module),
  main: v.string(),
  env: v.optional(v.record(variableName, v.string()), {}),
  secrets: v.optional(v.record(variableName, v.string()), {}),
  bindings: v.optional(v.record(variableName, binding), {}),
  consumes: v.optional(v.array(storeName), []),
  cpuMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))
})

/** What a function can ask for: a store by its name, a class of its own, another function. */
export type Binding = v.InferOutput<typeof binding>

/** What is deployed under a name in an account. */
export type Deployment = v.InferOutput<typeof deploymentSchema>

/** The sources of a deployment, as they are run. */
export function modulesOf({ modules }: Deployment): Record<string, string | Uint8Array> {
  return Object.fromEntries(
    Object.entries(modules).map(([path, source]) => [
      path,
      typeof source === 'string' ? source : Buffer.from(source.base64, 'base64')
    ])
  )
}
