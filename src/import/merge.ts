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
}

/** A file as it was written last, as it is now and as it would be written. */
export type Versions = { base?: string; mine?: string; theirs?: string }

const lines = (text: string) => text.split('\n')

/** Puts together what was changed by hand and what changed in the source; by hand wins. */
export function mergedFile(path: string, { base, mine, theirs }: Versions): MergedFile {
  const of = (what: MergedFile['what'], text: string | undefined): MergedFile => {
    return {
      path,
      what,
      ...(text !== undefined && { text }),
      ...(mine !== undefined && { before: mine })
    }
  }
  // What was taken away by hand stays away.
  if (mine === undefined) return base === undefined ? of('new', theirs) : of('kept', undefined)
  if (theirs === undefined) return mine === base ? of('removed', undefined) : of('kept', mine)
  if (mine === theirs) return of('same', mine)
  if (mine === base) return of('changed', theirs)
  if (theirs === base || base === undefined) return of('kept', mine)
  const parts = diff3Merge(lines(mine), lines(base), lines(theirs), { excludeFalseConflicts: true })
  const isDisputed = parts.some(({ conflict }) => conflict !== undefined)
  const text = parts.flatMap(({ ok, conflict }) => ok ?? conflict!.a).join('\n')
  return of(isDisputed ? 'conflict' : 'merged', text)
}

type Entry = { id: string }

/**
 * Lists of clauses put together by their ids, field by field. Those that a person added stay, and
 * of those that are gone from the source the ones that were changed, or that `isNeeded`.
 */
export function mergedClauses<Clause extends Entry>(
  { base = [], mine, theirs }: { base?: Clause[]; mine: Clause[]; theirs: Clause[] },
  isNeeded: (id: string) => boolean
): Clause[] {
  const [was, is] = [base, mine].map((list) => new Map(list.map((one) => [one.id, one])))
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const merged = theirs.flatMap((clause) => {
    const [before, now] = [was!.get(clause.id), is!.get(clause.id)] as Record<string, any>[]
    if (now === undefined) return before === undefined ? [clause] : []
    const fields = new Set([...Object.keys(now), ...Object.keys(clause)])
    const pick = (field: string) => {
      const next = (clause as Record<string, any>)[field]
      return same(now[field], before?.[field]) ? next : now[field]
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
  return [...merged, ...rest]
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
