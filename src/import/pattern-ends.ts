import { type PatternPart, partsOf } from './pattern-parts.ts'

/** Longer texts are not made up. */
const mostMade = 4_000
/** What takes more steps is given up: what takes no letter may come a million times. */
const mostSteps = 40_000
/** Longer patterns are not taken apart. */
const longestPattern = 500
/** Beyond as many of one part in a row its letters are all alike. */
const mostVaried = 40
/** Of more alternatives only the first are asked about. */
const mostChoices = 6
/** As many texts are asked about. */
const mostTexts = 12

/** How a text is made of a pattern. */
type Way = {
  /** How often a part comes: `few` is once where it may be missing. */
  times: 'inner' | 'least' | 'few' | 'most'
  /** From which of the letters at ends on; undefined for letters in between. */
  letters?: number
  /** Which alternative. */
  choice: number
  /** The one part that this is about, where the others are as they are in between. */
  only?: PatternPart
  /** How often that part comes, whatever it may. */
  count?: number
}

/** A letter of a text, and the part of a pattern that it was made of. */
export type MadeLetter = { letter: string; part: PatternPart & { kind: 'letter' } }

/** A text by its letters, and what it has that is at an end of what may be. */
type Made = { text: string; letters: MadeLetter[]; has: Set<string> }

/** How often a part comes that may come so often, at neither end where there is room. */
function inner(least: number, most: number, isLetter: boolean): number {
  const [low, high] = [least < most ? least + 1 : least, least < most - 1 ? most - 1 : most]
  return Math.max(low, Math.min(high, isLetter ? 5 : low))
}

const hasMost = (most: number) => Number.isFinite(most)

function timesOf(part: PatternPart & { kind: 'times' }, { times, only, count }: Way): number {
  const { least, most } = part
  if (only === part && count !== undefined) return count
  const own = only === undefined || only === part ? times : 'inner'
  if (own === 'least') return least
  if (own === 'few') return Math.max(least, Math.min(1, most))
  if (own === 'most' && hasMost(most)) return most
  return inner(least, most, part.part.kind === 'letter')
}

/** A text of a pattern, made in a way; undefined where it would be too long. */
function made(whole: PatternPart, way: Way, ids: Map<PatternPart, number>): Made | undefined {
  const has = new Set<string>()
  const seen = new Map<PatternPart, number>()
  const idOf = (part: PatternPart) => ids.get(part) ?? ids.set(part, ids.size).get(part)!
  const letters: MadeLetter[] = []
  let steps = 0
  const isOver = () => letters.length > mostMade || steps > mostSteps
  const put = (letter: string, part: MadeLetter['part']) => {
    letters.push({ letter, part })
    return letter
  }
  const write = (part: PatternPart): string => {
    steps++
    if (isOver()) return ''
    if (part.kind === 'row') return part.parts.map(write).join('')
    if (part.kind === 'choice') {
      const nth = way.choice % Math.min(part.parts.length, mostChoices)
      has.add(`${idOf(part)} is ${nth}`)
      return write(part.parts[nth]!)
    }
    if (part.kind === 'times') {
      const count = timesOf(part, way)
      const { least, most } = part
      if ([least, most, Math.max(1, least)].includes(count)) has.add(`${idOf(part)} times ${count}`)
      let text = ''
      for (let n = 0; n < count && !isOver(); n++) text += write(part.part)
      return text
    }
    const nth = seen.get(part) ?? 0
    seen.set(part, nth + 1)
    const { ends, inner } = part
    const isOwn = way.only === undefined || way.only === part
    if (way.letters === undefined || ends.length === 0 || !isOwn || nth >= mostVaried) {
      return put(inner[nth % inner.length]!, part)
    }
    const letter = ends[(way.letters + nth) % ends.length]!
    has.add(`${idOf(part)} is ${letter}`)
    return put(letter, part)
  }
  const text = write(whole)
  return isOver() ? undefined : { text, letters, has }
}

/** All parts of a pattern that something can be more or less of. */
function partsIn(part: PatternPart): PatternPart[] {
  if (part.kind === 'times') return [part, ...partsIn(part.part)]
  if (part.kind === 'letter') return part.ends.length > 1 ? [part] : []
  return part.parts.flatMap(partsIn)
}

function choicesIn(part: PatternPart): number {
  if (part.kind === 'letter') return 1
  if (part.kind === 'times') return choicesIn(part.part)
  const own = part.kind === 'choice' ? part.parts.length : 1
  return Math.min(mostChoices, Math.max(own, ...part.parts.map(choicesIn)))
}

const ways = ['least', 'few', 'most'] as const

/** Ways that have as much at its end as can be, and then each thing alone. */
function* waysOf(whole: PatternPart): Generator<Way> {
  const choices = Array.from({ length: choicesIn(whole) }, (_, choice) => choice)
  let letters = 0
  for (const choice of choices)
    for (const times of ways) yield { times, letters: letters++, choice }
  for (const choice of choices) {
    for (let from = 0; from < 8; from++) yield { times: 'inner', letters: from, choice }
  }
  for (const choice of choices) {
    yield { times: 'inner', choice }
    for (const only of partsIn(whole)) {
      if (only.kind === 'times') for (const times of ways) yield { times, choice, only }
      else
        for (let from = 0; from < 8; from++) yield { times: 'inner', letters: from, choice, only }
    }
  }
}

/** Each pattern is taken apart once, though many a document says it in a hundred places. */
const known = new Map<string, PatternPart | undefined>()

function wholeOf(pattern: string): PatternPart | undefined {
  if (pattern.length > longestPattern) return
  if (!known.has(pattern)) known.set(pattern, partsOf(pattern))
  return known.get(pattern)
}

const between: Way = { times: 'inner', choice: 0 }

/** A text that may match a pattern, and is at no end of what does where there is room. */
export function innerText(pattern: string): string | undefined {
  const whole = wholeOf(pattern)
  return whole && made(whole, between, new Map())?.text
}

/** The same of some of its alternatives, by their letters. */
export function innerTexts(pattern: string): MadeLetter[][] {
  const whole = wholeOf(pattern)
  const choices = whole === undefined ? 0 : choicesIn(whole)
  return Array.from({ length: choices }, (_, choice) => {
    return made(whole!, { ...between, choice }, new Map())?.letters ?? []
  })
}

/** Texts in each of which one part of a pattern comes once too seldom, or once too often. */
export function textsMiscounted(pattern: string): string[] {
  const whole = wholeOf(pattern)
  const counted = whole === undefined ? [] : partsIn(whole).filter(({ kind }) => kind === 'times')
  return counted.flatMap((only) => {
    const { least, most } = only as PatternPart & { kind: 'times' }
    const counts = [least - 1, most + 1].filter((count) => count >= 0 && Number.isFinite(count))
    const texts = counts.map((count) => made(whole!, { ...between, only, count }, new Map())?.text)
    // Many a service takes spaces away, and what is empty for nothing.
    return texts.filter((text): text is string => !!text && text === text.trim())
  })
}

/**
 * Texts at the ends of what a pattern takes that `fits`: the fewest and the most of each part that
 * is counted, the letters at the ends of each range, each of some alternatives. As few texts as
 * show all of it; none is asked about only for what one before it, or `like`, has.
 */
export function textsAtEnds(pattern: string, fits: (text: string) => boolean): string[] {
  const whole = wholeOf(pattern)
  if (whole === undefined) return []
  const ids = new Map<PatternPart, number>()
  const shown = new Set(made(whole, between, ids)?.has)
  const texts: string[] = []
  for (const way of waysOf(whole)) {
    if (texts.length >= mostTexts) break
    const found = made(whole, way, ids)
    if (found === undefined || [...found.has].every((one) => shown.has(one))) continue
    if (texts.includes(found.text) || !fits(found.text)) continue
    for (const one of found.has) shown.add(one)
    texts.push(found.text)
  }
  return texts
}
