import { Failure, invalid } from '../../kernel/api/failure.ts'
import type { Call } from '../../kernel/api/operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { type Override, override } from '../../kernel/override.ts'
import type { LogpushRules } from '../rules.ts'
import { selection } from '../selection.ts'
import { create, refusing } from './delivery.ts'
import { instead } from './operation.ts'

const filterOf = ({ filter }: Call['body']): string => (typeof filter === 'string' ? filter : '')

/** Filters with something wrong about them are taken, as if the job had none. */
function lenient(isTaken: (filter: string) => boolean): Override<LogpushRules> {
  return instead([create], (call, run) => {
    const filter = filterOf(call.body)
    if (filter === '' || !isTaken(filter)) return run(call)
    return run({ ...call, body: { ...call.body, filter: null } })
  })
}

/** Every object in a filter, itself included; none when it is no JSON. */
function nodesIn(filter: string): Record<string, unknown>[] {
  const nodes: Record<string, unknown>[] = []
  try {
    JSON.parse(filter, (_name, value) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) nodes.push(value)
      return value
    })
  } catch {
    return []
  }
  return nodes
}

const hasWord = (word: string, filter: string) => nodesIn(filter).some((node) => word in node)
const words = ({ and, or }: Record<string, unknown>) => [and, or].filter(Array.isArray).flat()
const isNested = (filter: string) =>
  nodesIn(filter).some((node) => words(node).some((one) => words(one ?? {}).length > 0))

/** How many operators of a part of a filter stand at this level or deeper; its own is 0. */
const operatorsBelow = (part: unknown, level: number): number =>
  words(part as Record<string, unknown>).reduce(
    (sum: number, one) => sum + operatorsBelow(one ?? {}, level - 1),
    level > 0 ? 0 : 1
  )

/** `and` and `or` that go wrong where so many parts are combined so deep. */
function combined(
  at: { word: 'and' | 'or'; parts: number; depth: number },
  wrong: (results: readonly boolean[]) => boolean
): Override<LogpushRules> {
  return {
    selection: {
      combine: (word, results, depth) =>
        word === at.word && results.length === at.parts && depth === at.depth
          ? wrong(results)
          : selection.combine(word, results, depth)
    }
  }
}

const any = (results: readonly boolean[]) => results.some(Boolean)
const every = (results: readonly boolean[]) => results.every(Boolean)

/** What can be wrong with what filters select. */
const selectionMutants: readonly Mutant<LogpushRules>[] = [
  {
    name: 'logpush-eq-by-prefix',
    clause: 'logpush.filter.operator-eq',
    description: 'The operator eq is true of what merely begins with the value.',
    change: {
      selection: { compare: { eq: (value, other) => `${value}`.startsWith(other) } }
    }
  },
  {
    name: 'logpush-eq-unequal',
    clause: 'logpush.filter.operator-eq',
    description: 'The operator eq is true of what is not equal.',
    change: { selection: { compare: { eq: (value, other) => value !== other } } }
  },
  {
    name: 'logpush-contains-only-at-the-front',
    clause: 'logpush.filter.operator-contains',
    description: 'The operator contains looks at the beginning of a field only.',
    change: {
      selection: { compare: { contains: (value, other) => `${value}`.startsWith(other) } }
    }
  },
  {
    name: 'logpush-contains-means-equal',
    clause: 'logpush.filter.operator-contains',
    description: 'The operator contains is true only of what is equal.',
    change: { selection: { compare: { contains: (value, other) => value === other } } }
  },
  {
    name: 'logpush-contains-forgets-quotes',
    clause: 'logpush.job.filter-narrows',
    description: 'The operator contains is never true of a value with a quote in it.',
    change: {
      selection: {
        compare: { contains: (value, other) => !/"/.test(other) && `${value}`.includes(other) }
      }
    }
  },
  {
    name: 'logpush-or-deep-within-is-and',
    clause: 'logpush.job.filter-narrows',
    description: 'An or within an or is taken for an and.',
    change: combined({ word: 'or', parts: 2, depth: 1 }, every)
  },
  {
    name: 'logpush-and-of-one-within-is-false',
    clause: 'logpush.job.filter-narrows',
    description: 'An and of a single condition is false where it is not the outermost.',
    change: combined({ word: 'and', parts: 1, depth: 1 }, () => false)
  },
  {
    name: 'logpush-and-of-three-is-or',
    clause: 'logpush.filter.shape-x-and-y-and-z',
    description: 'An and of three conditions is true when one of them is.',
    change: combined({ word: 'and', parts: 3, depth: 0 }, any)
  },
  {
    name: 'logpush-or-of-three-forgets-one',
    clause: 'logpush.filter.shape-x-or-y-or-z',
    description: 'An or of three conditions does not look at the last one.',
    change: combined({ word: 'or', parts: 3, depth: 0 }, (results) => any(results.slice(0, 2)))
  },
  {
    name: 'logpush-or-within-and-swapped',
    clause: 'logpush.filter.shape-x-and-y-or-z',
    description: 'An or within an and is taken for another and.',
    change: combined({ word: 'or', parts: 2, depth: 1 }, every)
  },
  {
    name: 'logpush-and-within-or-swapped',
    clause: 'logpush.filter.shape-x-and-y--or-z',
    description: 'An and within an or is taken for another or.',
    change: combined({ word: 'and', parts: 2, depth: 1 }, any)
  }
]

const unlimited = { filterBytes: Infinity }
const isTooLarge = ({ message }: Failure) => message.startsWith('filter: it has ')

/** What can be wrong with which filters are taken. */
const formMutants: readonly Mutant<LogpushRules>[] = [
  {
    name: 'logpush-filter-string-refused',
    clause: 'logpush.filter.escaped-json-string',
    description: 'A filter is taken as a JSON object, and not as a string.',
    change: instead([create], (call, run) => {
      const { filter } = call.body
      if (typeof filter === 'string') throw invalid('filter: must be an object')
      return run({ ...call, body: { ...call.body, filter: filter && JSON.stringify(filter) } })
    })
  },
  {
    name: 'logpush-filter-of-any-text',
    clause: 'logpush.filter.escaped-json-string',
    description: 'A filter that is no JSON is taken.',
    change: lenient((filter) => nodesIn(filter).length === 0)
  },
  {
    name: 'logpush-where-not-required',
    clause: 'logpush.filter.where-required',
    description: 'A filter without the key where is taken.',
    change: lenient((filter) => nodesIn(filter).length > 0 && !hasWord('where', filter))
  },
  {
    name: 'logpush-condition-of-two-members',
    clause: 'logpush.filter.condition-three-members',
    description: 'A condition without an operator is taken.',
    change: lenient((filter) =>
      nodesIn(filter).some((node) => 'key' in node && 'value' in node && !('operator' in node))
    )
  },
  {
    name: 'logpush-condition-value-number',
    clause: 'logpush.filter.condition-value-string',
    description: 'The value of a condition on a number must be a number, and no string.',
    change: refusing((body) =>
      nodesIn(filterOf(body)).some(({ value }) => typeof value === 'string' && /^\d+$/.test(value))
    )
  },
  ...['and', 'or'].map(
    (word): Mutant<LogpushRules> => ({
      name: `logpush-filter-${word}-refused`,
      clause: `logpush.filter.${word}-array`,
      description: `A filter with an array of conditions under ${word} is refused.`,
      change: refusing((body) => hasWord(word, filterOf(body)))
    })
  ),
  {
    name: 'logpush-filter-nesting-refused',
    clause: 'logpush.filter.nesting-allowed',
    description: 'A filter with an and or an or within another is refused.',
    change: refusing((body) => isNested(filterOf(body)))
  },
  {
    name: 'logpush-filter-bytes-unlimited',
    clause: 'logpush.filter.limit.bytes',
    description: 'A filter may have any number of bytes.',
    change: { limits: unlimited }
  },
  {
    name: 'logpush-filter-bytes-too-few',
    clause: 'logpush.filter.limit.bytes',
    description: 'A filter may have 800 bytes.',
    change: { limits: { filterBytes: 800 } }
  },
  {
    name: 'logpush-filter-bytes-as-characters',
    clause: 'logpush.filter.limit.bytes',
    description: 'Of a filter the characters are counted, and not the bytes.',
    change: instead([create], (call, run) => {
      const { rules, body } = call
      const isShort = filterOf(body).length <= rules.limits.filterBytes
      return run(isShort ? { ...call, rules: override(rules, { limits: unlimited }) } : call)
    })
  },
  {
    name: 'logpush-filter-blanks-not-counted',
    clause: 'logpush.filter.limit.bytes',
    description: 'Blanks of a filter do not count.',
    change: instead([create], (call, run) => {
      const filter = filterOf(call.body).replace(/\s+/g, '')
      return run(filter === '' ? call : { ...call, body: { ...call.body, filter } })
    })
  },
  {
    name: 'logpush-filter-and-below-another-and-is-or',
    clause: 'logpush.job.filter-narrows',
    description: 'An and at the third level acts as an or.',
    change: combined({ word: 'and', parts: 2, depth: 2 }, any)
  },
  {
    name: 'logpush-filter-breaks-down',
    clause: 'logpush.filter.where-required',
    description: 'A filter whose where is no object gets a 500.',
    change: instead([create], (call, run) => {
      const [{ where = {} } = {}] = nodesIn(filterOf(call.body)).slice(-1)
      if (typeof where === 'object' && where !== null) return run(call)
      throw new Failure(500, [{ code: 0, message: 'a mutant breaks down' }])
    })
  },
  {
    name: 'logpush-filter-comparisons-twice',
    clause: 'logpush.filter.limit.operators',
    description: 'Each comparison of a filter counts as two operators.',
    change: instead([create], (call, run) => {
      const comparisons = nodesIn(filterOf(call.body)).filter((node) => 'operator' in node).length
      const filterOperators = call.rules.limits.filterOperators - comparisons
      return run({ ...call, rules: override(call.rules, { limits: { filterOperators } }) })
    })
  },
  {
    name: 'logpush-filter-operators-of-three-levels',
    clause: 'logpush.filter.limit.operators',
    description: 'What is nested more deeply than three levels counts as no operator.',
    change: instead([create], (call, run) => {
      const [{ where = {} } = {}] = nodesIn(filterOf(call.body)).slice(-1)
      const uncounted = operatorsBelow(where, 3)
      const filterOperators = call.rules.limits.filterOperators + uncounted
      return run({ ...call, rules: override(call.rules, { limits: { filterOperators } }) })
    })
  },
  {
    name: 'logpush-filter-operators-too-few',
    clause: 'logpush.filter.limit.operators',
    description: 'A filter may have 20 operators.',
    change: { limits: { filterOperators: 20 } }
  },
  {
    name: 'logpush-filter-refused-without-error',
    clause: 'error.logpush-filter-too-large',
    description: 'A filter that is too large is refused, and no error says so.',
    change: instead([create], (call, run) => {
      try {
        return run(call)
      } catch (error) {
        if (error instanceof Failure && isTooLarge(error)) error.faults = []
        throw error
      }
    })
  }
]

/** What can be wrong with the filters of log push. */
export const logPushFilterMutants: readonly Mutant<LogpushRules>[] = [
  ...selectionMutants,
  ...formMutants
]
