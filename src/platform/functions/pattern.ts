import { refusal } from './refusal.ts'

/** A route's pattern: a host or what hosts end with, a path or what paths begin with. */
export type Pattern = {
  host: string | null
  hostSuffix: string | null
  path: string | null
  pathPrefix: string | null
}

/**
 * Reads `[scheme://]host[/path]`. A host may begin with a wildcard `*`, and a path may end with
 * one: `*.example.test/*` is every host below, `*example.test/*` the host itself too. Without a
 * path only `/` is meant. The query is no part of it, and any scheme means both.
 */
export function readPattern(text: string): Pattern {
  const found = /^(?:(?:https?|\*):\/\/)?(\*?)([a-z0-9.-]+)(\/[^*?#]*)?(\*?)$/i.exec(text)
  if (!found || (found[3] === undefined && found[4] !== '')) throw malformed(text)
  const [, hostStar, host = '', path = '/', pathStar] = found
  const name = host.toLowerCase()
  return {
    ...(hostStar ? { host: null, hostSuffix: name } : { host: name, hostSuffix: null }),
    ...(pathStar ? { path: null, pathPrefix: path } : { path, pathPrefix: null })
  }
}

/** Whether every host a pattern can mean lies in a zone, whose host this is. */
export function liesWithin({ host, hostSuffix }: Pattern, zoneHost: string): boolean {
  const name = (host ?? hostSuffix!).replace(/^\./, '')
  return name === zoneHost || name.endsWith(`.${zoneHost}`)
}

function malformed(text: string) {
  const because = 'a pattern is host/path; the host may begin with *, the path end with *'
  return refusal('pattern', `"${text.slice(0, 100)}" is no pattern: ${because}`)
}
