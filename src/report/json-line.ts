import { oneLine } from './printable.ts'

/** Levels of lists and objects in a line; what Plimsoll writes has far fewer. */
const mostLevels = 100

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

/**
 * The value in a line of JSON. Throws an Error where it is none, or where lists and objects stand
 * so deep in each other that nothing could write them again.
 */
export function readJson(content: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (cause) {
    throw new Error(`not JSON: ${oneLine((cause as Error).message, 300)}`)
  }
  if (isDeeper(value, mostLevels)) throw new Error(`goes deeper than ${mostLevels} levels`)
  return value
}
