import { createServer } from 'node:http'

/**
 * The least receiver: it reads what it is sent, answers 200, and remembers when the first byte of each was there.
 *
 *   node bench/floors/receiver.ts PORT
 *
 * GET /arrivals answers what came since it was asked last.
 */
export interface Arrivals {
  /** Milliseconds of the machine's clock, by message id. */
  [message_id: string]: number
}

/** A clock that all processes of the machine share, with a resolution below a millisecond. */
export const clock = () => performance.timeOrigin + performance.now()

if (import.meta.main) {
  let arrivals: Arrivals = {}
  createServer((request, response) => {
    const at = clock()
    if (request.method === 'GET') {
      const text = request.url === '/arrivals' ? JSON.stringify(arrivals) : '{}'
      if (request.url === '/arrivals') arrivals = {}
      response.end(text)
      return
    }
    arrivals[String(request.headers['x-message-id'])] = at
    request.resume().on('end', () => response.end('{}'))
  }).listen(Number(process.argv[2]), '127.0.0.1')
}
