import { check, GB, GiB } from 'plimsoll'
import { failures, judgeFileSize } from './_file-size.ts'

export default check({
  title: 'On the enterprise plan files of up to 5 GB are cached; larger ones are delivered',
  clauses: ['limits.cache.file-size.enterprise'],
  tier: 'long',
  expectedReplies: failures,
  needs: ['edge', 'zone', 'origin', 'reach'],
  run: (context) => judgeFileSize(context, { plan: 'enterprise', decimal: 5 * GB, binary: 5 * GiB })
})
