import { expect, test } from 'vitest'
import yargs from 'yargs'
import type { Command } from '../../../src/cli/command.ts'
import { insistOnValues } from '../../../src/cli/flags/values.ts'

const url = 'http://127.0.0.1:9/'

/** What a command line is refused for, by the flags of its command; undefined where it is taken. */
async function refusal([name = '', ...words]: readonly string[]): Promise<string | undefined> {
  const { command } = (await import(`../../../src/cli/commands/${name}.ts`)) as {
    command: Command<any>
  }
  let told: string | undefined
  const parser = yargs(words)
    .command({
      command: '$0 [url]',
      builder(given) {
        const built = command.builder(given)
        insistOnValues(built, '$0 [url]')
        return built
      },
      handler() {}
    })
    .exitProcess(false)
    .fail((message, cause) => {
      told = message ?? cause.message
      throw cause ?? new Error(message)
    })
  try {
    await parser.parseAsync()
  } catch {}
  return told
}

const pair = ['--a', url, '--b', url]
const endless = '9'.repeat(400)

test.each([
  [['compare', ...pair, '--a-cmd', ''], /--a-cmd is blank: give it a value, or leave it out/],
  [['compare', ...pair, '--b-cmd', ' \t'], /--b-cmd is blank/],
  [['compare', ...pair, '--a-cmd'], /Not enough arguments following: a-cmd/],
  [['compare', ...pair, '--history', ''], /--history is blank/],
  [['compare', ...pair, '--budget'], /Not enough arguments following: budget/],
  [['compare', ...pair, '--budget', 'Infinity'], /--budget must be more than 0, and 10,000 at/],
  [['compare', ...pair, '--budget', '1e5'], /--budget must be/],
  [['compare', ...pair, '--budget', 'NaN'], /--budget must be/],
  [['compare', ...pair, '--metric', 'p99=1e400'], /--metric must be/],
  [['compare', ...pair, '--metric', 'p50,p99=Infinity'], /--metric must be/],
  [['compare', ...pair, '--metric', 'p99=NaN'], /--metric must be/],
  [['calibrate', '--a', url, '--a-cmd', ''], /--a-cmd is blank/],
  [['calibrate', '--runs', '1e400'], /--runs must be a whole number from 1 to/],
  [['mutants', '--target-cmd', ' ', '--breaks', 'x'], /--target-cmd is blank/],
  [['mutants', '--honest-cmd', ''], /--honest-cmd is blank/],
  [['mutants', '--tamperings', '1e300'], /--tamperings must be/],
  [['run', '--workers', '1e300'], /--workers must be a whole number from 1 to 1,024/],
  [['run', '--target', ''], /--target is blank/],
  [['run', '--require-coverage', 'Infinity'], /--require-coverage must be a percentage/],
  [['load', url, '--rate', '-d', '1s'], /Not enough arguments following: rate/],
  [['load', url, '-r', 'Infinity'], /--rate must be/],
  [['load', url, '-n', '1e300'], /--requests must be/],
  [['load', url, '--p99', endless], /--p99 .* is more than an hour/],
  [['load', url, '--rps', endless], /--rps must be/],
  [['load', url, '--objective', `firstEvent p99 <= ${endless}`], /--objective .* is of more than/],
  [['load', url, '-d', endless], /--duration .* is longer than/],
  [['load', url, '--agents', '1e9'], /--agents must be/],
  [['load', url, '--prometheus', '1e400'], /--prometheus must be a port/],
  [['capacity', url, '--p99', 'Infinity'], /--p99 must be more than 0, and 3,600,000 at most/],
  [['capacity', url, '--at-least', '1e400'], /--at-least must be/],
  [['capacity', url, '--errors', 'NaN'], /--errors must be/],
  [['soak', url, '--budget', '1e400'], /--budget must be/],
  [['soak', url, '--metrics', `rss=${endless}`], /--metrics must be/],
  [['soak', url, '--pid', 'Infinity'], /--pid must be/],
  [['probe', url, '--rate', 'Infinity'], /--rate must be/],
  [['probe', url, '--requests', '1e400'], /--requests must be/],
  [['probe', url, '--requests', '0.5'], /--requests must be a whole number/],
  [['probe', url, '--up-to', `body=${endless}`], /--up-to .* is beyond/],
  [['platform', '--port'], /Not enough arguments following: port/],
  [['platform', '--port', 'Infinity'], /--port is no number/],
  [['agent', '--redis', 'redis://127.0.0.1', '-w', '1e9'], /--workers must be/]
])('plimsoll %j is refused', async (words, why) => {
  expect(await refusal(words)).toMatch(why)
})

test.each([
  [['load', url, '--body', '']],
  [['load', url, '-r', '0.01', '-n', '1e9', '--p99', '1.5s', '--rps', '5']],
  [['compare', ...pair, '--a-cmd', 'x', '--metric', 'p50,p99=15', '--budget', '200']],
  [['probe', url, '--replicas', '', '--up-to', 'body=1GB', '--requests', '100']],
  [['soak', url, '--metrics', 'rss,heap=2', '--budget', '0.5']],
  [['platform', '--port', '0']]
])('plimsoll %j is taken', async (words) => {
  expect(await refusal(words)).toBeUndefined()
})
