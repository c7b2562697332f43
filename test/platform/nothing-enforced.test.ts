import { expect, test } from 'vitest'
import { limits } from '../../src/platform/limits.ts'
import { brokenBy, mutants } from '../../src/platform/mutants.ts'

/** Numbers by which the platform paces or keeps its own work: nobody is refused for them. */
const own: Record<string, string> = {
  perPage: 'a size that is given where none was asked for',
  reportsUntilActive: 'how often something is met before it is called active',
  'gateway.batchLanes': 'how many calls are asked at once; all of them are asked',
  'gateway.node.inFlight': 'the same, of a node',
  'gateway.node.answerMs': 'a node that answers nothing has to be given up',
  'gateway.node.answerBytes': 'a node’s answer is kept in memory',
  'functions.abuse.windowMs': 'over how long a number is counted that is infinite',
  'functions.cacheBytes': 'the room there is; the longest unused makes place',
  'functions.attempts.queue': 'how often something is tried again',
  'functions.attempts.alarm': 'the same',
  'functions.batchMessages': 'how many messages come together; all of them come',
  'functions.keptInvocations': 'how far back can be read',
  'logpush.batchRecords': 'how many records come together; all of them come',
  'logpush.batchBytes': 'the same',
  'logpush.intervalSeconds.usual': 'how long records wait for more',
  'logpush.intervalSeconds.most': 'the same',
  'logpush.deliveryMs': 'a destination that answers nothing has to be given up',
  'logpush.retryMs.first': 'how long until something is tried again',
  'logpush.retryMs.most': 'the same',
  'logpush.spoolBytes': 'the room there is for what was not delivered'
}

/** Every number in a value, by its path. */
function numbersIn(value: object, path = ''): [path: string, number: unknown][] {
  return Object.entries(value).flatMap(([name, part]) =>
    typeof part === 'object' ? numbersIn(part, `${path}${name}.`) : [[path + name, part]]
  )
}

test('every number of the platform is off, but for those of its own work', () => {
  const off = new Map(numbersIn(brokenBy('nothing-enforced').limits))
  const left = numbersIn(limits)
    .map(([path]) => path)
    .filter((path) => ![Infinity, undefined].includes(off.get(path) as number))
  expect(left.sort()).toEqual(Object.keys(own).sort())
})

test('it is no mutant: it breaks many clauses at once', () => {
  expect(mutants.map(({ name }) => name)).not.toContain('nothing-enforced')
  expect(() => brokenBy('nothing-enforce')).toThrow(/nearest are .*nothing-enforced/)
})
