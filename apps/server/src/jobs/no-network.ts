// Loaded before anything else in a process that reads foreign files: on systems without namespaces nothing but this
// keeps it from the network and from other processes. It holds against scripts, not against a taken-over process.
import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const refuse = (): never => {
  throw Object.assign(new Error('not for a process that reads files'), { code: 'ERR_ACCESS_DENIED' })
}

net.Socket.prototype.connect = refuse
net.Server.prototype.listen = refuse
dgram.Socket.prototype.bind = refuse
dgram.Socket.prototype.connect = refuse
dgram.Socket.prototype.send = refuse
for (const api of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  for (const name of Object.getOwnPropertyNames(api))
    if (/^(lookup|resolve|reverse)/.test(name)) Object.defineProperty(api, name, { value: refuse })
process.kill = refuse
syncBuiltinESMExports()
