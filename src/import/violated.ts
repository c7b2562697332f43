import { format } from '@cfworker/json-schema'
import type { FlatSchema } from './schema.ts'
import { matches } from './strings.ts'

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** What a schema is about, where it does not say so itself. */
export function kindOf(schema: FlatSchema): string | undefined {
  const [type] = schema.types
  if (type !== undefined) return type
  if (Object.keys(schema.properties).length > 0) return 'object'
  if (schema.items) return 'array'
  const named = Object.keys(schema.keywords)
  if (named.some((name) => ['minLength', 'maxLength', 'pattern'].includes(name))) return 'string'
  if (named.some((name) => /^(exclusive)?(min|max)imum$/i.test(name))) return 'number'
  return kindOfListed(schema)
}

/** What all the values are that a schema lists, null aside; undefined where they are of several. */
function kindOfListed({
  keywords: { enum: listed, const: fixed }
}: FlatSchema): string | undefined {
  const values: unknown[] = fixed ? [fixed.value] : Array.isArray(listed?.value) ? listed.value : []
  const kinds = new Set(values.filter((one) => one !== null).map(typeOf))
  return kinds.size === 1 ? [...kinds][0] : undefined
}

/** Whether a value is a word or a number, with nothing in it. */
export const isPlain = (schema: FlatSchema) =>
  !['object', 'array'].includes(kindOf(schema) ?? 'object') && schema.choices.length === 0

const sizes: Record<string, (value: any) => number> = {
  Length: (text) => [...text].length,
  Items: (list) => list.length,
  Properties: (object) => Object.keys(object).length,
  imum: (number) => number
}

/** Which of its own keywords a value is at odds with; what is within it is not looked at. */
export function violated(value: unknown, schema: FlatSchema): string[] {
  const type = typeOf(value)
  const isNull = value === null && schema.isNullable === true
  const isRight = (name: string) =>
    isNull || name === type || (name === 'number' && type === 'integer')
  const wrong = schema.types.length > 0 && !schema.types.some(isRight) ? ['type'] : []
  const sized: Record<string, string> = {
    ...{ string: 'Length', array: 'Items', object: 'Properties', integer: 'imum', number: 'imum' }
  }
  const kind = sized[type]
  const size = kind === undefined ? 0 : sizes[kind]!(value)
  for (const [name, { value: bound }] of Object.entries(schema.keywords)) {
    const isWrong =
      (name === `min${kind}` && size < bound) ||
      (name === `max${kind}` && size > bound) ||
      (kind === 'imum' && name === 'exclusiveMinimum' && size <= bound) ||
      (kind === 'imum' && name === 'exclusiveMaximum' && size >= bound) ||
      (kind === 'imum' &&
        name === 'multipleOf' &&
        Math.abs(size / bound - Math.round(size / bound)) > 1e-9) ||
      (name === 'enum' && !isListed(bound, value)) ||
      (name === 'const' && !same(bound, value)) ||
      (name === 'pattern' && type === 'string' && matches(bound, value as string) === false) ||
      (name === 'uniqueItems' && bound === true && type === 'array' && hasTwins(value as unknown[]))
    if (isWrong) wrong.push(name)
  }
  return isUntold(value, schema) ? [...wrong, 'an endless pattern'] : wrong
}

/** Whether nobody knows if a value is as its pattern says, which is no evidence for either side. */
const isUntold = (value: unknown, { keywords: { pattern } }: FlatSchema) =>
  typeof value === 'string' && pattern !== undefined && matches(pattern.value, value) === undefined

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What lists of values have, as text: of thousands that are listed each is held against all. */
const known = new WeakMap<readonly unknown[], ReadonlySet<string>>()

/** Whether a list that a document has, which nobody changes, has a value. */
export function isListed(values: readonly unknown[], value: unknown): boolean {
  const texts = known.get(values) ?? new Set(values.map((one) => JSON.stringify(one)))
  known.set(values, texts)
  return texts.has(JSON.stringify(value))
}

/** Whether a list has a value twice. */
export const hasTwins = (list: unknown[]) =>
  new Set(list.map((one) => JSON.stringify(one))).size < list.length

/** Whether a value is what a schema says; examples are at odds with their own format at times. */
export function isGood(value: unknown, schema: FlatSchema): boolean {
  const { format: name } = schema.keywords
  const isOfFormat = Object.hasOwn(format, name?.value) ? format[name!.value] : undefined
  const isOdd = typeof value === 'string' && isOfFormat !== undefined && !isOfFormat(value)
  return !isOdd && violated(value, schema).length === 0
}

/** Whether a value is at the end of what is taken, where one unit less would refuse it. */
export const isAtEnd = (value: unknown, schema: FlatSchema) => {
  const text = typeof value === 'string' ? [...value].length : value
  return ['minLength', 'maxLength', 'minimum', 'maximum'].some(
    (name) => schema.keywords[name] !== undefined && schema.keywords[name].value === text
  )
}
