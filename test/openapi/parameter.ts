import type { Tree } from './inlined.ts'

/** The type that a parameter says it has; `null` is no way to write one. */
function typeOf(schema: Tree = {}): string | undefined {
  if (!Array.isArray(schema.type)) return schema.type
  return schema.type.find((one: string) => one !== 'null')
}

/** Whether a list of a parameter is one text with commas. */
export function isJoined({ in: place, schema, explode, style = 'form' }: Tree): boolean {
  if (typeOf(schema) !== 'array') return false
  return place !== 'query' || (style === 'form' && explode === false)
}

/** A text of an address or a header as the value that its parameter says it is, where it can be. */
export function valueIn(text: string, schema: Tree = {}): unknown {
  const type = typeOf(schema)
  if (type === 'integer' || type === 'number') {
    return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text
  }
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** What was sent as a parameter, as the value that it says it is. */
export function read(parameter: Tree, sent: readonly string[]): unknown {
  const { schema = {} } = parameter
  if (typeOf(schema) !== 'array') return valueIn(sent.at(-1)!, schema)
  const texts = isJoined(parameter) ? sent.at(-1)!.split(',') : sent
  return texts.map((text) => valueIn(text, schema.items))
}
