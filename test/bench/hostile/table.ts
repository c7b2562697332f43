import type { Fate } from './trial.ts'

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

function cell(fate: Fate | undefined): string {
  if (fate === undefined) return '–'
  const text = `${fate.code ?? 'killed'}, ${fate.seconds.toFixed(1)} s`
  return fate.wrong.length > 0 ? `**${text}: ${fate.wrong.join('; ')}**` : text
}

/** A Markdown table of how the commands fared, one behaviour or setting a line. */
export function tableOf(
  fates: readonly Fate[],
  { rows, commands, first }: { rows: readonly string[]; commands: readonly string[]; first: string }
): string {
  const head = [first, ...commands, 'memory']
  const lines = rows.map((row) => {
    const own = fates.filter(({ behaviour }) => behaviour === row)
    const peak = Math.max(...own.map(({ peakBytes }) => peakBytes))
    const cells = commands.map((name) => cell(own.find(({ command }) => command === name)))
    return [row, ...cells, megabytes(peak)]
  })
  return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |\n`).join('')
}
