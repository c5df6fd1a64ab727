import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../db/failures.ts'
import { machineError } from './machine-errors.ts'

test('A certificate of PostgreSQL that is not trusted is reported with the parameter that names its authority', () => {
  const cause = Object.assign(new Error('unable to verify; try running Node.js with --use-system-ca'), {
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  })
  expect(machineError(new DatabaseUnavailable('no connection to the server', { cause }))).toBe(
    'no connection to the server: its certificate is not signed by a known authority. ' +
      'Name the file of the authority in sslrootcert=FILE.',
  )
  const other = new Error("Hostname/IP does not match certificate's altnames")
  expect(machineError(new DatabaseUnavailable('no connection to the server', { cause: other }))).toBe(
    `no connection to the server: ${other.message}`,
  )
})
