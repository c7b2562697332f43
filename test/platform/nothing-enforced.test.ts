import { expect, test } from 'vitest'
import { brokenBy, listMutants } from '../../src/platform/mutants.ts'
import { type Rules, rules } from '../../src/platform/parts.ts'

/** Numbers by which the platform paces or keeps its own work: nobody is refused for them. */
const own: Record<string, string> = {
  'pageProtection.perPage': 'a size that is given where none was asked for',
  'pageProtection.reportsUntilActive': 'how often something is met before it is called active',
  'gateway.batchLanes': 'how many calls are asked at once; all of them are asked',
  'gateway.node.inFlight': 'the same, of a node',
  'gateway.node.answerMs': 'a node that answers nothing has to be given up',
  'gateway.node.answerBytes': 'a node’s answer is kept in memory',
  'functions.abuse.windowMs': 'over how long a number is counted that is infinite',
  'edge.cacheBytes': 'the room there is; the longest unused makes place',
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

/** The limits of each part by its name. */
function limitsOf(all: Rules): object {
  const limited = Object.entries(all).map(([name, own]) => [
    name,
    'limits' in own ? own.limits : {}
  ])
  return Object.fromEntries(limited)
}

/** Every number in a value, by its path. */
function numbersIn(value: object, path = ''): [path: string, number: unknown][] {
  return Object.entries(value).flatMap(([name, part]) =>
    typeof part === 'object' ? numbersIn(part, `${path}${name}.`) : [[path + name, part]]
  )
}

test('every number of the platform is off, but for those of its own work', async () => {
  const off = new Map(numbersIn(limitsOf(await brokenBy('nothing-enforced'))))
  const left = numbersIn(limitsOf(rules))
    .map(([path]) => path)
    .filter((path) => ![Infinity, undefined].includes(off.get(path) as number))
  expect(left.sort()).toEqual(Object.keys(own).sort())
})

test('it is no mutant: it breaks many clauses at once', async () => {
  expect((await listMutants()).map(({ name }) => name)).not.toContain('nothing-enforced')
  await expect(brokenBy('nothing-enforce')).rejects.toThrow(/nearest are .*nothing-enforced/)
})
