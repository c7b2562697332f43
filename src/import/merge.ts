import { posix } from 'node:path'
import { diff3Merge, diffIndices } from 'node-diff3'
import type { Files } from './project.ts'

/** What comes of a file: nothing is `kept` that was not changed by hand. */
export type MergedFile = {
  path: string
  what: 'new' | 'same' | 'changed' | 'merged' | 'conflict' | 'kept' | 'removed'
  /** What has to be written; undefined where the file goes, or stays away. */
  text?: string
  /** What is there now. */
  before?: string
  /** Of a conflict: what was changed by hand, and what stands in the source instead. */
  disputes?: Dispute[]
  /** Why it is kept. */
  because?: string
}

/** One place that was changed by hand and in the source, otherwise. */
export type Dispute = { mine: string; theirs: string }

/** A file as it was written last, as it is now and as it would be written. */
export type Versions = { base?: string; mine?: string; theirs?: string }

const lines = (text: string) => text.split('\n')

/** Puts together what was changed by hand and what changed in the source; by hand wins. */
export function mergedFile(path: string, { base, mine, theirs }: Versions): MergedFile {
  const of = (
    what: MergedFile['what'],
    text: string | undefined,
    more: Partial<MergedFile> = {}
  ): MergedFile => ({
    path,
    what,
    ...(text !== undefined && { text }),
    ...(mine !== undefined && { before: mine }),
    ...more
  })
  const kept = (because: string) => of('kept', mine, { because })
  // What was taken away by hand stays away.
  if (mine === undefined) return base === undefined ? of('new', theirs) : kept('taken away by hand')
  if (theirs === undefined) {
    const gone = 'changed by hand, and no more in the source'
    return mine === base ? of('removed', undefined) : kept(gone)
  }
  if (mine === theirs) return of('same', mine)
  if (mine === base) return of('changed', theirs)
  if (base === undefined) return kept('not written by an import that is known')
  if (theirs === base) return kept('changed by hand')
  const parts = diff3Merge(lines(mine), lines(base), lines(theirs), { excludeFalseConflicts: true })
  const text = parts.flatMap(({ ok, conflict }) => ok ?? conflict!.a).join('\n')
  const disputes = parts.flatMap(({ conflict }) =>
    conflict ? { mine: conflict.a.join('\n'), theirs: conflict.b.join('\n') } : []
  )
  return disputes.length > 0 ? of('conflict', text, { disputes }) : of('merged', text)
}

/** Files that a text of the file at a path imports by a relative path, or has make a thing. */
function usedBy(path: string, text: string): string[] {
  const folder = posix.dirname(path)
  const imports = [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"\n]*)['"]/g)]
  const makers = [...text.matchAll(/\bby["']?:\s*["']?([\w-]+)/g)]
  const root = posix.basename(path) === 'samples.yaml' ? folder : posix.dirname(folder)
  return [
    ...imports.map(([, name]) => posix.join(folder, name!)),
    ...makers.map(([, name]) => posix.join(root, name!, '_request.ts'))
  ]
}

/**
 * The same, where a file that would go stays while one that stays uses it: one of these, or one
 * of `others`, which are a person's own.
 */
export function withUsed(merged: readonly MergedFile[], others: Files): MergedFile[] {
  const all = merged.map((one) => ({ ...one }))
  for (let isDone = false; !isDone; ) {
    isDone = true
    const staying = all.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text]]))
    const users = new Map(
      [...staying, ...Object.entries(others)].flatMap(([path, text]) =>
        usedBy(path!, text!).map((used) => [used, path!] as const)
      )
    )
    for (const one of all) {
      if (one.what !== 'removed' || !users.has(one.path)) continue
      const because = `no more in the source, and used by ${users.get(one.path)}`
      Object.assign(one, { what: 'kept', text: one.before, because })
      isDone = false
    }
  }
  return all
}

type Entry = { id: string; documented?: string }

/** What decides over clauses beside what changed. */
export type ClauseRules<Clause> = {
  /** Whether something uses a clause that is gone from the source. */
  isNeeded: (id: string) => boolean
  /** Whether a scenario by hand goes on to state the number that a clause had, not the new one. */
  isStated: (now: Clause, next: Clause) => boolean
}

/** The numbers that files of limits state, by clause: `max: 60` beside `clause: 'a.b'`. */
export function statedNumbers(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.flatMap((text) => {
      const [, max] = /^\s*max: (-?[\d_.]+),?$/m.exec(text) ?? []
      const [, id] = /^\s*clause: '([^'\\]+)',?$/m.exec(text) ?? []
      return max === undefined || id === undefined ? [] : [[id, max.replaceAll('_', '')] as const]
    })
  )
}

/** Lists of clauses put together, and what was changed on both sides, where by hand wins. */
export type MergedClauses<Clause> = {
  clauses: Clause[]
  /** By place: id and field. */
  disputes: Dispute[]
  /** Those of the source, but with what is in dispute as it was before: it is told again then. */
  base: Clause[]
}

/**
 * Lists of clauses put together by their ids, field by field. Those that a person added stay, and
 * of those that are gone from the source the ones that were changed, or that `isNeeded`. The number
 * of one stays, too, where a scenario that stays as it was by hand states it.
 */
export function mergedClauses<Clause extends Entry>(
  { base = [], mine, theirs }: { base?: Clause[]; mine: Clause[]; theirs: Clause[] },
  { isNeeded, isStated }: ClauseRules<Clause>
): MergedClauses<Clause> {
  const [was, is] = [base, mine].map((list) => new Map(list.map((one) => [one.id, one])))
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const disputes: Dispute[] = []
  const left = new Map<string, Clause>()
  const merged = theirs.flatMap((clause) => {
    const [before, now] = [was!.get(clause.id), is!.get(clause.id)] as Record<string, any>[]
    if (now === undefined) return before === undefined ? [clause] : []
    const fields = new Set([...Object.keys(now), ...Object.keys(clause)])
    const isHeld = isStated(now as Clause, clause)
    const pick = (field: string) => {
      const next = (clause as Record<string, any>)[field]
      const isOfNumber = isHeld && ['documented', 'unit'].includes(field)
      if (!isOfNumber && same(now[field], before?.[field])) return next
      const isDisputed = before !== undefined && !same(next, before[field])
      if (isDisputed && !same(next, now[field])) {
        const said = (value: unknown) => `${clause.id}, ${field}: ${JSON.stringify(value)}`
        disputes.push({ mine: said(now[field]), theirs: said(next) })
        left.set(clause.id, { ...(left.get(clause.id) ?? clause), [field]: before[field] })
      }
      return now[field]
    }
    const all = [...fields].map((field) => [field, pick(field)])
    return [Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Clause]
  })
  const told = new Set(theirs.map(({ id }) => id))
  const rest = mine.filter(({ id }) => {
    const before = was!.get(id)
    const isOwn = before === undefined || !same(before, is!.get(id))
    return !told.has(id) && (isOwn || isNeeded(id))
  })
  const next = theirs.map((clause) => left.get(clause.id) ?? clause)
  return { clauses: [...merged, ...rest], disputes, base: next }
}

/** Lines around a change that are shown. */
const around = 2
/** Lines of a change that are shown. */
const most = 12

/** The difference of two texts, in the form of `diff -u`, a long one cut short. */
export function differenceText(path: string, before: string, now: string): string {
  const [old, next] = [lines(before), lines(now)]
  const hunks = diffIndices(old, next).map(
    ({ buffer1, buffer2, buffer1Content, buffer2Content }) => {
      const [at, length] = buffer1 as [number, number]
      const cut = (mark: string, all: string[]) => {
        const shown = all.slice(0, most).map((line) => `${mark}${line}`)
        return all.length > most ? [...shown, `${mark}… ${all.length - most} more`] : shown
      }
      const [head, tail] = [
        old.slice(Math.max(0, at - around), at),
        old.slice(at + length, at + length + around)
      ]
      return [
        `@@ -${at + 1},${length} +${(buffer2 as number[])[0]! + 1},${(buffer2 as number[])[1]} @@`,
        ...head.map((line) => ` ${line}`),
        ...cut('-', buffer1Content),
        ...cut('+', buffer2Content),
        ...tail.map((line) => ` ${line}`)
      ].join('\n')
    }
  )
  return [`--- ${path}`, `+++ ${path}`, ...hunks].join('\n')
}

/** What comes of all files of an import, by their paths. */
export function mergedFiles(
  base: Files,
  theirs: Files,
  readMine: (path: string) => string | undefined
): MergedFile[] {
  const paths = [...new Set([...Object.keys(theirs), ...Object.keys(base)])]
  return paths.map((path) =>
    mergedFile(path, { base: base[path], mine: readMine(path), theirs: theirs[path] })
  )
}
