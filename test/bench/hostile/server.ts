// Serves one behaviour by its name, or as an honest server does, until its stdin ends; says its
// port on stdout, and then that it was asked something.
import { type AddressInfo, createServer } from 'node:net'
import { behaviours, honest } from './behaviours.ts'

const [, , name] = process.argv
const { serve } = behaviours.find((one) => one.name === name) ?? honest

let connections = 0
const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
  socket.on('error', () => {})
  if (++connections === 1) console.log('asked')
  serve(socket)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
process.stdin.resume().on('end', () => process.exit())
