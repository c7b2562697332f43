/** The most rounds of PBKDF2 at once, as the field has it; each takes about a microsecond. */
const mostIterations = 100_000
/** The longest modulus of a key that is made: beyond it that takes minutes. */
const mostModulusBits = 4_096

const notSupported = (message: string) => new DOMException(message, 'NotSupportedError')

/**
 * An algorithm that costs not too much, with what was looked at in the place of what was given: a
 * number or a name that is asked for once more could be another one.
 */
function affordable(given: unknown): unknown {
  const algorithm = typeof given === 'object' && given !== null ? { ...given } : { name: given }
  const { name, iterations, modulusLength } = algorithm as Record<string, unknown>
  const text = `${name}`
  if (/^argon2/i.test(text)) throw notSupported(`${text} is not supported.`)
  const rounds = iterations === undefined ? undefined : Number(iterations)
  const bits = modulusLength === undefined ? undefined : Number(modulusLength)
  if (rounds! > mostIterations)
    throw notSupported(`PBKDF2 has at most ${mostIterations} iterations; ${rounds} were given.`)
  if (bits! > mostModulusBits) throw notSupported(`A modulus has at most ${mostModulusBits} bits.`)
  if (typeof given !== 'object') return text
  return {
    ...algorithm,
    ...(name !== undefined && { name: text }),
    ...(rounds !== undefined && { iterations: rounds }),
    ...(bits !== undefined && { modulusLength: bits })
  }
}

/**
 * Refuses what would take other threads of the process long: nothing there is in anybody's turn, so
 * that only what is small may go there.
 */
export function confineCrypto() {
  const prototype = Object.getPrototypeOf(crypto.subtle)
  const { apply } = Reflect
  for (const name of ['deriveBits', 'deriveKey', 'generateKey', 'importKey'] as const) {
    const at = name === 'importKey' ? 2 : 0
    const theirs = prototype[name]
    const value = async function (this: unknown, ...given: unknown[]) {
      given[at] = affordable(given[at])
      return apply(theirs, this, given)
    }
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true })
  }
}
