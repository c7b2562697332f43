// Preloaded into a command: what a name means, which lookups there were, and where connections led.
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

const { names, log } = JSON.parse(process.env.PLIMSOLL_TEST_NAMES)
const asked = new Map()
const note = (what) => appendFileSync(log, `${what}\n`)

/** What a name means now: the first time, and from then on. */
function addressOf(name) {
  const times = asked.get(name) ?? 0
  asked.set(name, times + 1)
  return names[name][Math.min(times, names[name].length - 1)]
}

const { lookup } = dns
const { lookup: lookupLater } = dns.promises
dns.lookup = (name, options, callback) => {
  if (!(name in names)) return lookup(name, options, callback)
  note(`lookup ${name}`)
  const found = { address: addressOf(name), family: 4 }
  if (options.all) callback(null, [found])
  else callback(null, found.address, found.family)
}
dns.promises.lookup = async (name, options) => {
  if (!(name in names)) return lookupLater(name, options)
  note(`lookup ${name}`)
  const found = { address: addressOf(name), family: 4 }
  return options?.all ? [found] : found
}
const { connect } = Socket.prototype
Socket.prototype.connect = function (...given) {
  this.on('connectionAttempt', (address, port) => note(`connect ${address}:${port}`))
  return connect.apply(this, given)
}
syncBuiltinESMExports()
