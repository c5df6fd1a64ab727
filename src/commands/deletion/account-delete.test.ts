import { describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/databases/databases.ts'
import { isLong } from '../../../test/long.ts'
import { commandLine } from '../../../test/programs/command-line.ts'
import { newMasterKey } from '../../../test/programs/program.ts'

/** A server with the accounts `acme`, with a person, and `mill`. */
async function twoAccounts() {
  const { database_url, data_dir } = await emptyDatabase()
  const env = {
    ...{ DATA_DIR: data_dir, DATABASE_URL: database_url },
    ...{ MASTER_KEY: newMasterKey(), LOG_LEVEL: 'silent' },
  }
  const run = (text: string) => commandLine(text.split(' '), env)
  for (const command of [
    'migrate',
    'account create --subdomain acme --name Acme',
    'account create --subdomain mill --name Mill',
    'user create --account acme --email ann@acme.example --name Ann --admin',
  ])
    expect((await run(command)).code).toBe(0)
  return run
}

describe('patchbay account delete', () => {
  test('prints what would go, and deletes nothing without --apply', async () => {
    const run = await twoAccounts()
    const { code, stdout } = await run('account delete --account acme')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^statuses {2,}\d+$/m)
    expect(stdout).toMatch(/^people in no other account {2}1$/m)
    expect(stdout).toMatch(/\nNothing was deleted\. --apply deletes the account for ever\.\n$/)
    expect((await run('account list')).stdout).toContain('acme')
  })

  test.each([
    ['account delete --account none --apply', 'There is no account "none".'],
    ['account delete --account acme --integrations-to none --apply', 'There is no account "none".'],
    [
      'account delete --account acme --integrations-to acme --apply',
      '--integrations-to names the account that is to be deleted.',
    ],
  ])('%s is refused', async (command, message) => {
    const run = await twoAccounts()
    expect(await run(command)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
    expect((await run('account list')).stdout).toContain('acme')
  })

  // It waits for begun requests, as long as one may take.
  test.runIf(isLong)('deletes the account with --apply', async () => {
    const run = await twoAccounts()
    const { code, stdout } = await run('account delete --account acme --apply')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Account 1 deleted\. Rows: \d+, people: 1\.\n$/),
    ])
    expect((await run('account list')).stdout).toBe('2  mill  Mill  people: 0\n')
  })
})
