// What `plimsoll init FILE` writes, against servers made from the same file: all has to hold of
// each. Then each constraint is moved by one unit, and exactly its clause has to fail. Operations
// share nothing, so one constraint of each is moved at a time. Prints what is not so; exit 1 where
// a clause falls that should not, or stands that should not.
//
//   npm run sweep:openapi [-- FLAGS]
//
//   --clauses WORDS  only moves of clauses in whose id one of these words is, with commas
//   --document NAME  one of those in test/openapi/documents; all of them by default
//   --make NAME      fastify, express or plain; all of them by default
//   --rounds N       at most so many rounds of each
//   --skip N         begin after so many rounds, as those of standard error are counted
//   --honest         only servers that are as the file says
import {
  askedHonest,
  askedRound,
  imported,
  isClosed,
  isExact,
  type Result,
  roundsOf
} from '../openapi/imported.ts'
import { documents, type Make, makes } from '../openapi/served.ts'
import { flagsOf } from '../usage.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    clauses: { type: 'string', default: '' },
    document: { type: 'string' },
    make: { type: 'string' },
    rounds: { type: 'string', default: 'Infinity' },
    skip: { type: 'string', default: '0' },
    honest: { type: 'boolean', default: false }
  }
})
const tell = (text: string) => process.stdout.write(`${text}\n`)
const words = values.clauses.split(',')
const [skip, most] = [Number(values.skip), Number(values.rounds)]

function tellResult({ clause, move, outcome, fell }: Result): void {
  tell(
    `  ${clause.id}: ${move.how}: ${outcome}${fell.length > 0 ? `, and ${fell.join(', ')}` : ''}`
  )
}

async function sweep(name: string, make: Make): Promise<boolean> {
  using those = await imported(name)
  const isWanted = ({ id }: { id: string }) => words.some((word) => id.includes(word))
  // The name of an operation is that of its folder.
  const ids = [...new Set(those.clauses.filter(isWanted).map(({ id }) => id.split('.')[0]!))]
  const honest = await askedHonest(those, make, ids)
  const counts = Object.entries(Object.groupBy(honest.values(), ({ outcome }) => outcome))
  const told = counts.map(([outcome, all]) => `${all!.length} ${outcome}`).join(' · ')
  tell(`${name} by ${make}: ${those.clauses.length} clauses, ${told}`)
  for (const [clause, { outcome, because }] of honest) {
    if (outcome !== 'pass') tell(`  ${clause}: ${outcome}: ${because}`)
  }
  const isGreen = ![...honest.values()].some(({ outcome }) => /fail|warning|error/.test(outcome))
  if (values.honest) return isGreen
  const { rounds, unmoved } = roundsOf(
    those,
    (one) => honest.get(one.id)?.outcome === 'pass' && isWanted(one)
  )
  for (const { id } of unmoved) tell(`  ${id}: nothing is moved`)
  const results: Result[] = []
  let closed = 0
  for (const [index, round] of rounds.slice(skip, skip + most).entries()) {
    const found = await askedRound(those, { make, round, honest, ids })
    found.filter((one) => !isExact(one)).forEach(tellResult)
    results.push(...found.filter((one) => !isClosed(those, one)))
    closed += found.filter((one) => isClosed(those, one)).length
    const soFar = `${results.filter(isExact).length} of ${results.length} moves, ${closed} closed`
    process.stderr.write(`  round ${skip + index} of ${rounds.length}: ${soFar} so far\n`)
  }
  const exact = results.filter(isExact).length
  const clauses = new Set(results.map(({ clause }) => clause.id)).size
  tell(
    `  ${exact} of ${results.length} moves of ${clauses} clauses are seen, each by its clause alone`
  )
  if (closed > 0) tell(`  ${closed} more leave no request that is taken, and are blocked`)
  return isGreen && exact === results.length
}

let isRight = true
for (const name of documents.filter((one) => one === (values.document ?? one))) {
  for (const make of makes.filter((one) => one === (values.make ?? one))) {
    isRight = (await sweep(name, make)) && isRight
  }
}
process.exitCode = isRight ? 0 : 1
