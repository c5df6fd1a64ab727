import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logFailedWork } from './failed-work.ts'
import { DatabaseUnavailable } from './failures.ts'

test('an outage of the database has one line in ten seconds, and every other failure its own', () => {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  let now = 0
  const fail = (error: Error, message: string) => logFailedWork({ log, monotonic: () => now }, error, message)
  const outage = new DatabaseUnavailable('no connection')
  for (; now < 20_000; now += 500)
    for (const work of ['jobs', 'deliveries']) fail(outage, `the ${work} could not be read`)
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'the jobs could not be read',
    'the jobs could not be read',
  ])
  for (const work of ['jobs', 'deliveries']) fail(new TypeError('x is not a function'), `${work}`)
  expect(lines.slice(2).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 50, msg: 'jobs', err: expect.objectContaining({ type: 'TypeError' }) }),
    expect.objectContaining({ level: 50, msg: 'deliveries' }),
  ])
})
