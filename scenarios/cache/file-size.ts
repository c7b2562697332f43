import { check, MB, MiB } from 'plimsoll'
import { failures, judgeFileSize } from './_file-size.ts'

const plans = ['free', 'pro', 'business']

export default check({
  title: 'Files of up to 512 MB are cached; larger ones are delivered, and not kept',
  clauses: plans.map((plan) => `limits.cache.file-size.${plan}`),
  tier: 'full',
  expectedReplies: failures,
  needs: ['edge', 'zone', 'origin', 'reach'],
  async run(context) {
    for (const plan of plans)
      await judgeFileSize(context, { plan, decimal: 512 * MB, binary: 512 * MiB })
  }
})
