import { type ImportSource, isObject, type Located, pointerTo } from './source.ts'

const isNumber = (value: unknown) => typeof value === 'number'
const isText = (value: unknown) => typeof value === 'string'
const isFlag = (value: unknown) => typeof value === 'boolean'
/** Whether it can be a schema. */
export const isSchema = (value: unknown) => isObject(value) || isFlag(value)
const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText)

/** What can be said by keywords; what else stands there says nothing. */
const sayings: Record<string, (value: unknown) => boolean> = {
  ...Object.fromEntries(
    ['Length', 'Items', 'Properties', 'imum'].flatMap((of) =>
      ['min', 'max'].map((end) => [`${end}${of}`, isNumber])
    )
  ),
  ...{ exclusiveMinimum: (one) => isNumber(one) || isFlag(one), multipleOf: isNumber },
  ...{ exclusiveMaximum: (one) => isNumber(one) || isFlag(one), uniqueItems: isFlag },
  ...{ pattern: isText, format: isText, enum: Array.isArray, discriminator: isObject },
  ...{ type: (one) => isText(one) || isTextList(one), required: isTextList },
  ...{ properties: isObject, items: isSchema, additionalProperties: isSchema },
  ...{ allOf: Array.isArray, anyOf: Array.isArray, oneOf: Array.isArray }
}

/** What a schema says, without what is not as it can be, which is noted. */
export function understood(source: ImportSource, { value, pointer }: Located): Record<string, any> {
  const wrong = Object.entries(sayings).flatMap(([name, isSaid]) =>
    value[name] === undefined || isSaid(value[name]) ? [] : [name]
  )
  if (wrong.length === 0) return value
  for (const name of wrong) source.odd.add(pointerTo(pointer, name))
  return Object.fromEntries(Object.entries<any>(value).filter(([name]) => !wrong.includes(name)))
}
