import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import type { Bytes } from '../isolate/contract.ts'
import { functionPlans } from '../plan.ts'
import type { FunctionRules } from '../rules.ts'
import { running } from './isolates.ts'

const megabyte = 1_000_000
const halfGigabyte = 512 * 1_048_576

/** Passes on no more than so many bytes. */
async function* cut(body: Bytes, bytes: number) {
  let left = bytes
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

const columns = {
  free: ['free'],
  bundled: ['bundled'],
  'unbound-standard': ['unbound', 'standard']
}

const objectMutants = Object.entries(columns).flatMap(
  ([column, those]): Mutant<FunctionRules>[] => {
    const clause = `limits.cache-api.object-size.${column}`
    const limited = (bytes: number) => {
      const sizes = functionPlans
        .filter((plan) => those.includes(plan))
        .map((plan) => [plan, bytes])
      return { limits: { cacheObjectBytes: Object.fromEntries(sizes) } }
    }
    return [
      {
        name: `cache-object-${column}-too-small`,
        clause,
        description: `An object in the cache has at most 460 MB (${column}).`,
        change: limited(460 * megabyte)
      },
      {
        name: `cache-object-${column}-unlimited`,
        clause,
        description: `An object in the cache has any size (${column}).`,
        change: limited(Infinity)
      }
    ]
  }
)

/** What can be wrong with how large things may be that functions cache or answer. */
export const cachedObjectMutants: readonly Mutant<FunctionRules>[] = [
  ...objectMutants,
  {
    name: 'response-cut',
    clause: 'limits.response.no-size-limit',
    description: 'An answer ends after 512 MB.',
    change: answersCut(halfGigabyte)
  },
  {
    name: 'response-passed-on-cut',
    clause: 'limits.response.no-size-limit',
    description: 'An answer ends after 24 MB.',
    change: answersCut(24 * megabyte)
  }
]

/** Answers of functions that end after so many bytes. */
function answersCut(bytes: number): Override<FunctionRules> {
  return running((run) => {
    const answer = run.answer.then((given) => ({
      ...given,
      body: given.body && cut(given.body, bytes)
    }))
    answer.catch(() => {})
    return { answer }
  })
}
