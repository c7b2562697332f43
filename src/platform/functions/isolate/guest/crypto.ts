/** The most rounds of PBKDF2 at once, as the field has it; each takes about a microsecond. */
const mostIterations = 100_000
/** The longest modulus of a key that is made: beyond it that takes minutes. */
const mostModulusBits = 4_096

const notSupported = (message: string) => new DOMException(message, 'NotSupportedError')

/** An algorithm as it was when it was looked at, which is refused where it costs too much. */
function affordable(given: unknown): unknown {
  const algorithm = typeof given === 'object' && given !== null ? { ...given } : { name: given }
  const { name, iterations = 0, modulusLength = 0 } = algorithm as Record<string, unknown>
  const text = `${name}`
  if (/^argon2/i.test(text)) throw notSupported(`${text} is not supported.`)
  if (Number(iterations) > mostIterations)
    throw notSupported(`PBKDF2 has at most ${mostIterations} iterations; ${iterations} were given.`)
  if (Number(modulusLength) > mostModulusBits)
    throw notSupported(`A modulus has at most ${mostModulusBits} bits.`)
  return typeof given === 'object' ? algorithm : given
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
