import { type Context, check, type Judge, pairwise, type Reply } from 'plimsoll'
import { isBesideThePoint, isItem, isRefused, isServed, quoted } from '../_reply.ts'
import { and, eq, where } from './_filter.ts'
import { type Ask, type Band, lineIn } from './_line.ts'
import { alike, depths, field, ofBytes, ofOperators, ofValue, writings } from './_sized.ts'
import { stage } from './_stage.ts'

const bytes = 'logpush.filter.limit.bytes'
const operators = 'logpush.filter.limit.operators'
const error = 'error.logpush-filter-too-large'

/** A field of a short name, of which a filter has room for more comparisons. */
const short = 'RayID'

/** As many operators are as many, however wide and however deep the filter is that has them. */
async function judgeWide({ verify }: Pick<Judge, 'verify'>, ask: Ask) {
  const key = isServed(await ask(where(and(eq(short, ''))))) ? short : field
  for (const depth of depths) {
    const [wide, deep] = alike(depth, key)
    const [one, other] = [await ask(wide), await ask(deep)]
    if ([one, other].some(isBesideThePoint) || (isServed(one) && isServed(other))) continue
    const saw = `${wide.slice(0, 60)}…: ${one.because}, as many, one in another: ${other.because}`
    verify(operators, { holds: isServed(one) === isServed(other), saw }, one, other)
  }
}

/** The smaller size in bytes is below 900 even when its quotes are escaped. */
const inBytes: Band = { unit: 'bytes', taken: 870, refused: 1_100, filter: ofBytes }
const inOperators: Band = { unit: 'operators', taken: 25, refused: 40, filter: ofOperators }

/** Datasets, each with a text in its records; which there are, and which fields, is not said. */
const datasets: { [dataset: string]: string } = {
  http_requests: 'ClientRequestHost',
  firewall_events: 'ClientRequestMethod',
  page_shield_events: 'Host',
  workers_trace_events: 'ScriptName'
}

/** Both limits hold for every dataset, and on every plan; `size` of filters that are too large. */
async function judgeElsewhere(context: Context & Judge, clauses: readonly string[]) {
  const filters: { [clause: string]: (key: string, isLarge: boolean) => string } = {
    [bytes]: (key, isLarge) => ofValue('a'.repeat(isLarge ? inBytes.refused : 500), key),
    [operators]: (key, isLarge) => {
      const { taken, refused } = inOperators
      return ofOperators(isLarge ? refused : taken, 'outside', key)
    }
  }
  const plans = ['free', 'pro', 'business', 'enterprise']
  const asked = pairwise({ dataset: Object.keys(datasets), plan: plans, clause: clauses }, context)
  for (const [plan, own] of Map.groupBy(asked, ({ plan }) => plan)) {
    await using on = await stage(context, plan)
    for (const { dataset, clause } of own) {
      const filter = (isLarge: boolean) => filters[clause]!(datasets[dataset]!, isLarge)
      const small = await on.offer({ dataset, filter: filter(false), output_options: undefined })
      if (!isServed(small)) continue
      const large = await on.offer({ dataset, filter: filter(true), output_options: undefined })
      if (isBesideThePoint(large)) continue
      const saw = `${dataset} on ${plan}: ${small.because}, larger ${large.because}`
      context.verify(clause, { holds: isRefused(large), saw }, small, large)
    }
  }
}

/** What a refusal lacks of an error in the envelope; '' when it is one. */
function lackOf({ json }: Reply): string {
  if (json?.success !== false) return `success is ${quoted(json?.success)}`
  const isError = Array.isArray(json.errors) && json.errors.some(isItem)
  return isError ? '' : `errors is ${quoted(json.errors)}`
}

export default check({
  title: 'A filter of about 30 operators or 1000 bytes is taken, and a larger one is an error',
  clauses: [bytes, operators, error],
  needs: ['management', 'zone', 'destination'],
  async run(context) {
    await using on = await stage(context)
    const { verify, observe } = context
    const ask: Ask = (filter) => on.offer({ filter })
    // Filters that are refused at any size are the matter of other clauses.
    const least = await ask(ofOperators(2))
    if (!isServed(least)) return
    const wide = await ask(ofBytes(inBytes.refused + 100, '€'))
    const lines = [
      { clause: bytes, line: await lineIn(inBytes, ask) },
      { clause: operators, line: await lineIn(inOperators, ask) }
    ]
    if ([wide, ...lines.map(({ line }) => line.large)].some(isBesideThePoint)) return
    for (const { clause, line } of lines) {
      // Who counts comparisons only has no limit that a filter of 1000 bytes comes to.
      if (clause === operators && isServed(line.small) && isServed(line.large))
        observe(clause, line.saw, least, line.small, line.large)
      else verify(clause, line, least, line.small, line.large)
    }
    // However they are counted, as many of each kind are as many wherever they stand.
    for (const place of ['in its last part', 'in each part'] as const) {
      const [small, large] = [
        await ask(ofOperators(inOperators.taken, place)),
        await ask(ofOperators(inOperators.refused, place))
      ]
      const { line } = lines[1]!
      if ([small, large].some(isBesideThePoint)) continue
      const holds =
        isServed(small) === isServed(line.small) && isServed(large) === isServed(line.large)
      const fates = `${inOperators.taken} ${small.because}, ${inOperators.refused} ${large.because}`
      const saw = `operators ${place}: ${fates}`
      if (!holds || isRefused(large)) verify(operators, { holds, saw }, small, large)
    }
    await judgeWide({ verify }, ask)
    const judged = lines.filter(({ line }) => !isServed(line.large)).map(({ clause }) => clause)
    if (judged.length > 0) await judgeElsewhere(context, judged)
    const saw = `1200 bytes in a third as many characters: ${wide.because}`
    verify(bytes, { holds: isRefused(wide), saw }, least, wide)
    for (const [writing, of] of Object.entries(writings)) {
      // Backslashes may be counted as they are escaped, too, as quotes may.
      const [taken, refused] = [700, inBytes.refused]
      const [small, large] = [await ask(of(taken)), await ask(of(refused))]
      if ([small, large].some(isBesideThePoint)) continue
      const saw = `${writing}: ${taken} ${small.because}, ${refused} ${large.because}`
      verify(bytes, { holds: isServed(small) && isRefused(large), saw }, small, large)
    }
    for (const { large } of lines.map(({ line }) => line)) {
      if (!isRefused(large)) continue
      const lack = lackOf(large)
      const saw = lack === '' ? `${large.because}, an error` : `${large.because}, ${lack}`
      verify(error, { holds: lack === '', saw }, large)
    }
  }
})
