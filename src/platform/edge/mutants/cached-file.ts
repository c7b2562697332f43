import type { Mutant } from '../../kernel/mutant.ts'
import { plans } from '../../kernel/plan.ts'
import type { EdgeRules } from '../rules.ts'

const megabyte = 1_000_000

const fileMutants = plans.flatMap((plan): Mutant<EdgeRules>[] => {
  const clause = `limits.cache.file-size.${plan}`
  const limit = plan === 'enterprise' ? 5_000 * megabyte : 512 * megabyte
  const limited = (bytes: number) => ({
    limits: { cachedFileBytes: { [plan]: bytes } }
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

const somewhatMore: Mutant<EdgeRules> = {
  name: 'cached-file-pro-somewhat-more',
  clause: 'limits.cache.file-size.pro',
  description: 'On the pro plan files are cached that are 1 % larger than 512 MB in any reading.',
  change: { limits: { cachedFileBytes: { pro: 1.01 * 512 * 1_048_576 } } }
}

/** What can be wrong with how large files may be that are cached. */
export const cachedFileMutants: readonly Mutant<EdgeRules>[] = [...fileMutants, somewhatMore]
