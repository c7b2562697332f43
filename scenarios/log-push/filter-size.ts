import { type Context, check, type Judge, pairwise, type Reply } from 'plimsoll'
import { isBesideThePoint, isItem, isRefused, isServed, quoted } from '../_reply.ts'
import { and, eq, type Filter, or, where } from './_filter.ts'
import { stage } from './_stage.ts'

const bytes = 'logpush.filter.limit.bytes'
const operators = 'logpush.filter.limit.operators'
const error = 'error.logpush-filter-too-large'

/** A size of filters that must be taken, and one that must be refused; "about" lies between. */
type Band = { unit: string; taken: number; refused: number; filter: (size: number) => string }

const field = 'ClientRequestPath'
const short = 'RayID'
const ofValue = (value: string, key = field) => where(and(eq(key, value)))
const shortest = ofValue('')

/** A filter of so many bytes of UTF-8, or hardly fewer, most of them in one character repeated. */
function ofBytes(size: number, letter = 'a'): string {
  const left = size - shortest.length
  return ofValue(letter.repeat(Math.floor(left / Buffer.byteLength(letter))))
}

/** A part of a filter in so many `and`s or `or`s, each around the one before it. */
function within(part: Filter, depth: number): Filter {
  return Array.from({ length: depth }).reduce(
    (inner: Filter, _, at) => (at % 2 ? or(inner) : and(inner)),
    part
  )
}

/** Where in a filter those stand: around all of it, around one part of it, or shared out. */
const places = {
  outside: (parts: Filter[], depth: number) => within(and(...parts), depth),
  'in its last part': (parts: Filter[], depth: number) =>
    and(...parts.slice(1), within(parts[0]!, depth)),
  'in each part': (parts: Filter[], depth: number) =>
    or(...parts.map((part, at) => within(part, Math.ceil((depth - at) / parts.length))))
}

/**
 * A filter of so many operators: comparisons, and an `and` or `or` for each other one. Both kinds
 * are there, so that neither counts for none or for two.
 */
function ofOperators(size: number, place: keyof typeof places = 'outside', key = field): string {
  const comparisons = Math.min(8, size - 1)
  const parts = Array.from({ length: comparisons }, () => eq(key, '/'))
  return where(places[place](parts, size - comparisons - 1))
}

/** How many words are around each comparison of a filter that is as wide as it can be. */
const depths = [1, 2, 4, 9]

/** Bytes of a filter that is well below the limit of those, of which it has nothing to tell. */
const wideBytes = 870

/**
 * A filter with so many words around each comparison, and one of the same words and comparisons
 * with all of the words around all of them: they have as many of each kind, and as many bytes.
 */
function alike(depth: number, key: string): [wide: string, deep: string] {
  const one = eq(key, '')
  const around = (part: Filter, words: number) =>
    Array.from({ length: words }).reduce((inner: Filter) => and(inner), part)
  const room = wideBytes - where(and()).length
  const count = Math.floor(room / (JSON.stringify(around(one, depth)).length + 1))
  const parts = Array.from({ length: count }, () => one)
  const wide = and(...parts.map((part) => around(part, depth)))
  return [where(wide), where(around(and(...parts), count * depth))]
}

/** As many operators are as many, however wide and however deep the filter is that has them. */
async function judgeWide({ verify }: Pick<Judge, 'verify'>, ask: Ask) {
  // The shorter its field is, the more comparisons there are in a filter.
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

/** As many bytes in other writings of JSON: what means nothing is part of a filter as well. */
const writings: { [writing: string]: (size: number) => string } = {
  'blanks between its tokens': (size) =>
    shortest.replace('{"and"', (token) => ' '.repeat(size - shortest.length) + token),
  'letters that are escaped': (size) => {
    const letters = Math.floor((size - shortest.length) / 6)
    return shortest.replace('"value":"', (token) => token + '\\u0061'.repeat(letters))
  }
}

type Ask = (filter: string) => Promise<Reply>

/** Where within a band a target draws the line; the replies are those at the band's ends. */
async function lineIn({ unit, taken, refused, filter }: Band, ask: Ask) {
  const small = await ask(filter(taken))
  const large = await ask(filter(refused))
  let [below, above] = [taken, refused]
  while (isServed(small) && isRefused(large) && above - below > 1) {
    const middle = Math.floor((below + above) / 2)
    if (isServed(await ask(filter(middle)))) below = middle
    else above = middle
  }
  const fate = (reply: Reply) => (isServed(reply) ? 'taken' : `refused (${reply.because})`)
  const saw = `${below} ${unit} ${fate(small)}, ${above} ${unit} ${fate(large)}`
  return { small, large, holds: isServed(small) && isRefused(large), saw }
}

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
