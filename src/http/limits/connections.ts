import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { networkOf } from './rate-limit.ts'

export interface ConnectionLimits {
  /** Connections in total. */
  all: number
  /** Connections per address. */
  each: number
  /** Addresses that stand for many clients. They have no limit of their own. */
  isExempt: (address: string | undefined) => boolean
  /** Takes an excess connection. */
  refuse: (socket: Socket) => void
}

/** Counts the connections of a server and refuses those above the total or per-address limit. */
export function limitConnections(server: Server, { all, each, isExempt, refuse }: ConnectionLimits): void {
  const counts = new Map<string, number>()
  let total = 0
  server.on('connection', (socket: Socket) => {
    const address = isExempt(socket.remoteAddress) ? null : placeOf(socket.remoteAddress ?? '')
    const count = address === null ? 0 : (counts.get(address) ?? 0) + 1
    if (address !== null) counts.set(address, count)
    total++
    socket.once('close', () => {
      total--
      if (address === null) return
      const left = (counts.get(address) as number) - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    })
    if (count > each || total > all) refuse(socket)
  })
}

/** An IPv6 host has a whole network of addresses. */
const placeOf = (address: string): string =>
  isIP(address) === 6 && !address.startsWith('::ffff:') ? networkOf(address) : address
