import type { FlatSchema } from './schema.ts'

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** A number as a schema asks for it, at neither end where there is room. */
export function numberFor(schema: FlatSchema, isWhole: boolean): number | undefined {
  const { step, least, most } = rangeOf(schema, isWhole)
  if (least > most) return undefined
  const next = least < most ? least + step : least
  const below = least === -Infinity ? most - step : Math.min(next, most)
  const usual = least === -Infinity && most === Infinity ? step : Number(below.toPrecision(15))
  // Farther from zero a number is not written as it is: -2^63 would be less than that.
  const isTold = (one: number) => least <= one && one <= most && Math.abs(one) < 2 ** 53
  return [usual, step, -step, 0, most - step, least + step].find(isTold)
}

/** How many decimals a number is written with. */
function decimalsOf(number: number): number {
  const [, decimals = '', power = '0'] =
    /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(`${number}`) ?? []
  return Math.max(0, decimals.length - Number(power))
}

/** The smallest and the largest number that are taken, and how far two are apart. */
export function rangeOf(
  schema: FlatSchema,
  isWhole: boolean
): { step: number; least: number; most: number } {
  const number = (name: string): number | undefined => {
    const { [name]: said } = schema.keywords
    return isNumber(said?.value) ? said.value : undefined
  }
  const multiple = number('multipleOf')
  const over = number('exclusiveMinimum')
  const under = number('exclusiveMaximum')
  const ends = [number('minimum'), number('maximum'), over, under].filter(isNumber)
  const isStepped = multiple !== undefined && multiple > 0
  // Between two of 0.1 and 0.4 there is one more than both have decimals for.
  const fine = 0.5 * 10 ** -Math.max(0, ...ends.map(decimalsOf))
  const step = isStepped ? multiple : isWhole ? 1 : fine
  const lows = [number('minimum'), over === undefined ? undefined : over + step].filter(isNumber)
  const highs = [number('maximum'), under === undefined ? undefined : under - step].filter(isNumber)
  const least = Math.max(-Infinity, ...lows)
  const most = Math.min(Infinity, ...highs)
  if (!isStepped && !isWhole) return { step, least, most }
  // 0.07 / 0.01 is 7.000000000000001.
  const stepped = (end: number, round: (steps: number) => number, slack: number) =>
    Number.isFinite(end) ? Number((round(end / step + slack) * step).toPrecision(15)) : end
  return {
    step,
    least: stepped(least, Math.ceil, -1e-9),
    most: stepped(most, Math.floor, 1e-9)
  }
}
