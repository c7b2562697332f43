import {
  type LimitsFile,
  type PublishedClause,
  type PublishedNumber,
  type RateWindow,
  windowOf
} from './limits-file.ts'

/** A statement that is a limit. */
export type PublishedLimit = PublishedClause & { number: PublishedNumber }

/** A limit over time. */
export type PublishedRate = PublishedLimit & { window: number }

/** The limits among the statements of a file. */
export function limitsOf({ clauses }: LimitsFile): PublishedLimit[] {
  return clauses.filter((one): one is PublishedLimit => one.number !== undefined)
}

/** The limits over time among those that hold: others publish no number that was found wrong. */
export function ratesOf(file: LimitsFile): PublishedRate[] {
  return limitsOf(file).flatMap((one) => {
    const window = windowOf(one.number)
    return window !== undefined && one.verified.verdict === 'pass' ? { ...one, window } : []
  })
}

/** Those whose window has a name. */
export function namedRatesOf(
  file: LimitsFile
): (PublishedRate & { number: { per: RateWindow } })[] {
  type Named = PublishedRate & { number: { per: RateWindow } }
  return ratesOf(file).filter((one): one is Named => one.number.per !== undefined)
}

/** The rates of requests among those: what counts messages or bytes is no number of requests. */
export function requestRatesOf(file: LimitsFile): PublishedRate[] {
  return ratesOf(file).filter(({ number }) =>
    /^(?:api )?(?:requests?|calls?)$/i.test(number.counts)
  )
}

/** What a format that holds only some limits leaves out of a file, in words. */
export function leftOut(file: LimitsFile, held: readonly PublishedLimit[]): string[] {
  const limits = limitsOf(file)
  const [rates, timed] = [
    ratesOf(file),
    limits.filter(({ number }) => windowOf(number) !== undefined)
  ]
  const others = file.clauses.length - limits.length
  if (held.length === limits.length) return counted(others, 'clause that is no number')
  return [
    ...counted(timed.length - rates.length, 'rate that was not shown to hold'),
    ...counted(rates.length - held.length, 'rate that it has no room for'),
    ...counted(limits.length - timed.length, 'limit that is no rate'),
    ...counted(others, 'clause that is no number'),
    'evidence, quotations and where they stand'
  ]
}

/** `3 rates that were …` is beyond it: the words are of one, and counted in front. */
function counted(count: number, what: string): string[] {
  return count > 0 ? [`${count} × ${what}`] : []
}
