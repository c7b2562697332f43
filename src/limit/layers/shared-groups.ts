/** How many each replica took in one round, in the order in which they were asked. */
export type AskedRound = readonly { place: number; taken: number }[]

/** What part of its own a replica takes at least that shares with none, and at most that does. */
const [apartPart, sharedPart] = [0.9, 0.1]

/**
 * Which replicas share one count, by rounds in each of which all were asked until they refused: who
 * shares with one that was asked before takes nothing. Each group in the order of places; undefined
 * where some took a part, or nothing though each before it is known to count apart.
 */
export function sharedGroups(
  rounds: readonly AskedRound[],
  levels: readonly number[]
): number[][] | undefined {
  const apart = new Set<string>()
  const nothing: { place: number; before: number[] }[] = []
  for (const round of rounds) {
    for (const [turn, { place, taken }] of round.entries()) {
      const before = round.slice(0, turn).map((one) => one.place)
      if (taken >= apartPart * levels[place]!) {
        for (const other of before) apart.add(pairOf(place, other))
      } else if (taken <= sharedPart * levels[place]! && turn > 0) nothing.push({ place, before })
      else return
    }
  }
  const group = levels.map((_, place) => place)
  for (const { place, before } of nothing) {
    const suspects = before.filter((other) => !apart.has(pairOf(place, other)))
    const [first] = suspects
    if (first === undefined) return
    // Of several that may have used it up, that they are one group is known by other rounds.
    if (suspects.length > 1) continue
    join(group, group[place]!, group[first]!)
  }
  const isWhole = nothing.every(({ place, before }) => {
    return before.some((other) => group[other] === group[place])
  })
  const isApart = levels.every((_, one) => {
    return levels.every(
      (__, other) => group[one] !== group[other] || !apart.has(pairOf(one, other))
    )
  })
  return isWhole && isApart ? placesBy(group) : undefined
}

const pairOf = (one: number, other: number) => [one, other].toSorted((a, b) => a - b).join(' ')

function join(group: number[], one: number, other: number): void {
  for (const [place, own] of group.entries()) if (own === one) group[place] = other
}

function placesBy(group: readonly number[]): number[][] {
  const names = [...new Set(group)]
  return names.map((name) => group.flatMap((own, place) => (own === name ? [place] : [])))
}
