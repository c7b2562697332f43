import { Readable } from 'node:stream'
import type { Answer, Bytes } from '../../functions/isolate/contract.ts'
import { functionPlans } from '../../functions/plan.ts'
import { plans } from '../../kernel/plan.ts'
import type { Mutant } from '../../mutants.ts'

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

const fileMutants = plans.flatMap((plan): Mutant[] => {
  const clause = `limits.cache.file-size.${plan}`
  const limit = plan === 'enterprise' ? 5_000 * megabyte : 512 * megabyte
  const limited = (bytes: number) => ({
    limits: { functions: { cachedFileBytes: { [plan]: bytes } } }
  })
  return [
    {
      name: `cached-file-${plan}-too-small`,
      clause,
      description: `On the ${plan} plan only files of less than 0.9 times the limit are cached.`,
      change: limited(0.9 * limit)
    },
    {
      name: `cached-file-${plan}-unlimited`,
      clause,
      description: `On the ${plan} plan files of any size are cached.`,
      change: limited(Infinity)
    }
  ]
})

const columns = {
  free: ['free'],
  bundled: ['bundled'],
  'unbound-standard': ['unbound', 'standard']
}

const objectMutants = Object.entries(columns).flatMap(([column, those]): Mutant[] => {
  const clause = `limits.cache-api.object-size.${column}`
  const limited = (bytes: number) => {
    const sizes = functionPlans.filter((plan) => those.includes(plan)).map((plan) => [plan, bytes])
    return { limits: { functions: { cacheObjectBytes: Object.fromEntries(sizes) } } }
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
})

/** What can be wrong with how large things may be that are cached or answered. */
export const cachedFileMutants: readonly Mutant[] = [
  ...fileMutants,
  ...objectMutants,
  {
    name: 'response-cut',
    clause: 'limits.response.no-size-limit',
    description: 'An answer ends after 512 MB.',
    change: {
      functions: {
        answerOf: (answer: Answer) => ({
          ...answer,
          body: answer.body && Readable.from(cut(answer.body, halfGigabyte))
        })
      }
    }
  }
]
