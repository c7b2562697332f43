/** What an entry is about; without a scenario it is about a clause wherever it is judged. */
export type Subject = { clause: string; scenario?: string }

/** Things by what they are about, found without going through all of them. */
export type SubjectIndex<Thing extends Subject> = {
  /** Those of exactly this clause and scenario. */
  of: (clause: string, scenario?: string) => readonly Thing[]
  /** Those that an entry is about. */
  about: (entry: Subject) => readonly Thing[]
}

type Places<Thing> = { all: Thing[]; byScenario: Map<string | undefined, Thing[]> }

/** Makes an index; a run may have as many verdicts as its file has entries, and both be many. */
export function indexed<Thing extends Subject>(things: readonly Thing[]): SubjectIndex<Thing> {
  const byClause = new Map<string, Places<Thing>>()
  for (const thing of things) {
    const { clause, scenario } = thing
    const places: Places<Thing> = byClause.get(clause) ?? { all: [], byScenario: new Map() }
    const those = places.byScenario.get(scenario) ?? []
    places.all.push(thing)
    those.push(thing)
    places.byScenario.set(scenario, those)
    byClause.set(clause, places)
  }
  const of = (clause: string, scenario?: string) =>
    byClause.get(clause)?.byScenario.get(scenario) ?? []
  return {
    of,
    about: ({ clause, scenario }) =>
      scenario === undefined ? (byClause.get(clause)?.all ?? []) : of(clause, scenario)
  }
}
