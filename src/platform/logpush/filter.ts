import { invalid } from '../kernel/api/failure.ts'
import { type FieldType, typeOf, unknownField } from './dataset.ts'
import type { Dataset } from './record.ts'

/** One comparison: of a field, with a value or, for `in`, with several. */
export type Condition = { key: string; operator: string; values: string[] }

/** A condition, or several of them under one word. */
export type Filter = Condition | { word: 'and' | 'or'; below: Filter[] }

/** How large a filter may be: bytes of it as UTF-8, and operators of either kind. */
export type FilterLimits = { filterBytes: number; filterOperators: number }

/** The operators that can be asked of each type of field, without their opposites. */
const operatorsOf: Record<FieldType, readonly string[]> = {
  text: ['eq', 'contains', 'startsWith', 'endsWith', 'in'],
  integer: ['eq', 'lt', 'leq', 'gt', 'geq', 'in'],
  flag: ['eq'],
  list: ['contains'],
  moment: [],
  opaque: []
}

/** What turns an operator around; those that order have each other for that. */
const opposite = /^!(?!lt|leq|gt|geq)/

/** How the values that fields of a type are compared with are written: always as strings. */
const text = { pattern: /^/, words: 'a string' }
const forms: Record<FieldType, { pattern: RegExp; words: string }> = {
  text,
  list: text,
  moment: text,
  opaque: text,
  integer: { pattern: /^-?\d{1,15}$/, words: 'an integer, as a string' },
  flag: { pattern: /^(true|false)$/, words: '"true" or "false", as a string' }
}

/** Reads the filter of a job on a dataset; fails, and says where and why, when it is none. */
export function parseFilter(text: string, dataset: Dataset, limits: FilterLimits): Filter {
  const { filterBytes, filterOperators } = limits
  const bytes = Buffer.byteLength(text)
  if (bytes > filterBytes) throw fault(`it has ${bytes} bytes, and may have ${filterBytes}`)
  const whole = parsed(text)
  if (!isObject(whole) || !('where' in whole))
    throw fault('it must be an object with the key where')
  checkMembers(whole, ['where'], 'the filter')
  const filter = filterIn(whole.where, 'where', dataset)
  const operators = operatorsIn(filter)
  if (operators > filterOperators)
    throw fault(`it has ${operators} operators, and may have ${filterOperators}`)
  return filter
}

/** How many operators a filter has: its comparisons, and every `and` and `or`. */
function operatorsIn(filter: Filter): number {
  return 'below' in filter ? filter.below.reduce((sum, part) => sum + operatorsIn(part), 1) : 1
}

function filterIn(value: unknown, place: string, dataset: Dataset): Filter {
  if (!isObject(value)) throw fault(`${place} must be an object`)
  const word = 'and' in value ? 'and' : 'or' in value ? 'or' : undefined
  if (word === undefined) return conditionIn(value, place, dataset)
  checkMembers(value, [word], place)
  const list = value[word]
  if (!Array.isArray(list) || list.length === 0)
    throw fault(`${place}.${word} must be an array with something in it`)
  const below = list.map((part, index) => filterIn(part, `${place}.${word}.${index}`, dataset))
  return { word, below }
}

function conditionIn(given: Record<string, unknown>, place: string, dataset: Dataset): Condition {
  checkMembers(given, ['key', 'operator', 'value'], place)
  const { key, operator, value } = given
  if (typeof key !== 'string') throw fault(`${place}.key must be a string`)
  const type = typeOf(dataset, key)
  if (type === undefined) throw fault(`${place}.key: ${unknownField(key, dataset)}`)
  if (typeof operator !== 'string') throw fault(`${place}.operator must be a string`)
  const allowed = operatorsOf[type]
  if (allowed.length === 0) throw fault(`${place}.key: no filter can ask about ${key}`)
  const plain = operator.replace(opposite, '')
  if (!allowed.includes(plain))
    throw fault(`${place}.operator must be one of ${allowed.join(', ')} for ${key}`)
  const values = plain === 'in' ? listed(value) : [value]
  if (values.length === 0 || !values.every((one) => isOfType(one, type)))
    throw fault(
      `${place}.value must be ${plain === 'in' ? 'an array of ' : ''}${forms[type].words}`
    )
  return { key, operator, values: values as string[] }
}

/** The values of `in`: an array, in which integers may also stand as they are. */
function listed(value: unknown): unknown[] {
  if (!Array.isArray(value)) return []
  return value.map((one) => (Number.isSafeInteger(one) ? String(one) : one))
}

function isOfType(value: unknown, type: FieldType): boolean {
  return typeof value === 'string' && forms[type].pattern.test(value)
}

function checkMembers(given: object, names: readonly string[], place: string) {
  const [strange] = Object.keys(given).filter((name) => !names.includes(name))
  if (strange !== undefined) throw fault(`${place} has no place for ${strange.slice(0, 100)}`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fault('it is not JSON')
  }
}

function fault(because: string) {
  return invalid(`filter: ${because}`)
}
