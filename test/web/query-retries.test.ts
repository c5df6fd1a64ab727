import { expect, test } from 'vitest'
import { Cancelled, Problem, Unreachable } from '../../web/api/problem.ts'
import { retry } from '../../web/data/query-client.ts'

test('a read is repeated twice if the connection was lost or the server says that it will answer', () => {
  const overloaded = new Problem(503, { retry_after: 2 })
  expect([0, 1, 2].map((failures) => retry(failures, overloaded))).toEqual([true, true, false])
  expect([0, 2].map((failures) => retry(failures, new Unreachable('lost')))).toEqual([true, false])
  for (const refusal of [new Problem(503, {}), new Problem(429, { retry_after: 2 }), new Cancelled()])
    expect(retry(0, refusal)).toBe(false)
})
