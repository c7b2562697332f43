import type { CountedReading } from '../../limit/reading.ts'
import { grouped } from '../../report/quantity.ts'

const binary: [unit: string, bytes: number][] = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10]
]

/** A number as whoever chose it would write it: `16 KiB`, `1,000`. */
function chosen(number: number): string {
  const [unit, factor] = binary.find(([, bytes]) => number % bytes === 0) ?? []
  return unit === undefined ? grouped(number) : `${number / factor!} ${unit}`
}

/** A reading in words: `the whole head, less than 16 KiB`. */
export function readingText({ what, number, isBelow }: CountedReading): string {
  return `${what}, ${isBelow ? 'less than' : 'up to'} ${chosen(number)}`
}
