/** A sample: so many were taken of so many, at a rate that each is taken with. */
export type Sample = { taken: number; of: number; rate: number }

/** How likely no more are taken than were. */
function atMost({ taken, of, rate }: Sample): number {
  let log = of * Math.log(1 - rate)
  let sum = 0
  for (let count = 0; count <= taken; count++) {
    sum += Math.exp(log)
    log += Math.log(((of - count) * rate) / ((count + 1) * (1 - rate)))
  }
  return sum
}

/**
 * Whether a sample is one of those with the fewest or the most taken that come so seldom on either
 * side where each record is drawn by itself. Where every so many-th is taken, none ever is.
 */
export function isSeldom({ taken, of, rate }: Sample, chance: number): boolean {
  if (rate === 1) return taken !== of
  return (
    Math.min(atMost({ taken, of, rate }), atMost({ taken: of - taken, of, rate: 1 - rate })) <
    chance
  )
}
