import type { Equivalence } from './equivalent.ts'

const functions = 'src/platform/functions/'
const isolate = `${functions}isolate/`
const guest = `${isolate}guest/`

/** Lists of which each member is treated alike, and where they stand. */
const lists: Record<string, RegExp> = {
  [`${guest}api/logger`]: /^const (levels|silent|timing)|'dirxml'/,
  [`${guest}api/fetch`]: /^const bodiless/,
  [`${guest}realm`]: /^ {2}\.\.\.\[|globalDispatcher|'waitAsync'/,
  [`${guest}crypto`]: /const makers/,
  [`${guest}ballast`]: /\['slice', 'stream'\]|createObjectURL/,
  [`${guest}compression`]: /'DecompressionStream'\]/,
  [`${guest}program`]: /const known/,
  [`${isolate}host/redirect`]: /^const redirects/,
  [`${isolate}host/guest`]: /^const quiet|execArgv/,
  [`${isolate}network`]: /\[204, 205, 304\]/,
  [`${isolate}guest-code`]: /^const shared/,
  [`${isolate}broker`]: /\['fetch', 'socket', 'cache'\]/,
  [`${functions}plan`]: /functionPlans/,
  [`${functions}tables`]: /functionData/,
  [`${functions}part`]: /jsonColumns/
}

/** Where numbers are counted up that only tell things apart. */
const counters: Record<string, RegExp> = {
  [`${guest}calls`]: /^ {2}let calls = 0/,
  [`${guest}crypto`]: /let jobs = 0/,
  [`${guest}timers`]: /let made = 0/,
  [`${guest}turns`]: /let turn = 0|lastTurn/,
  [`${isolate}host/inspector`]: /let asked = 0/,
  [`${isolate}instance`]: /let begun = 0/,
  [`${functions}account`]: /slice\(0, 12\)/,
  [`${functions}function`]: /slice\(0, 12\)/
}

/** Faults in functions that change nothing at all, in whatever way they are asked. */
export const ofFunctions: readonly Equivalence[] = [
  ...Object.entries(lists).map(([name, line]) => ({
    file: `${name}.ts`,
    operators: ['swap-constants'],
    before: /^('[^']+'|\d+), ('[^']+'|\d+)$/,
    line,
    because: 'each member of the list is treated alike, in whichever order'
  })),
  ...Object.entries(counters).map(([name, line]) => ({
    file: `${name}.ts`,
    operators: ['number'],
    // What is always nothing tells nothing apart.
    after: /^[1-9]\d*$/,
    line,
    because: 'what only tells things apart may begin anywhere, and be longer'
  })),
  ...['host/calls', 'host/offloads', 'host/enforcement', 'host/watchdog'].map((name) => ({
    file: `${isolate}${name}.ts`,
    operators: ['swap-constants'],
    before: /^0, \w+: false$|^false, 0$/,
    because: 'to count up from nothing is to count up from false, and 0 is as untrue'
  })),
  {
    file: isolate,
    operators: ['one-plan-only'],
    after: /call\.zone\?\.plan/,
    because: 'no call of a function has a zone, so that the condition is the same'
  },
  {
    file: `${functions}services/services.ts`,
    operators: ['one-plan-only'],
    after: /call\.zone\?\.plan/,
    because: 'no call of a function has a zone, so that the condition is the same'
  },
  {
    file: functions,
    operators: ['stale'],
    before: /^(process\.getBuiltinModule|Object\.getOwnProperty|read(Cron|Code|FileSync)?\((?!\)))/,
    line: /^(?!.*(stat|readSync|`))/,
    because: 'it comes to the same each time that it is asked for the same'
  },
  {
    file: `${functions}rules.ts`,
    operators: ['drop-property', 'swap-constants'],
    line: /sameZone|beyondDay/,
    before: /^,? ?(route|closed): 'refuse'|^'refuse'$/,
    because: 'whatever is not said to be let through is refused'
  },
  {
    file: `${isolate}rules.ts`,
    operators: ['swap-constants'],
    after: /^'last'$/,
    because: 'of a quota that is none of the two there is nothing to count'
  },
  {
    file: `${functions}function.ts`,
    line: /accountId: string, but|account = \? AND name <>|accountId, but\)/,
    because: 'what is deployed beside a function only a break of ours asks for'
  },
  {
    file: `${functions}virtual-clock.ts`,
    operators: ['skip-write'],
    line: /clearTimeout|waiting\.delete/,
    because: 'what is no longer waited for is looked at once more, and nothing comes of it'
  },
  {
    file: `${isolate}guest/events.ts`,
    operators: ['number'],
    before: /^204$/,
    because: 'the answer to an event that is no request goes to nobody'
  },
  {
    file: `${functions}limits.ts`,
    operators: ['number'],
    before: /^(400|10|50|128)$/,
    after: /^(399|401|9|11|49|51|127|129)$/,
    line: /startupMs|cpu\(|memoryBytes/,
    because: 'no clock tells a millisecond of processor time, nor do megabytes of garbage tell one'
  },
  {
    file: `${isolate}broker.ts`,
    operators: ['drop-filter'],
    line: /Object\.values\(env\)\.filter/,
    because: 'a text is of no kind, and grants nothing where it is looked at as well'
  },
  {
    file: `${isolate}process.ts`,
    operators: ['drop-branch'],
    before: /^isGone \|\| child\.pid === undefined$/,
    after: /^\(isGone\)$/,
    because: 'of a process that was never begun there is nothing to be read either'
  },
  {
    file: `${isolate}process.ts`,
    operators: ['drop-property'],
    before: /^, lastWords$/,
    because: 'with which words a deployment fails is nowhere said'
  },
  {
    file: `${isolate}host/watchdog.ts`,
    operators: ['drop-property'],
    line: /const now = .*usedUs: cpuUs\(\)/,
    because: 'how soon time ends a process that is no invocation of its own is nowhere said'
  },
  {
    file: `${isolate}host/enforcement.ts`,
    operators: ['boundary'],
    line: /usedUs \+ offloadedUs > allowanceMs/,
    after: /^>=$/,
    because: 'nobody uses a limit up to the microsecond'
  },
  {
    file: `${functions}scheduler.ts`,
    operators: ['drop-guard'],
    before: /^if \(isClosed\) return$/,
    because: 'nothing is said of what a platform does while it is stopped'
  },
  {
    file: `${functions}dispatch.ts`,
    operators: ['drop-branch'],
    line: /valuesOf\(headers, 'host'\)\[0\] \?\? host/,
    because: 'by which URL a function is called is not shown, but for its zone and path'
  },
  {
    file: `${isolate}flow.ts`,
    operators: ['always'],
    line: /if \(!isOver\) onEnd\(reason\)/,
    because: 'what has ended is no longer in the list by which it is told that it has'
  },
  {
    file: `${isolate}process-usage.ts`,
    operators: ['drop-guard'],
    line: /if \(file === undefined\) return undefined/,
    because: 'to read of no file fails in the next line, which comes to the same'
  },
  {
    file: `${isolate}host/invocations.ts`,
    operators: ['swap-arguments'],
    before: /^seen, said$/,
    because: 'of two numbers the larger one is the same in whichever order'
  },
  {
    file: `${isolate}host/inspector.ts`,
    operators: ['skip-write'],
    line: /waiting\.delete\(reply\.id/,
    because: 'a question has one answer, and what is kept of it goes with the process'
  },
  {
    file: `${isolate}host/host.ts`,
    operators: ['always'],
    line: /invocation\.waitsFor\(message\.promises\)/,
    because: 'who is told again for how many is waited hears what he knows'
  },
  {
    file: `${isolate}transcript.ts`,
    operators: ['drop-guard'],
    line: /byteLength\(text\) <= bytes\) return text/,
    because: 'a text that fits is cut behind its end'
  },
  {
    file: `${isolate}instance.ts`,
    operators: ['number'],
    line: /let (scopeUs|chargedUs) = 0/,
    after: /^(1|\(-1\))$/,
    because: 'a microsecond of processor time is less than any clock tells'
  },
  {
    file: `${functions}functions.ts`,
    operators: ['drop-property'],
    before: /most: limits\.keptInvocations/,
    because: 'how many invocations a target tells about is not said'
  },
  {
    file: `${isolate}guest/events.ts`,
    operators: ['drop-branch'],
    before: /^queue && \{ queue \}$/,
    because: 'what becomes of a message that its consumer wants again is not documented'
  },
  {
    file: `${isolate}host/redirect.ts`,
    operators: ['drop-filter'],
    before: /^request\.headers\.filter/,
    because: 'each redirect counts; what is asked behind one is said by the fetch standard'
  },
  {
    file: `${isolate}broker.ts`,
    operators: ['drop-branch'],
    before: /object\?\.binding === id && asked\.binding === id/,
    because: 'no code of a function can ask for another object’s storage, but by a lie of its guest'
  },
  {
    file: `${isolate}guest/ballast.ts`,
    operators: ['drop-guard', 'swap-arguments'],
    line: /if \(!new\.target\) throw|blobOf\(globalThis, size\)/,
    because: 'no document speaks of a Blob: how one is made is said by the standard of files'
  }
]
