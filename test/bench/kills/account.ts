import type { History, Operation } from './history.ts'
import { isLinearizable, lostWrites } from './linearizable.ts'

/** What became of one kind of state. */
export type Outcome = {
  name: string
  /** Writes, or things to deliver, that were acknowledged. */
  acknowledged: number
  lost: number
  /** Keys whose history cannot have happened. */
  nonLinearizable: number
  /** Operations that failed while nobody had killed the platform. */
  unavailable: number
  /** Something to begin looking with, for each thing that is wrong. */
  examples: string[]
}

/** Everything that clients saw of one kind of state. */
export type Account = {
  name: string
  mayForget?: boolean
  /** Operations by key; of a delivery, none. */
  histories: Map<string, Operation[]>
  /** Names of what was to be delivered, and acknowledged. */
  sent: string[]
  missing: string[]
  failures: string[]
}

/** An account of a kind of which nothing was seen yet. */
export function newAccount(name: string, mayForget?: boolean): Account {
  return { name, mayForget, histories: new Map(), sent: [], missing: [], failures: [] }
}

const isAcknowledged = ({ kind, isOpen }: Operation) => kind === 'write' && !isOpen

/** Judges what was seen. Of what may be forgotten, reads that found nothing are no evidence. */
export function outcomeOf(account: Account): Outcome {
  const { name, mayForget, histories, sent, missing, failures } = account
  const judged = [...histories].map(([key, all]) => {
    const counts = ({ kind, value }: Operation) => kind === 'write' || value !== undefined
    const history: History = mayForget ? all.filter(counts) : all
    return { key, history, lost: lostWrites(history), isRight: isLinearizable(history) }
  })
  const lost = judged.flatMap(({ key, lost }) =>
    lost.map(({ value, from, to }) => `${key} = ${value}, written ${from} to ${to}, is lost`)
  )
  const wrong = judged.filter(({ isRight }) => !isRight)
  return {
    name,
    acknowledged:
      sent.length + judged.flatMap(({ history }) => history.filter(isAcknowledged)).length,
    lost: lost.length + missing.length,
    nonLinearizable: wrong.length,
    unavailable: failures.length,
    examples: [
      ...[...lost, ...missing.map((one) => `${one} has not arrived`), ...failures].slice(0, 5),
      ...wrong.slice(0, 2).map(({ key, history }) => `${key}: ${told(history)}`)
    ]
  }
}

/** The end of a history, as text. */
function told(history: History): string {
  return history
    .slice(-30)
    .map(({ kind, value, from, to, isOpen }) => {
      const about = `${isOpen ? 'open ' : ''}${kind} ${value ?? 'nothing'}`
      return `${about} (${from.toFixed(1)}-${to.toFixed(1)})`
    })
    .join(', ')
}

/** Whether anything at all is wrong. */
export function isWrong({ lost, nonLinearizable, unavailable }: Outcome): boolean {
  return lost + nonLinearizable + unavailable > 0
}

/** Outcomes as a table. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const heads = ['acknowledged', 'lost', 'non-linearizable', 'unavailable']
  const sum = (key: 'acknowledged' | 'lost' | 'nonLinearizable' | 'unavailable') =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const row = (name: string, numbers: readonly number[]) =>
    name.padEnd(18) +
    numbers.map((number, index) => String(number).padStart(heads[index]!.length + 2)).join('')
  return [
    `${'kind'.padEnd(18)}${heads.map((head) => `  ${head}`).join('')}`,
    ...outcomes.map(({ name, acknowledged, lost, nonLinearizable, unavailable }) =>
      row(name, [acknowledged, lost, nonLinearizable, unavailable])
    ),
    row('all', [sum('acknowledged'), sum('lost'), sum('nonLinearizable'), sum('unavailable')])
  ].join('\n')
}
