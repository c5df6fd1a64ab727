import { type AddressInfo, connect as dial, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  accountStatus,
  connect,
  type Registered,
  refresh,
  register,
} from '../../../test/fixtures/integrations.ts'
import { times } from '../../../test/long.ts'
import { world } from '../../../test/world.ts'

/** Sends a refresh over a connection that breaks after this many bytes of the answer. */
function cutRefresh(port: number, shop: Registered, refresh_token: string, bytes: number): Promise<void> {
  const { code: _code, ...keys } = shop
  const body = JSON.stringify({ ...keys, grant_type: 'refresh_token', refresh_token })
  const head = `POST /oauth2/access_token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  return new Promise((resolve, reject) => {
    let got = 0
    const socket: Socket = dial(port, '127.0.0.1', () => {
      socket.write(head + body)
      if (bytes === 0) setTimeout(() => socket.resetAndDestroy(), 1)
    })
    socket.on('data', (chunk) => {
      got += chunk.length
      if (got >= bytes) socket.resetAndDestroy()
    })
    socket.on('close', () => resolve())
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve() : reject(error),
    )
  })
}

/** The longest answer has fewer bytes. */
const BYTES = 1_200
const STEP = times(12, 4)

describe('A lost answer (Errors 5; A6)', () => {
  test('never locks out a client with its last stored token, wherever the connection breaks', async () => {
    const { admin, stranger, app } = await world({ ownServer: true })
    const shop = await register(admin)
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.http.server.address() as AddressInfo
    let stored = (await connect(stranger, shop)).refresh_token
    for (let cut = 0; cut < BYTES; cut += STEP) {
      await cutRefresh(port, shop, stored, cut)
      const again = await refresh(stranger, shop, stored)
      expect(again.status).toBe(200)
      stored = again.body.refresh_token
      if (cut % 36 === 0) expect(await accountStatus(stranger, again.body.access_token)).toBe(200)
    }
  })
})
