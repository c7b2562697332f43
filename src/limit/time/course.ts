import { renderHead } from '../../client/raw-request.ts'
import type { Address } from '../../target/address.ts'
import type { Ordinary } from '../dimension.ts'

/** What a target's clock may start at. */
export type ClockStart = 'connection' | 'first byte' | 'head' | 'last byte' | 'answer'

/** Limits on how long a connection may keep a target waiting, or be kept waiting. */
export const waitNames = ['idle', 'header-time', 'body-time', 'response-time'] as const

/** One of these limits. */
export type WaitName = (typeof waitNames)[number]

/** Bytes that are said so many ms after a connection was made, and what they begin. */
export type Step = { atMs: number; bytes: Buffer; starts: readonly ClockStart[] }

/** What is said on one connection, and when, to see how long a target goes along with it. */
export type Course = {
  /** In which way the target is kept waiting; each has a limit of its own. */
  variant: string
  steps: readonly Step[]
  /** Answers that come as usual; whatever comes after them is the end. */
  answers: number
  /** What has to have begun before an end says anything of this limit. */
  requires?: ClockStart
  /** What the clock of this limit may start at, the likelier first. */
  starts: readonly ClockStart[]
}

/**
 * How much later the same is said, in ms, so that it shows what the clock starts at: for timeouts
 * of less than a second, and for longer ones. Below 300 ms nginx would not start a clock again.
 */
const laterMs = [450, 1_300] as const

/** The way in which one byte after another comes. */
export const dripped = 'a byte at a time'

/** How often a byte comes where one comes at a time, in ms. */
export const dripMs = 600

const byte = Buffer.from('a')
const announcedBytes = 65_536

/** A request that asks for the connection to stay. */
export function keptRequest(ordinary: Ordinary, address: Address): Buffer {
  return renderHead(ordinary, address, { connection: 'keep-alive' })
}

/** One byte after another, the first so many ms after `fromMs`. */
type Drip = (fromMs: number) => Step[]

function dripFor(upToMs: number, firstMs: number): Drip {
  return (fromMs) => {
    const count = Math.min(announcedBytes - 1, Math.ceil((upToMs - fromMs) / dripMs))
    return Array.from({ length: count }, (_, index) => {
      return { atMs: fromMs + firstMs + index * dripMs, bytes: byte, starts: ['last byte'] }
    })
  }
}

/** How one limit is asked about. */
export type CoursesAsked = {
  ordinary: Ordinary
  address: Address
  upToMs: number
  /** After how many ms the first byte comes of those that come one at a time. */
  dripAfterMs?: number
}

/** All that is said to find out about one limit, none of it for longer than `upToMs`. */
export function coursesOf(
  name: WaitName,
  { ordinary, address, upToMs, dripAfterMs = dripMs }: CoursesAsked
): Course[] {
  const drip = dripFor(upToMs, dripAfterMs)
  const whole = keptRequest(ordinary, address)
  if (name === 'idle') return idleCourses(whole)
  if (name === 'response-time') return responseCourses(whole)
  if (name === 'header-time') return headerCourses(whole, drip)
  return bodyCourses(filledHead(ordinary, address, announcedBytes), drip)
}

/**
 * The head of a request with so many bytes of a body, which asks for the connection to stay: who is
 * to close it need not wait for a body that nobody reads (Go).
 */
function filledHead(ordinary: Ordinary, address: Address, bytes: number): Buffer {
  const method = ['GET', 'HEAD'].includes(ordinary.method) ? 'POST' : ordinary.method
  const question = { ...ordinary, method, body: { bytes, framing: 'length' as const } }
  return renderHead(question, address, { connection: 'keep-alive' })
}

/** A request with one byte of a body, which comes with its head. */
export function wholeCourse(ordinary: Ordinary, address: Address): Course {
  const bytes = Buffer.concat([filledHead(ordinary, address, 1), byte])
  const step: Step = { atMs: 0, bytes, starts: ['head'] }
  return { variant: 'whole', steps: [step], answers: 0, starts: ['head'] }
}

function idleCourses(whole: Buffer): Course[] {
  const ask = (atMs: number): Step => {
    return { atMs, bytes: whole, starts: ['first byte', 'last byte'] }
  }
  const common = { variant: 'then silence', starts: ['answer', 'connection'] as const }
  return [
    { ...common, steps: [ask(0)], answers: 1 },
    ...laterMs.flatMap((later): Course[] => [
      { ...common, steps: [ask(later)], answers: 1 },
      { ...common, steps: [ask(0), ask(later)], answers: 2 }
    ])
  ]
}

function responseCourses(whole: Buffer): Course[] {
  const starts = ['last byte', 'first byte', 'connection'] as const
  const common = { variant: 'then silence', answers: 0, requires: 'head' as const, starts }
  return [0, ...laterMs].flatMap((later): Course[] => {
    const all: Step = {
      atMs: later,
      bytes: whole,
      starts: ['first byte', 'head', 'last byte']
    }
    const first: Step = { atMs: 0, bytes: whole.subarray(0, -1), starts: ['first byte'] }
    const last: Step = { atMs: later, bytes: whole.subarray(-1), starts: ['head', 'last byte'] }
    return [
      { ...common, steps: [all] },
      { ...common, steps: [first, last] }
    ]
  })
}

function headerCourses(whole: Buffer, drip: Drip): Course[] {
  const begun = Buffer.concat([whole.subarray(0, -2), Buffer.from('x-plimsoll: a')])
  const begin = (atMs: number): Step => {
    return { atMs, bytes: begun, starts: ['first byte', 'last byte'] }
  }
  const more = (atMs: number): Step => ({ atMs, bytes: byte, starts: ['last byte'] })
  const asked = { answers: 0, requires: 'first byte' as const }
  const starts = ['first byte', 'connection', 'last byte'] as const
  const silent = { ...asked, variant: 'begun, then silence', starts }
  const slow = { ...asked, variant: dripped, starts: starts.slice(0, 2) }
  return [
    { variant: 'nothing sent', steps: [], answers: 0, starts: ['connection'] },
    { ...silent, steps: [begin(0)] },
    ...laterMs.flatMap((later): Course[] => [
      { ...silent, steps: [begin(later)] },
      { ...silent, steps: [begin(0), more(later)] }
    ]),
    ...[0, laterMs[1]].map((later): Course => {
      return { ...slow, steps: [begin(later), ...drip(later)] }
    })
  ]
}

function bodyCourses(head: Buffer, drip: Drip): Course[] {
  const all = Buffer.concat([head, byte])
  const begin = (atMs: number): Step => {
    return { atMs, bytes: all, starts: ['first byte', 'head', 'last byte'] }
  }
  const more = (atMs: number): Step => ({ atMs, bytes: byte, starts: ['last byte'] })
  const first: Step = { atMs: 0, bytes: head.subarray(0, -2), starts: ['first byte'] }
  const rest = (atMs: number): Step => {
    return { atMs, bytes: all.subarray(head.length - 2), starts: ['head', 'last byte'] }
  }
  const asked = { answers: 0, requires: 'head' as const }
  const starts = ['last byte', 'head', 'first byte', 'connection'] as const
  const silent = { ...asked, variant: 'begun, then silence', starts }
  const slow = { ...asked, variant: dripped, starts: starts.slice(1) }
  return [
    { ...silent, steps: [begin(0)] },
    ...laterMs.flatMap((later): Course[] => [
      { ...silent, steps: [begin(later)] },
      { ...silent, steps: [first, rest(later)] },
      { ...silent, steps: [begin(0), more(later)] }
    ]),
    { ...slow, steps: [begin(0), ...drip(0)] },
    { ...slow, steps: [begin(laterMs[1]), ...drip(laterMs[1])] },
    { ...slow, steps: [first, rest(laterMs[1]), ...drip(laterMs[1])] }
  ]
}
