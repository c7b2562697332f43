// One measured stretch at a rate, as a process of its own, so that it can have a core to itself:
// `node paced.ts <url> <arrivals a second> <seconds> [precise|ring]`.
import { percentiles } from '../../src/load/figures/histogram.ts'
import { mergeShares } from '../../src/load/figures/result.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { hold, open, warmUp } from '../../src/load/load.ts'
import { sendPart } from '../load/ask.ts'

const [url, rate, seconds] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])]

const arrivals = open(...warmUp(hold({ rate, seconds: 1 })), hold({ rate, seconds }))
const load = { ...arrivals, precise: process.argv[5] === 'precise' }
const transport = process.argv[5] === 'ring' ? 'uring' : 'wire'
const share = await sendPart({ url }, load, { transport })
const result = mergeShares([share])
const { requests, durationMs, dropped, errors, timeouts, generator, response, service } =
  summary(result)
const [worker] = result.workers
console.log(
  JSON.stringify({
    requests,
    durationMs,
    lost: dropped + timeouts + Object.values(errors).reduce((sum, count) => sum + count, 0),
    lag: percentiles(worker!.lag),
    cpu: worker!.cpuMs / worker!.wallMs,
    response,
    service,
    generator
  })
)
