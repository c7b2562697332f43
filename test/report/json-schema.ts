type Schema = Record<string, any>

/** Words of a schema that say nothing about what is valid. */
const silent = ['$schema', '$id', 'title', 'description', 'default', 'examples', 'definitions']

const types: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: Number.isFinite
}

const formats: Record<string, RegExp> = {
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
}

/** What each word demands; undefined where it is met. */
const demands: Record<string, (value: any, word: any, schema: Schema, at: string) => string[]> = {
  type: (value, word, _, at) =>
    [word].flat().some((one: string) => types[one]!(value)) ? [] : [`${at} is no ${word}`],
  const: (value, word, _, at) => (value === word ? [] : [`${at} is not ${word}`]),
  enum: (value, word, _, at) => (word.includes(value) ? [] : [`${at} is none of ${word}`]),
  pattern: (value, word, _, at) =>
    typeof value !== 'string' || new RegExp(word).test(value) ? [] : [`${at} does not match`],
  format: (value, word, _, at) => (formats[word]!.test(value) ? [] : [`${at} is no ${word}`]),
  minLength: (value, word, _, at) => (value.length >= word ? [] : [`${at} is too short`]),
  minimum: (value, word, _, at) => (value >= word ? [] : [`${at} is too small`]),
  maximum: (value, word, _, at) => (value <= word ? [] : [`${at} is too large`]),
  minItems: (value, word, _, at) => (value.length >= word ? [] : [`${at} has too few items`]),
  required: (value, word, _, at) =>
    word.filter((name: string) => !(name in value)).map((name: string) => `${at} lacks ${name}`),
  items: (value, word, _, at) =>
    types.array!(value)
      ? value.flatMap((one: unknown, index: number) => faults(one, word, `${at}[${index}]`))
      : [],
  properties: (value, word, _, at) =>
    Object.entries(word).flatMap(([name, schema]) =>
      types.object!(value) && name in value
        ? faults(value[name], schema as Schema, `${at}.${name}`)
        : []
    ),
  additionalProperties: (value, word, schema, at) =>
    Object.keys(value)
      .filter((name) => !(name in (schema.properties ?? {})))
      .flatMap((name) => {
        if (word === false) return [`${at} may have no ${name}`]
        return word === true ? [] : faults(value[name], word, `${at}.${name}`)
      }),
  anyOf: (value, word, _, at) =>
    word.some((one: Schema) => faults(value, one, at).length === 0) ? [] : [`${at} is none of them`]
}

/**
 * What is wrong with a value by a JSON schema (draft 7), in words. Throws for a word of a schema
 * that is not known here, lest something be valid since nobody looked.
 */
export function faults(value: unknown, schema: Schema, at = '$'): string[] {
  return Object.entries(schema).flatMap(([word, demanded]) => {
    if (silent.includes(word)) return []
    const demand = demands[word]
    if (demand === undefined) throw new Error(`the word "${word}" of a schema is not known here`)
    return demand(value, demanded, schema, at)
  })
}
