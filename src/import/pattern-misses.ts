import { innerTexts, type MadeLetter, textsMiscounted } from './pattern-ends.ts'

/** As many texts are asked about that miss a pattern by one letter. */
const mostMisses = 16
/** Of them as many that have one part once too seldom, or too often. */
const mostCounted = 6

const isWord = (letter: string) => /^[A-Za-z0-9]$/.test(letter)

/** A letter in its other case, where it has one. */
function otherCase(letter: string): string[] {
  const all = [letter.toLowerCase(), letter.toUpperCase()]
  return all.filter((one) => one !== letter && [...one].length === 1)
}

/** The letters just beyond the ends of a set: 3 of `[0-2]`. */
const beyondEnds = (ends: readonly string[]) =>
  ends
    .flatMap((end) => [1, -1].map((by) => String.fromCodePoint(end.codePointAt(0)! + by)))
    .filter(isWord)

/**
 * What a letter is replaced by: one just beyond its set, itself in the other case, one that another
 * part of the pattern takes. What stands for itself alone is only written in the other case.
 */
function others({ letter, part }: MadeLetter, all: readonly MadeLetter[]): string[][] {
  if (part.ends.length === 0) return [otherCase(letter)]
  const foreign = all.filter((one) => one.part !== part && isWord(one.letter))
  return [
    beyondEnds(part.ends),
    otherCase(letter),
    [...foreign.flatMap((one) => [...one.part.ends, one.letter]).filter(isWord), '0', 'a', 'X']
  ]
}

/**
 * Texts that miss a pattern by one thing each: for each part of it, in some of its alternatives,
 * one of its letters is one that it does not take, or it comes once too seldom or too often; and
 * one that matches stands on a line beside another.
 */
export function missesOf(pattern: string, isMiss: (text: string) => boolean): string[] {
  const rounds: string[][] = [[], [], []]
  const seen = new Set<MadeLetter['part']>()
  let isLiteral = false
  for (const letters of innerTexts(pattern)) {
    const words = letters.map(({ letter }) => letter)
    for (const [index, one] of letters.entries()) {
      // Who takes one letter in either case takes all of them so.
      const isCased = one.part.ends.length === 0 && isWord(one.letter)
      if (seen.has(one.part) || (isCased && isLiteral)) continue
      seen.add(one.part)
      isLiteral ||= isCased
      for (const [round, candidates] of others(one, letters).entries()) {
        const texts = candidates.map((letter) => words.with(index, letter).join(''))
        const found = texts.find((text) => !rounds.flat().includes(text) && isMiss(text))
        if (found !== undefined) rounds[round]!.push(found)
      }
    }
  }
  const [first = []] = innerTexts(pattern)
  const line = first.map(({ letter }) => letter).join('')
  // Of many a `.` nobody meant that there be no line break.
  const isOfLines = isMiss(`${line}\n!`) && isMiss(`${line}x!`)
  const counted = textsMiscounted(pattern).filter(isMiss).slice(0, mostCounted)
  const all = [...counted, ...rounds.flat()].slice(0, mostMisses)
  return [...(isOfLines ? [`${line}\n!`] : []), ...all]
}
