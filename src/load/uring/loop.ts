import { Socket } from 'node:net'
import { cancelAll, submit, wake } from './orders.ts'
import {
  enter,
  hasReports,
  isOverfull,
  type OnReport,
  signalReports,
  takeReports
} from './reports.ts'
import { closeRing, openRing, type Ring } from './ring.ts'
import { testRing } from './self-test.ts'
import {
  ignoredTag,
  isOrdered,
  onStreamReport,
  release,
  type Streams,
  sendBehind
} from './streams.ts'
import type { System } from './system.ts'
import { setThreadRing, type ThreadRing, threadRing } from './thread-ring.ts'

/** So long this thread waits in the ring for more to come, before it waits in its loop. */
const warmMs = 0.2

/** After so long the loop has a turn, for timers, messages and sockets. */
const stretchMs = 1

/** After so many reports what they made room for is sent, that it is not sent much later. */
const reportsAtOnce = 16

/** So long those that are closed wait for the kernel to let go of everything. */
const closingMs = 1_000

const wakeTag = -2

/** What turns a ring within the event loop of a thread. */
export type RingLoop = Streams & {
  system: System
  /** Told by the kernel that there are reports, while nobody waits in the ring. */
  watcher: Socket
  /** Called when all that has arrived is worked off. */
  workedOff: Set<() => void>
  /** Counts the moments that what arrives, and what is sent in reply, count as. */
  moment: number
  taken: number
  /** Whether a turn is on its way, and until when they follow each other without the loop. */
  isWarm: boolean
  until: number
  /** Whether somebody else waits for the loop. */
  hasOthers: boolean
  alarm: { at: number; call: () => void } | undefined
  /** The moment for which a report is ordered; Infinity without one. */
  armedAt: number
  isClosed: boolean
  onReport: OnReport
  step: () => void
  /** What others in this thread need of it. */
  own: ThreadRing
}

/** A ring in this thread, which has passed its self-test; throws an `Unavailable` without one. */
export function openLoop(system: System): RingLoop {
  const eventFd = system.eventFd()
  let ring: Ring | undefined
  try {
    ring = openRing(system, eventFd)
    testRing(ring)
    const loop = loopOf(system, ring, eventFd)
    system.sleepLightly()
    signalReports(ring, true)
    setThreadRing(loop.own)
    return loop
  } catch (error) {
    if (ring !== undefined) closeRing(ring, { isOver: false })
    throw error
  } finally {
    system.close(eventFd)
  }
}

function loopOf(system: System, ring: Ring, eventFd: number): RingLoop {
  const loop: RingLoop = {
    ...{ system, ring, all: [], free: [], round: 0, late: [], leaving: [], isTurning: false },
    watcher: watch(system, eventFd, () => !loop.isWarm && begin(loop)),
    ...{ workedOff: new Set(), moment: 0, taken: 0, isWarm: false, until: 0, hasOthers: false },
    ...{ alarm: undefined, armedAt: Infinity, isClosed: false },
    onReport(tag, result, from, isMore) {
      if (tag >= 0) onStreamReport(loop, tag, result, from, isMore)
      else if (tag === wakeTag) loop.armedAt = Infinity
      if (++loop.taken % reportsAtOnce === 0) sendMeanwhile(loop)
    },
    step: () => step(loop),
    own: {
      wake: (inMs, call) => setAlarm(loop, performance.now() + inMs, call),
      yield() {
        loop.hasOthers = true
      }
    },
    needTurn() {
      if (loop.isTurning || loop.isWarm) return
      loop.isWarm = true
      setImmediate(begin, loop)
    }
  }
  return loop
}

/** Calls whenever a counter is raised: to Node it is the end of a pipe. */
function watch(system: System, eventFd: number, call: () => void): Socket {
  const [from, to] = system.pipe()
  const callback = () => {
    call()
    return true
  }
  const options = { fd: from, readable: true, writable: false }
  const socket = new Socket({ ...options, onread: { buffer: Buffer.alloc(8), callback } })
  socket.on('error', () => {}).pause()
  system.duplicate(eventFd, from)
  system.close(to)
  socket.resume()
  return socket
}

/** Begins a stretch of turns. */
function begin(loop: RingLoop): void {
  if (loop.isClosed || loop.isTurning) return
  loop.isWarm = true
  signalReports(loop.ring, false)
  loop.until = performance.now() + stretchMs
  step(loop)
}

function step(loop: RingLoop): void {
  if (loop.isClosed) return
  const isIdle = turn(loop, waitOf(loop)) === 0 && !hasMore(loop)
  const now = performance.now()
  if (loop.alarm !== undefined && now >= loop.alarm.at) ring(loop)
  if (loop.isClosed) return
  if (isIdle) rest(loop)
  else if (loop.hasOthers || now >= loop.until) {
    submit(loop.ring)
    setImmediate(begin, loop)
  } else queueMicrotask(loop.step)
  loop.hasOthers = false
}

function ring(loop: RingLoop): void {
  const { call } = loop.alarm!
  loop.alarm = undefined
  call()
}

const hasMore = ({ late, leaving, ring }: RingLoop) =>
  late.length > 0 || leaving.length > 0 || hasReports(ring) || isOverfull(ring)

function waitOf(loop: RingLoop): number {
  if (loop.hasOthers || hasMore(loop)) return 0
  if (loop.alarm === undefined) return warmMs
  const left = Math.max(0, loop.alarm.at - performance.now())
  return left < stretchMs ? left : warmMs
}

/** Leaves waiting to the event loop. */
function rest(loop: RingLoop): void {
  signalReports(loop.ring, true)
  armAlarm(loop)
  // What came before it was to be signalled was not.
  const isIdle = turn(loop, 0) === 0
  loop.isWarm = false
  if (!isIdle || hasMore(loop)) loop.needTurn()
}

/** Hands over, waits at most so long for reports, and takes them in; their number. */
function turn(loop: RingLoop, ms: number): number {
  // Those that come to it meanwhile wait for the next turn.
  const [late, leaving] = [loop.late.length, loop.leaving.length]
  enter(loop.ring, ms > 0 ? 1 : 0, ms)
  loop.isTurning = true
  loop.moment++
  const count = takeReports(loop.ring, loop.onReport)
  for (const call of loop.workedOff) call()
  loop.round++
  if (late > 0) loop.late.splice(0, late).forEach(sendBehind)
  if (leaving > 0) loop.leaving.splice(0, leaving).forEach(release)
  loop.isTurning = false
  return count
}

/** Sends what the reports so far made room for. */
function sendMeanwhile(loop: RingLoop): void {
  for (const call of loop.workedOff) call()
  submit(loop.ring)
  loop.moment++
}

/** Calls at that moment of this thread's clock; false while another call is to come. */
function setAlarm(loop: RingLoop, at: number, call: () => void): boolean {
  if (loop.alarm !== undefined || loop.isClosed) return false
  loop.alarm = { at, call }
  if (loop.isWarm) return true
  if (at - performance.now() < stretchMs) loop.needTurn()
  else armAlarm(loop)
  return true
}

/** Has a report come at the moment of the alarm, where none comes before. */
function armAlarm(loop: RingLoop): void {
  const { ring, alarm, armedAt } = loop
  if (alarm === undefined || armedAt <= alarm.at) return
  loop.armedAt = alarm.at
  wake(ring, Math.max(0, alarm.at - performance.now()), wakeTag)
}

/** Ends a ring at once: whatever it holds is taken back, and heard of no more. */
export function closeLoop(loop: RingLoop): void {
  if (loop.isClosed) return
  // Memory that reports are being read from stays for as long.
  if (loop.isTurning) return void setImmediate(closeLoop, loop)
  loop.isClosed = true
  if (threadRing() === loop.own) setThreadRing(undefined)
  for (const stream of loop.all) stream?.destroy()
  const isOver = letGo(loop)
  for (const stream of loop.all) if (stream !== undefined) release(stream)
  loop.watcher.destroy()
  closeRing(loop.ring, { isOver })
  // An arrival that is to be let go is let go nevertheless.
  if (loop.alarm !== undefined) setImmediate(loop.alarm.call)
}

/** Takes all orders back and waits until the kernel has let go of them; whether it has. */
function letGo(loop: RingLoop): boolean {
  const { ring, all } = loop
  const until = performance.now() + closingMs
  const isHeld = () => all.some((stream) => stream !== undefined && isOrdered(stream))
  cancelAll(ring, ignoredTag)
  do {
    enter(ring, isHeld() ? 1 : 0, 1)
    takeReports(ring, loop.onReport)
  } while ((isHeld() || isOverfull(ring)) && performance.now() < until)
  return !isHeld()
}
