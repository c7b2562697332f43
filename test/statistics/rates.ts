import { decisionRates } from './decision-rates.ts'
import { intervalRates } from './interval-rates.ts'
import { measured, type Rate } from './rate.ts'

/** How often everything here errs. */
export const rates: Rate[] = [...intervalRates, ...decisionRates]

// `node test/statistics/rates.ts 10` measures with ten times the repetitions of the suite.
if (import.meta.main)
  for (const rate of rates) {
    const count = Math.ceil(rate.count * Number(process.argv[2] ?? 1))
    const share = (100 * measured(rate, count)).toFixed(1)
    console.log(`${share.padStart(5)} %  of ${String(count).padStart(6)}  ${rate.what}`)
  }
